// This file runs Tamp for the driver: it reads one request in JSON a line, and writes one answer a line. The requests are
// { op: "compact", messages, target, preset, state }, { op: "count", messages } and { op: "text", text }. All counts are
// those of cl100k_base, the counter of CompactBench.

import { readFile } from "node:fs/promises";
import { compact, load } from "../../wasm/npm/index.js";
import { serve } from "./serve.mjs";

const counter = "cl100k_base";
const format = "openai-chat";
const engine = await load();
engine.loadVocabulary(counter, await readFile(new URL(`../../wasm/npm/vocab/${counter}.bin`, import.meta.url)));
const policies = new Map(engine.presets().map((preset) => [preset.name, preset.policy]));

const count = (messages) => engine.count({ conversation: { messages }, format, counter }).total;

/** A compaction goes down to a share of the window (targetPermille): this is the trigger whose share is the target. */
function triggerOf(preset, target) {
	const permille = policies.get(preset)?.trigger.targetPermille || 0;
	const window = Math.max(1, Math.floor((target * 1000) / (permille || 1000)));
	return { tokens: 0, bufferTokens: 0, window, ...(permille ? {} : { targetPermille: 0 }) };
}

async function shorten({ messages, target, preset = "balanced", state }) {
	const policy = { trigger: triggerOf(preset, target) };
	const input = { conversation: { messages }, format, preset, counter, policy, state, force: true };
	const outcome = await compact(engine, input, { save: "discard", onWarning: () => {} });
	return { messages: outcome.conversation.messages, state: outcome.state };
}

await serve({
	compact: shorten,
	count: ({ messages }) => ({ tokens: count(messages) }),
	text: ({ text }) => ({ tokens: engine.countText(text, counter) }),
	version: () => ({ version: engine.version }),
});
