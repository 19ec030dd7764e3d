// This file generates the large conversations of the benchmarks. They are the same bytes in every run and on every
// machine.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** @typedef {{ role: string, content: string | any[] }} Message */

/** A deterministic generator of numbers below n. @param {number} seed */
function numbers(seed) {
	let state = seed >>> 0;
	return (/** @type {number} */ n) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * n);
	};
}

const vocabulary = (
	"account answer array before block buffer build bytes cache call channel check client close code config context copy count data default " +
	"delete detail device error event field file filter first format function group handler header index input inside item key label last " +
	"level limit line list local lock log loop main message method model module name network new next node number object offset open option " +
	"order output page parent part path plan point policy port process queue range read record region remote request reset response result " +
	"return root row rule run scan score server session size source span start state status step store stream table target task test text " +
	"thread time token total trace tree type unit update user value vector version view wait window word worker write zone"
).split(" ");

/**
 * A session of an agent: searches, files, logs and builds, with about as many bytes per token as real ones.
 * @param {number} size in bytes, at least
 * @returns {string} a messages array
 */
export function generated(size) {
	const below = numbers(2);
	const word = () => vocabulary[below(vocabulary.length)] ?? "";
	const words = (/** @type {number} */ n) => Array.from({ length: n }, word).join(" ");
	const lines = [
		() =>
			`${word()}/${word()}.go:${below(900)}:\tif err := ${word()}.${word()}(${word()}, ${below(100)}); err != nil {`,
		() =>
			`2026-01-${10 + below(20)}T1${below(10)}:${10 + below(50)}:00Z INFO ${word()}: ${words(6)} id=${below(2 ** 31).toString(16)}`,
		() => `  "${word()}": { "${word()}": ${below(10_000)}, "${word()}": "${words(2)}", "ok": true },`,
		() => `${words(12)}.`,
		() => `--- FAIL: Test_${word()} (0.${below(100)}s)  want ${below(1000)}, got ${below(1000)}`,
	];
	/** @type {string[]} */
	const messages = [JSON.stringify({ role: "user", content: `Please fix ${words(30)}.` })];
	let bytes = 0;
	for (let i = 0; bytes < size; i++) {
		const line = lines[below(lines.length)] ?? word;
		const result = Array.from({ length: 20 + below(150) }, line).join("\n");
		for (const message of [
			{
				role: "assistant",
				content: [
					{ type: "text", text: words(20) },
					{ type: "tool_use", id: `toolu_${i}`, name: "read", input: { path: word() } },
				],
			},
			{ role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${i}`, content: result }] },
		]) {
			const written = JSON.stringify(message);
			messages.push(written);
			bytes += written.length;
		}
	}
	return `[${messages.join(",\n")}]`;
}

/**
 * Concatenated real sessions with unique call IDs; undefined without a corpus.
 * @param {string | undefined} corpus folder with a folder anthropic
 * @param {number} size in bytes, at least
 */
export function recorded(corpus, size) {
	/** @type {string[]} */
	let names;
	try {
		names = readdirSync(path.join(corpus ?? "", "anthropic"))
			.filter((name) => name.endsWith(".json"))
			.sort();
	} catch {
		return undefined;
	}
	/** @type {string[]} */
	const messages = [];
	let bytes = 0;
	for (const [i, name] of names.entries()) {
		const parsed = JSON.parse(readFileSync(path.join(corpus ?? "", "anthropic", name), "utf8"));
		for (const message of parsed.messages ?? parsed) {
			for (const block of Array.isArray(message.content) ? message.content : []) {
				if (block.type === "tool_use") block.id += `_${i}`;
				if (block.type === "tool_result") block.tool_use_id += `_${i}`;
			}
			const written = JSON.stringify(message);
			messages.push(written);
			bytes += Buffer.byteLength(written);
		}
		if (bytes >= size) break;
	}
	return `[${messages.join(",\n")}]`;
}
