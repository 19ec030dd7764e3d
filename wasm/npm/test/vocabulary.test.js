// This file loads vocabularies and counts exactly with them. tokens.equal.test.js compares the counts with the
// published tokenizers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadInWorker } from "../index.js";
import { anthropic, buildOver, fresh } from "./support.js";

const names = /** @type {const} */ (["o200k_base", "cl100k_base"]);
/** @param {string} name */
const bytesOf = (name) => readFileSync(new URL(`../vocab/${name}.bin`, import.meta.url));
const text = "Hello, world! 敏捷的棕色狐狸 jumps 😀 over 1234567 lazy dogs.\n\n\tfunc main() {}";

test("a counter without its vocabulary throws an error with the solution, and works once it is loaded", async () => {
	const engine = await (await fresh()).load();
	const counts = names.map((name) => {
		const input = { conversation: anthropic(1), counter: name };
		const missing = {
			code: "bad_request",
			path: "/counter",
			message: new RegExp(`cannot count with "${name}": load its vocabulary first`),
		};
		for (const ask of [
			() => engine.countText(text, name),
			() => engine.count(input),
			() => engine.plan(input),
			() => engine.tokens(text, name),
			() => engine.session(input),
		]) {
			assert.throws(ask, missing);
		}
		assert.equal(engine.loadVocabulary(name, bytesOf(name)), undefined);
		assert.equal(engine.count(input).counter, name);
		assert.equal(engine.plan(input).before, engine.count(input).total);
		return engine.countText(text, name);
	});
	assert.equal(engine.countText("Hello, world!", "o200k_base"), 4);
	assert.equal(engine.countText("Hello, world!", "cl100k_base"), 4);
	assert.ok(
		counts.every((n) => n > 15 && n < 60),
		String(counts),
	);
	assert.equal(
		engine.count({ conversation: { model: "gpt-4o", messages: [{ role: "user", content: text }] }, counter: "auto" })
			.counter,
		"o200k_base",
	);
	assert.equal(
		engine.count({
			conversation: { model: "claude-sonnet-4-5", messages: [{ role: "user", content: text }] },
			counter: "auto",
		}).counter,
		"estimate",
	);
});

test("the counter claude, which was removed, is refused with the counters to use", async () => {
	const engine = await (await fresh()).load();
	const unknown = {
		code: "bad_request",
		path: "/counter",
		message: /^cannot count with "claude": unknown counter; use estimate or auto/,
	};
	assert.throws(() => engine.countText(text, "claude"), unknown);
	assert.throws(() => engine.count({ conversation: anthropic(1), counter: "claude" }), unknown);
	assert.throws(() => engine.loadVocabulary("claude", bytesOf("cl100k_base")), {
		code: "bad_request",
		path: "/name",
		message: /unknown vocabulary; use o200k_base, cl100k_base/,
	});
});

test("tokens returns the pieces of a text, and splits no character", async () => {
	const engine = await (await fresh()).load();
	for (const name of names) {
		engine.loadVocabulary(name, bytesOf(name));
		for (const given of [text, "", "👩‍👩‍👧".repeat(20), "\ud83d lone", "é\u0301".repeat(9), "ﬁ ① ｶﾞ"]) {
			const { ends, ids } = engine.tokens(given, name);
			assert.equal(ends.length, ids.length);
			assert.equal(ends.length, engine.countText(given, name), `${name}: ${given}`);
			const pieces = ends.map((end, i) => given.slice(ends[i - 1] ?? 0, end));
			assert.equal(pieces.join(""), given);
			for (const piece of pieces)
				assert.ok(given.includes("lone") || piece.isWellFormed?.() !== false, JSON.stringify(piece));
		}
	}
	assert.deepEqual(engine.tokens("Hello, world!", "o200k_base"), { ends: [5, 6, 12, 13], ids: [13225, 11, 2375, 0] });
	assert.deepEqual(engine.tokens(new TextEncoder().encode("Hello, world!"), "o200k_base").ends, [5, 6, 12, 13]);
	assert.throws(() => engine.tokens(text, "estimate"), {
		code: "bad_request",
		path: "/counter",
		message: /it has no tokens/,
	});
	assert.throws(() => engine.tokens(/** @type {any} */ (7), "cl100k_base"), {
		code: "bad_request",
		message: /cannot split text/,
	});
});

