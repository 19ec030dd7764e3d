// This file has the small conversations of the tests, and functions to get a second engine.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A conversation in the Anthropic format: `rounds` tool calls, each with a result of about 1,000 tokens. */
export function anthropic(rounds = 6) {
	/** @type {any[]} */
	const messages = [{ role: "user", content: "Find the bug." }];
	for (let i = 0; i < rounds; i++) {
		messages.push(
			{
				role: "assistant",
				content: [{ type: "tool_use", id: `t${i}`, name: "search", input: { pattern: `word ${i}` } }],
			},
			{
				role: "user",
				content: [{ type: "tool_result", tool_use_id: `t${i}`, content: `line ${i} of the output\n`.repeat(200) }],
			},
		);
	}
	messages.push({ role: "assistant", content: [{ type: "text", text: "It is in line 3." }] });
	return messages;
}

/** The same conversation as a Chat Completions request body. */
export function openai(rounds = 6) {
	/** @type {any[]} */
	const messages = [
		{ role: "system", content: "You help." },
		{ role: "user", content: "Find the bug." },
	];
	for (let i = 0; i < rounds; i++) {
		const call = { id: `c${i}`, type: "function", function: { name: "search", arguments: `{"pattern":"word ${i}"}` } };
		messages.push(
			{ role: "assistant", content: null, tool_calls: [call] },
			{ role: "tool", tool_call_id: `c${i}`, content: `line ${i} of the output\n`.repeat(200) },
		);
	}
	return { model: "some-model", temperature: 0.5, messages };
}

/** The same conversation as a session log: one object a line. */
export function log(rounds = 6) {
	const lines = anthropic(rounds).map((message, i) => ({
		parentUuid: i === 0 ? null : `u${i - 1}`,
		isSidechain: false,
		type: message.role,
		uuid: `u${i}`,
		timestamp: new Date(Date.UTC(2026, 0, 1, 12, 0, i)).toISOString(),
		sessionId: "s",
		message: message.role === "assistant" ? { id: `m${i}`, type: "message", model: "some-model", ...message } : message,
	}));
	return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

let copies = 0;

/**
 * Another copy of the package, whose load has not been called.
 * @returns {Promise<typeof import("../index.js")>}
 */
export function fresh() {
	const copy = `../index.js?copy=${++copies}`;
	return import(copy);
}

/**
 * Builds wasm/main.go with a replaced core/wire, outside the repository, and returns the path of the wasm.
 * @param {string} source Go code of package wire
 */
export function buildOver(source) {
	const dir = mkdtempSync(path.join(tmpdir(), "tamp-"));
	process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
	writeFileSync(path.join(dir, "wire.go"), source);
	/** @type {Record<string, string>} */
	const replace = { [path.join(root, "core/wire/standin.go")]: path.join(dir, "wire.go") };
	for (const name of readdirSync(path.join(root, "core/wire"))) {
		if (name.endsWith(".go")) replace[path.join(root, "core/wire", name)] = ""; // removed in the overlay
	}
	writeFileSync(path.join(dir, "overlay.json"), JSON.stringify({ Replace: replace }));
	const wasm = path.join(dir, "standin.wasm");
	const built = spawnSync("go", ["build", "-overlay", path.join(dir, "overlay.json"), "-o", wasm, "./wasm"], {
		cwd: root,
		env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
		encoding: "utf8",
	});
	if (built.status !== 0) throw new Error(`cannot build the stand-in: ${built.error ?? built.stderr}`);
	return wasm;
}
