// This file is an example agent: the official Anthropic SDK, three tools, and all layers of Tamp.
//
// ANTHROPIC_API_KEY=… node agent.mjs FOLDER [TRANSCRIPTS] it reads and writes in FOLDER; enter /compact [focus] to
// compact
//
// The steps around each call of the model, and their reasons:
//
//   1. assemble   results, reminders and the user's text become the next message, in the order that the API requires
//   2. fit        Tamp plans; originals are SAVED; only then the smaller conversation is used
//   3. anchors    breakpoints of the prompt cache are set last, on a copy: the conversation itself has none
//   4. call       the model's message is appended unchanged, with its thinking
//   5. observe    the usage shows how well the cache works, and how large the conversation is

import { createInterface } from "node:readline/promises";
import { pathToFileURL } from "node:url";
import { compact, load } from "tamp";
import { keep, TOOLS, toolsOf } from "./tools.mjs";

/** @typedef {import("@anthropic-ai/sdk").Anthropic} Anthropic */
/** @typedef {import("@anthropic-ai/sdk").Anthropic.MessageStreamParams} Body */
/** @typedef {Pick<import("tamp").Input, "preset" | "policy" | "force" | "focus">} Settings */

/**
 * The data that is kept between calls. It is plain data: to continue later, store JSON.stringify(session).
 * @typedef {object} Session
 * @property {Body} body the whole request, since the system prompt and the tools fill the window too
 * @property {string} state Tamp's state of this body: always store both together
 * @property {import("tamp").AnyUsage} [usage] of the last response; deleted when messages before it change
 * @property {number} [calledAt] time of the last response, in milliseconds
 * @property {string[]} reminders for the next message
 * @property {Settings} [requested] the compaction that the model requested with compact
 */

/** The default policy, and tool outputs over 16 KB keep their head and tail. @type {Settings} */
const SETTINGS = { preset: "balanced", policy: { intake: { maxBytes: 16_000 } } };

const SYSTEM =
	"You are a careful assistant who works on the files of one folder. Look before you change anything, and say what you did.";

/**
 * Answers prompts until there are no more. The host provides everything, so that tests and other front ends can use it.
 * @param {object} host
 * @param {Anthropic} host.client
 * @param {import("tamp").Engine} host.engine
 * @param {AsyncIterable<string> | Iterable<string>} host.prompts
 * @param {string} host.folder where the tools work
 * @param {string} host.transcripts folder of the originals; the tools must not have access, or the model could
 * overwrite them
 * @param {Partial<Body>} [host.params] model, max_tokens, thinking and the like
 * @param {string} [host.summarizer] the model that writes summaries; a small one will do
 * @param {Settings} [host.settings]
 * @param {Session} [host.session] an earlier session to continue
 * @param {(words: string) => void} [host.print] the model's text, as it is streamed
 * @param {(line: string) => void} [host.note] messages about compaction
 * @param {(error: unknown) => void} [host.onError] the conversation stays valid after any error, so it is enough to
 * show most errors
 * @returns {Promise<Session>}
 */
