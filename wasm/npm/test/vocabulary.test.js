// This file loads vocabularies and counts exactly with them. That the counts are those of the published tokenizers is another file's business.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadInWorker } from "../index.js";
import { anthropic, buildOver, fresh } from "./support.js";

const names = /** @type {const} */ (["o200k_base", "cl100k_base", "claude"]);
/** @param {string} name */
const bytesOf = (name) => readFileSync(new URL(`../vocab/${name}.bin`, import.meta.url));
const text = "Hello, world! 敏捷的棕色狐狸 jumps 😀 over 1234567 lazy dogs.\n\n\tfunc main() {}";

test("a counter without its vocabulary says what to do, and counts once it is there", async () => {
  const engine = await (await fresh()).load();
  const counts = names.map((name) => {
    const input = { conversation: anthropic(1), counter: name };
    const missing = { code: "bad_request", path: "/counter", message: new RegExp(`cannot count with "${name}": load its vocabulary first`) };
    for (const ask of [() => engine.countText(text, name), () => engine.count(input), () => engine.plan(input), () => engine.tokens(text, name), () => engine.session(input)]) {
      assert.throws(ask, missing);
    }
    assert.equal(engine.loadVocabulary(name, bytesOf(name)), undefined);
    assert.equal(engine.count(input).counter, name);
    assert.equal(engine.plan(input).before, engine.count(input).total);
    return engine.countText(text, name);
  });
  assert.equal(engine.countText("Hello, world!", "o200k_base"), 4);
  assert.equal(engine.countText("Hello, world!", "cl100k_base"), 4);
  assert.ok(counts.every((n) => n > 15 && n < 60), String(counts));
  assert.equal(engine.count({ conversation: { model: "gpt-4o", messages: [{ role: "user", content: text }] }, counter: "auto" }).counter, "o200k_base");
  assert.equal(engine.count({ conversation: { model: "claude-sonnet-4-5", messages: [{ role: "user", content: text }] }, counter: "auto" }).counter, "claude");
});

test("tokens gives the pieces of a text, none within a character", async () => {
  const engine = await (await fresh()).load();
  for (const name of names) {
    engine.loadVocabulary(name, bytesOf(name));
    for (const given of [text, "", "👩‍👩‍👧".repeat(20), "\ud83d lone", "é\u0301".repeat(9), "ﬁ ① ｶﾞ"]) {
      const { ends, ids } = engine.tokens(given, name);
      assert.equal(ends.length, ids.length);
      assert.equal(ends.length, engine.countText(given, name), `${name}: ${given}`);
      const pieces = ends.map((end, i) => given.slice(ends[i - 1] ?? 0, end));
      assert.equal(pieces.join(""), given);
      for (const piece of pieces) assert.ok(given.includes("lone") || piece.isWellFormed?.() !== false, JSON.stringify(piece));
    }
  }
  assert.deepEqual(engine.tokens("Hello, world!", "o200k_base"), { ends: [5, 6, 12, 13], ids: [13225, 11, 2375, 0] });
  assert.deepEqual(engine.tokens(new TextEncoder().encode("Hello, world!"), "o200k_base").ends, [5, 6, 12, 13]);
  assert.throws(() => engine.tokens(text, "estimate"), { code: "bad_request", path: "/counter", message: /it has no tokens/ });
  assert.throws(() => engine.tokens(/** @type {any} */ (7), "claude"), { code: "bad_request", message: /cannot split text/ });
});

test("bytes that are no vocabulary, or another one, are refused and take nothing away", async () => {
  const engine = await (await fresh()).load();
  engine.loadVocabulary("claude", bytesOf("claude"));
  const n = engine.countText(text, "claude");
  const altered = new Uint8Array(bytesOf("claude"));
  altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1;
  for (const bytes of [new Uint8Array(), new Uint8Array(100), bytesOf("claude").subarray(0, 5000), altered, bytesOf("o200k_base")]) {
    assert.throws(() => engine.loadVocabulary("claude", bytes), { name: "TampError", code: "bad_request", message: /^cannot load vocabulary/ });
  }
  assert.throws(() => engine.loadVocabulary("gpt2", bytesOf("claude")), { code: "bad_request", path: "/name" });
  for (const wrong of ["text", null, undefined, 7]) assert.throws(() => engine.loadVocabulary("claude", /** @type {any} */ (wrong)), { code: "bad_request" });
  assert.equal(engine.countText(text, "claude"), n);
});

test("in a worker it is the same, and memory may be given away", async () => {
  const remote = await loadInWorker();
  after(() => remote.terminate());
  await assert.rejects(remote.countText(text, "claude"), { code: "bad_request" });
  const bytes = new Uint8Array(bytesOf("claude"));
  await remote.loadVocabulary("claude", bytes, { transfer: true });
  assert.equal(bytes.length, 0);
  const engine = await (await fresh()).load();
  engine.loadVocabulary("claude", bytesOf("claude"));
  assert.equal(await remote.countText(text, "claude"), engine.countText(text, "claude"));
  assert.deepEqual(await remote.tokens(text, "claude"), engine.tokens(text, "claude"));
  assert.deepEqual(await remote.count({ conversation: anthropic(), counter: "claude" }), engine.count({ conversation: anthropic(), counter: "claude" }));
});

test("an engine that starts afresh after it died still has its vocabularies", async () => {
  // The product has no way to be broken: this is wasm/main.go over a core/wire that dies when it is asked to.
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
  engine.loadVocabulary("claude", given);
  assert.throws(() => engine.loadVocabulary("o200k_base", new Uint8Array()), { code: "bad_request" });
  given.fill(0); // the engine's copy is its own
  assert.equal(engine.presets(), '{"name":"claude"} first');
  assert.throws(() => engine.detect({ conversation: [] }), { code: "internal" });
  assert.equal(engine.presets(), '{"name":"claude"} first');
});
