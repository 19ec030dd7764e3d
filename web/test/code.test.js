// This file tests in Node the code that the page offers: with hostile settings the program in JavaScript makes what the
// engine makes of them, and the commands quote them. takeaway.test.js runs what a visitor copies, in Go and with curl
// too.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { compact, load } from "../../wasm/npm/index.js";
import { CLIENTS, connection } from "../app/output/clients.js";
import { curl, filesOf, go, javascript } from "../app/output/code.js";
import { anthropic, claudeCode } from "./sessions.js";

const PACKAGE = fileURLToPath(new URL("../../wasm/npm", import.meta.url));
const NASTY = "a'b\"c`d${e}\\ $(f) `g` \u2028 </script>";
const POLICY = { clear: { keepTools: ["grep", NASTY], placeholder: NASTY } };

/** @type {[string, string, string, string][]} */
const SESSIONS = [
	["run.json", "anthropic", JSON.stringify(anthropic(12)), "estimate"],
	["0a1b.jsonl", "claude-code", claudeCode(12), "o200k_base"],
];

for (const [name, format, session, counter] of SESSIONS)
	test(`the program makes of ${name} what the engine makes of it`, async () => {
		const choice = { preset: "prune", policy: POLICY, force: true, focus: NASTY, counter };
		const files = filesOf(name, format);
		const at = mkdtempSync(path.join(tmpdir(), "tamp-code-"));
		try {
			mkdirSync(path.join(at, "node_modules"));
			symlinkSync(PACKAGE, path.join(at, "node_modules/tamp"));
			writeFileSync(path.join(at, files.session), session);
			writeFileSync(path.join(at, "compact.mjs"), javascript(choice, files));
			const { status, stdout, stderr } = spawnSync(process.execPath, ["compact.mjs"], { cwd: at, encoding: "utf8" });
			assert.equal(status, 0, stderr);
			const engine = await load();
			if (counter !== "estimate") engine.loadVocabulary(counter, readFileSync(`${PACKAGE}/vocab/${counter}.bin`));
			let archive = "";
			const save = (/** @type {string} */ jsonl) => {
				archive += jsonl;
			};
			const done = await compact(engine, { conversation: Buffer.from(session), ...choice }, { save });
			assert.equal(stdout, `${done.before} -> ${done.after} tokens\n`);
			assert.ok(done.after < done.before);
			const packed = readFileSync(path.join(at, files.packed));
			assert.equal(packed.toString(), Buffer.from(/** @type {any} */ (done.conversation)).toString());
			assert.equal(readFileSync(path.join(at, files.archive), "utf8"), archive);
		} finally {
			rmSync(at, { recursive: true, force: true });
		}
	});

test("the commands of a shell take every character as it is", () => {
	const choice = { preset: "prune", policy: POLICY, force: false, focus: NASTY, counter: "estimate" };
	const at = mkdtempSync(path.join(tmpdir(), "tamp-code-"));
	try {
		writeFileSync(path.join(at, "curl"), "#!/bin/sh\ncat\n", { mode: 0o700 }); // prints what it would send
		const env = { ...process.env, PATH: `${at}:${process.env.PATH}` };
		for (const [name, format, session] of /** @type {const} */ ([
			["it's $(a) file.json", "anthropic", JSON.stringify(anthropic(2))],
			["log.jsonl", "claude-code", claudeCode(2)],
		])) {
			const files = filesOf(name, format);
			writeFileSync(path.join(at, name), session);
			const script = curl(choice, files, "http://127.0.0.1:9");
			const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: at, env, encoding: "utf8" });
			assert.equal(status, 0, stderr);
			const sent = JSON.parse(readFileSync(path.join(at, files.packed.replace(/\.jsonl?$/, ".answer.json")), "utf8"));
			const { preset, policy, focus } = choice;
			const conversation = files.log ? session : JSON.parse(session);
			assert.deepEqual(sent, { preset, policy, focus, conversation });
		}
		const policy = JSON.stringify({ preset: "prune", ...POLICY });
		const printed = (/** @type {string} */ program, /** @type {string} */ variable) =>
			spawnSync("sh", ["-c", program.replace(/\S+$/, `printenv ${variable}`)], { encoding: "utf8" }).stdout;
		const of = { server: "http://127.0.0.1:9000", policy, token: "a token" };
		const claude = connection("claude", of, true);
		assert.doesNotMatch(claude, /make run/, "no second server");
		assert.match(claude, /^[\x20-\x7e\n]*$/, "a header has only ASCII");
		const headers = printed(claude.trim(), "ANTHROPIC_CUSTOM_HEADERS").split("\n");
		assert.equal(headers[1], "x-tamp-token: a token");
		assert.deepEqual(JSON.parse(headers[0].replace("x-tamp-policy: ", "")), JSON.parse(policy));
		const [start] = connection("qwen", of, false).match(/^GATEWAY_POLICY='.*' make run$/ms) ?? [""];
		assert.deepEqual(JSON.parse(printed(start.replace("make run", "make"), "GATEWAY_POLICY")), JSON.parse(policy));
	} finally {
		rmSync(at, { recursive: true, force: true });
	}
});

test("each client of docs/gateway.md has its commands, with the address of the server", () => {
	const docs = readFileSync(new URL("../../docs/gateway.md", import.meta.url), "utf8");
	const part = docs.slice(docs.indexOf("\n## Clients"), docs.indexOf("\n## Who pays"));
	const named = [...part.matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, name]) => name.replace("'", "’"));
	assert.deepEqual(
		CLIENTS.map(({ title }) => title),
		named,
	);
	const words = (/** @type {string} */ text) => text.split(/[\s`'{},]+/).filter((word) => word.length > 2);
	for (const { name, title } of CLIENTS) {
		const text = connection(name, { server: "B", policy: "", token: "" }, true).replace(/^#.*/m, "");
		assert.match(text, /B\//, title);
		const known = new Set(words(part.replaceAll("\n", " ")));
		for (const word of words(text)) assert.ok(known.has(word), `${title}: ${word} is not in docs/gateway.md`);
		const secured = connection(name, { server: "B", policy: '{"preset":"prune"}', token: "secret" }, true);
		assert.match(secured, /prune/, title);
		assert.match(secured, /secret|sends no token/, title);
	}
});

test("the program in Go is as gofmt writes it", () => {
	for (const counter of ["estimate", "chars4", "o200k_base"])
		for (const choice of [
			{ preset: "prune", policy: POLICY, force: true, focus: NASTY, thinking: /** @type {const} */ ("keep"), counter },
			{ preset: "turns", policy: {}, force: false, focus: "", counter },
		]) {
			const source = go(choice, filesOf("run.json", "anthropic"));
			const { status, stdout, stderr } = spawnSync("gofmt", [], { input: source, encoding: "utf8" });
			assert.deepEqual([status, stdout], [0, source], stderr);
		}
});