export async function run(host) {
	const {
		client,
		engine,
		prompts,
		settings = SETTINGS,
		summarizer = "claude-haiku-4-5",
		print = () => {},
		note = () => {},
	} = host;
	const {
		onError = (error) => {
			throw error;
		},
	} = host;
	/** @type {Record<string, (input: any) => Promise<string>>} */
	const tools = {
		...(await toolsOf(host.folder, host.transcripts, engine)),
		compact: async ({ focus }) => {
			// the next plan detects this call itself; the request is kept in case the plan cannot act yet
			session.requested = { force: true, ...(typeof focus === "string" && { focus }) };
			return "The conversation is summarized as soon as that can be done.";
		},
	};
	/** @type {any} */
	const definitions = [...TOOLS, ...engine.tools("anthropic")];
	/** @type {Session} */
	const session = host.session ?? {
		body: {
			model: "claude-sonnet-5-5",
			max_tokens: 8192,
			...host.params,
			system: SYSTEM,
			tools: definitions,
			messages: [],
		},
		state: "",
		reminders: [],
	};
	const known = () => ({
		conversation: session.body,
		state: session.state,
		...(session.usage && { usage: session.usage }),
		...(session.calledAt && { idleSec: Math.round((Date.now() - session.calledAt) / 1000) }),
	});

	/** @param {Pick<import("tamp").AssembleParts, "results" | "text">} parts */
	function extend(parts) {
		const injections = session.reminders.map((content) => ({ source: "reminder", content }));
		session.body = /** @type {Body} */ (
			engine.assemble({ conversation: session.body, injections, ...parts }).conversation
		);
		session.reminders = [];
	}

	/**
	 * Runs all layers, since one plan combines them. Layers 0 and 1 truncate large outputs and clear old ones, without a
	 * model; layer 2 requests summaries above the threshold; layer 3 does so on demand, by the user's /compact or the
	 * model's call.
	 * @param {Settings} [requested]
	 */
	async function fit(requested = session.requested) {
		/** @type {string[]} */
		const refs = [];
		const outcome = await compact(
			engine,
			{ ...settings, ...requested, ...known() },
			{
				save: async (jsonl) => void refs.push(await keep(host.transcripts, jsonl)), // an error ends compact, and nothing is changed
				summarize, // a temporary error is a failed answer; a permanent one, such as a wrong key, ends compact, and nothing is changed
			},
		);
		session.state = outcome.state;
		if (!outcome.quality) return; // nothing changed
		session.body = /** @type {Body} */ (outcome.conversation);
		delete session.usage; // it is for the conversation before compaction
		const done = new Set(outcome.actions.map(({ kind }) => kind));
		if (done.has("summarize")) delete session.requested;
		if (done.has("summarize") || done.has("truncate") || done.has("clear_result")) {
			// outputs cut by limit_output contain their refs
			session.reminders.push(
				`Parts of this conversation were cleared or summarized. Their originals: recall ${refs.join(", recall ")}.`,
			);
		}
		note(`${outcome.before} -> ${outcome.after} tokens, originals in ${refs.join(", ")}`);
	}

	/** @type {NonNullable<import("tamp").Host["summarize"]>} */
	async function summarize({ system, user, maxTokens }, signal) {
		const answer = await client.messages.create(
			{ model: summarizer, max_tokens: maxTokens, system, messages: [{ role: "user", content: user }] },
			{ signal },
		);
		if (answer.stop_reason !== "end_turn" && answer.stop_reason !== "max_tokens")
			throw new Error(`no summary: ${answer.stop_reason}`);
		return answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
	}

	async function call() {
		const { conversation, state } = engine.anchors({ ...settings, ...known() });
		session.state = state; // it describes the request, for observe
		const response = await client.messages
			.stream(/** @type {Body} */ (conversation))
			.on("text", print)
			.finalMessage();
		session.calledAt = Date.now();
		const usage = { ...response.usage };
		const { warnings, ...observed } = engine.observe(session.state, usage);
		session.state = observed.state;
		for (const { message } of warnings) note(message);
		if (response.stop_reason === "refusal") throw new Error("the model refuses"); // the message is not kept, so another prompt may follow
		if (response.content.every(({ type }) => type.endsWith("thinking"))) return response; // the API refuses messages without content
		session.body = {
			...session.body,
			messages: [...session.body.messages, { role: "assistant", content: response.content }],
		};
		session.usage = usage;
		return response;
	}

	/** @param {string} words */
	async function turn(words) {
		extend({ text: words });
		for (;;) {
			await fit();
			const response = await call().catch(async (error) => {
				if (!/prompt is too long/i.test(error?.message)) throw error;
				await fit({ force: true }); // counts are estimates, so the API may still refuse
				return call();
			});
			const calls = response.content.filter((block) => block.type === "tool_use");
			if (calls.length === 0) break; // do not check the stop reason: a truncated answer may contain a call, which needs a result
			const results = [];
			for (const { id, name, input } of calls) {
				try {
					if (response.stop_reason === "max_tokens")
						throw new Error("the answer was cut at its limit: take smaller steps");
					const use = Object.hasOwn(tools, name) ? tools[name] : undefined;
					if (!use) throw new Error(`there is no tool ${name}`);
					results.push({ toolUseId: id, content: await use(/** @type {any} */ (input)) });
				} catch (error) {
					results.push({
						toolUseId: id,
						content: error instanceof Error ? error.message : String(error),
						isError: true,
					});
				}
			}
			extend({ results });
		}
		if (session.requested) await fit(); // on models that bind thinking to its prefix, nothing can be summarized before the round ends
		delete session.requested;
	}

	for await (const line of prompts) {
		const [command, focus] = /^\/compact\s*(.*)$/s.exec(line) ?? [];
		try {
			if (command !== undefined) await fit({ force: true, ...(focus && { focus }) });
			else if (line.trim() !== "") await turn(line);
		} catch (error) {
			onError(error);
		}
	}
	return session;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const { default: Anthropic } = await import("@anthropic-ai/sdk"); // it reads ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL itself
	const [folder = ".", transcripts = "transcripts"] = process.argv.slice(2);
	async function* prompts() {
		const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: "\n> " });
		terminal.prompt();
		for await (const line of terminal) {
			yield line;
			terminal.prompt();
		}
	}
	await run({
		client: new Anthropic(),
		engine: await load(),
		prompts: prompts(),
		folder,
		transcripts,
		params: process.env.MODEL ? { model: process.env.MODEL } : {},
		print: (words) => process.stdout.write(words),
		note: (line) => console.error(`[${line}]`),
		onError: (error) => console.error(error instanceof Error ? error.message : error),
	});
}
