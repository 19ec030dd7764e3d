// This file makes of the compacted log of an agent a session of its own, which the agent can resume, for the page and
// `tamp mcp`. `tamp resume` has the same in Go (cmd/tamp/cli/resumable.go): as an operation of the engine it would add
// 4 KB to tamp.wasm, gzipped.

/** @typedef {{name: string, text: string, command: string}} Resumed name: of the file; command: resumes it */

const SESSION = /"sessionId":"([^"\\]+)"/;
const FOLDER = /"cwd":("(?:[^"\\]|\\.)*")/;
const OPENCODE_ID = /"((?:ses|msg|prt)_[0-9A-Za-z]{14,})([0-9A-Za-z]{6})"/g;

// The requests that Claude Code logs since version 2.1.332: they are those of the other session.
const REQUESTS = /^\{"type":"api-request(-shape|-blob)?".*\n?/gm;

/** The formats of the logs that an agent resumes from a file. */
export const RESUMABLE = ["claude-code", "codex", "pi", "opencode"];

/** @param {string} format */
const notResumable = (format) =>
	new Error(
		`cannot resume: a session of ${format} is resumed by the program that keeps it; the logs of Claude Code, Codex and pi and the export of opencode can be resumed. tamp compact FILE writes it compacted`,
	);

/**
 * Whether a policy does nothing to a session yet, so that it is compacted as if its limit were reached. Else the policy's
 * own compaction is made.
 * @param {{before: number, after: number}} inspection under the policy
 */
export const isIdle = ({ before, after }) => before === after;

/**
 * The compacted session with an id of its own, since two files with the same id are one session for the agent.
 * @param {string} format
 * @param {string} file of the log
 * @param {string} text of the compacted log
 * @returns {Resumed}
 */
export function resumable(format, file, text) {
	const base = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
	const folder = file.slice(0, file.length - base.length);
	const id = crypto.randomUUID();
	const stamp = new Date().toISOString();
	const [head = ""] = text.split("\n", 1);
	const quoted = (/** @type {string} */ word) => `'${word.replaceAll("'", "'\\''")}'`;
	switch (format) {
		case "claude-code": {
			text = text.replace(REQUESTS, "");
			const old = SESSION.exec(text)?.[1] ?? "";
			const cwd = FOLDER.exec(text)?.[1];
			return {
				name: `${id}.jsonl`,
				text: text.replaceAll(`"sessionId":${JSON.stringify(old)}`, `"sessionId":"${id}"`),
				command: `${cwd ? `cd ${quoted(JSON.parse(cwd))} && ` : ""}claude --resume ${id}`,
			};
		}
		case "codex": {
			const old = JSON.parse(head).payload?.id;
			if (typeof old !== "string")
				throw new Error("cannot resume: the log does not begin with session_meta and its id");
			return {
				name: `rollout-${stamp.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`,
				text: head.replaceAll(JSON.stringify(old), `"${id}"`) + text.slice(head.length),
				command: `codex resume ${id}`,
			};
		}
		case "pi": {
			const name = `${stamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`;
			return {
				name,
				text: JSON.stringify({ ...JSON.parse(head), id }) + text.slice(head.length),
				command: `pi --session ${quoted(folder + name)}`,
			};
		}
		case "opencode": {
			const tail = id.slice(0, 6); // the rest of an id is its time, which gives the order
			const name = `${base.replace(/\.json$/, "")}-${tail}.json`;
			const renamed = text.replaceAll(OPENCODE_ID, `"$1${tail}"`);
			return {
				name,
				text: renamed,
				command: `opencode import ${quoted(folder + name)} && opencode --session ${JSON.parse(renamed).info?.id}`,
			};
		}
		default:
			throw notResumable(format);
	}
}