test("bytes that are not the named vocabulary are refused, and change nothing", async () => {
	const engine = await (await fresh()).load();
	engine.loadVocabulary("cl100k_base", bytesOf("cl100k_base"));
	const n = engine.countText(text, "cl100k_base");
	const altered = new Uint8Array(bytesOf("cl100k_base"));
	altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1;
	for (const bytes of [
		new Uint8Array(),
		new Uint8Array(100),
		bytesOf("cl100k_base").subarray(0, 5000),
		altered,
		bytesOf("o200k_base"),
	]) {
		assert.throws(() => engine.loadVocabulary("cl100k_base", bytes), {
			name: "TampError",
			code: "bad_request",
			message: /^cannot load vocabulary/,
		});
	}
	assert.throws(() => engine.loadVocabulary("gpt2", bytesOf("cl100k_base")), { code: "bad_request", path: "/name" });
	for (const wrong of ["text", null, undefined, 7])
		assert.throws(() => engine.loadVocabulary("cl100k_base", /** @type {any} */ (wrong)), { code: "bad_request" });
	assert.equal(engine.countText(text, "cl100k_base"), n);
});

test("in a worker, also with transferred memory", async () => {
	const remote = await loadInWorker();
	after(() => remote.terminate());
	await assert.rejects(remote.countText(text, "cl100k_base"), { code: "bad_request" });
	const bytes = new Uint8Array(bytesOf("cl100k_base"));
	await remote.loadVocabulary("cl100k_base", bytes, { transfer: true });
	assert.equal(bytes.length, 0);
	const engine = await (await fresh()).load();
	engine.loadVocabulary("cl100k_base", bytesOf("cl100k_base"));
	assert.equal(await remote.countText(text, "cl100k_base"), engine.countText(text, "cl100k_base"));
	assert.deepEqual(await remote.tokens(text, "cl100k_base"), engine.tokens(text, "cl100k_base"));
	assert.deepEqual(
		await remote.count({ conversation: anthropic(), counter: "cl100k_base" }),
		engine.count({ conversation: anthropic(), counter: "cl100k_base" }),
	);
});

test("an engine that restarts after a crash still has its vocabularies", async () => {
	// The product cannot be crashed: this is wasm/main.go with a replaced core/wire that dies on request.
	const wasm = buildOver(`package wire

import (
	"os"
	"strconv"
	"strings"
)

type Engine struct {
	Progress func(done, of int) bool
	Text     func([]byte) string
	loaded   []string
}

type Answer struct {
	Header, Body []byte
	Reusable     bool
}

func EncodeError(err error) []byte { return []byte(err.Error()) }

func (d *Engine) Do(op string, header, body []byte) (Answer, error) {
	switch op {
	case "loadVocabulary":
		if len(body) == 0 {
			return Answer{Header: []byte("{\\"error\\":{\\"code\\":\\"bad_request\\",\\"message\\":\\"empty\\"}}")}, nil
		}
		d.loaded = append(d.loaded, string(header)+" ", d.Text(body))
		return Answer{Header: []byte("{}")}, nil
	case "presets":
		return Answer{Header: []byte(strconv.Quote(strings.Join(d.loaded, "")))}, nil
	case "detect":
		os.Exit(3)
	}
	return Answer{Header: []byte("1")}, nil
}
`);
	const engine = await (await fresh()).load(pathToFileURL(wasm));
	const given = new TextEncoder().encode("first");
	engine.loadVocabulary("cl100k_base", given);
	assert.throws(() => engine.loadVocabulary("o200k_base", new Uint8Array()), { code: "bad_request" });
	given.fill(0); // the engine has its own copy
	assert.equal(engine.presets(), '{"name":"cl100k_base"} first');
	assert.throws(() => engine.detect({ conversation: [] }), { code: "internal" });
	assert.equal(engine.presets(), '{"name":"cl100k_base"} first');
});
