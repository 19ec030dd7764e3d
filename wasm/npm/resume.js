// This file writes a compacted session next to the log of an agent, as a session of its own, so that the agent can resume
// it. The original stays as it is. No host of a browser uses it.

import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";

/** @typedef {{file: string, text: string, command: string}} Resumed file: where the text goes; command: resumes it */

const SESSION = /"sessionId":"([^"\\]+)"/;
const OPENCODE_ID = /"((?:ses|msg|prt)_[0-9A-Za-z]{14,})([0-9A-Za-z]{6})"/g;

/**
 * The compacted session with an id of its own, since two files with the same id are one session for the agent.
 * @param {string} format
 * @param {string} file of the log
 * @param {string} text of the compacted log
 * @returns {Resumed}
 */
export function resumable(format, file, text) {
	const folder = path.dirname(path.resolve(file));
	const id = randomUUID();
	const quoted = (/** @type {string} */ word) => `'${word.replaceAll("'", "'\\''")}'`;
	switch (format) {
		case "claude-code": {
			const old = SESSION.exec(text)?.[1] ?? path.basename(file, ".jsonl");
			const cwd = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
			return {
				file: path.join(folder, `${id}.jsonl`),
				text: text.replaceAll(`"sessionId":${JSON.stringify(old)}`, `"sessionId":"${id}"`),
				command: `${cwd ? `cd ${quoted(JSON.parse(cwd))} && ` : ""}claude --resume ${id}`,
			};
		}
		case "codex": {
			const [head = ""] = text.split("\n", 1);
			const old = JSON.parse(head).payload?.id;
			if (typeof old !== "string")
				throw new Error("cannot resume: the log does not begin with session_meta and its id");
			const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
			return {
				file: path.join(folder, `rollout-${stamp}-${id}.jsonl`),
				text: head.replaceAll(JSON.stringify(old), `"${id}"`) + text.slice(head.length),
				command: `codex resume ${id}`,
			};
		}
		case "pi": {
			const [head = ""] = text.split("\n", 1);
			const out = path.join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, "-")}_${id}.jsonl`);
			return {
				file: out,
				text: JSON.stringify({ ...JSON.parse(head), id }) + text.slice(head.length),
				command: `pi --session ${quoted(out)}`,
			};
		}
		case "opencode": {
			const tail = randomBytes(3).toString("hex"); // the rest of an id is its time, which gives the order
			const out = path.join(folder, `${path.basename(file, ".json")}-${tail}.json`);
			const renamed = text.replaceAll(OPENCODE_ID, `"$1${tail}"`);
			return {
				file: out,
				text: renamed,
				command: `opencode import ${quoted(out)} && opencode --session ${JSON.parse(renamed).info?.id}`,
			};
		}
		default:
			throw new Error(
				`cannot resume: a session of ${format} is resumed by the program that keeps it; the logs of Claude Code, Codex and pi and the export of opencode can be resumed`,
			);
	}
}
