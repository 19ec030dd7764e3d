// This file tests the release of large instances and of garbage collected sessions. The first part runs the real
// wasm/main.go with a replaced core/wire that allocates as much memory as the test wants; the second part runs the
// engine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import { watched } from "../bench/watched.mjs";
import { buildOver, fresh } from "./support.js";

v8.setFlagsFromString("--expose-gc");
/** @type {() => void} */
const gc = vm.runInNewContext("gc");

const MIB = 2 ** 20;

const wasm = buildOver(`package wire

import (
	"strconv"
	"strings"
)

var (
	calls int
	vocabularies string
	open = map[string]bool{}
	hoard []byte
)

type Engine struct {
	Progress func(done, of int) bool
	Text     func([]byte) string
}

type Answer struct {
	Header, Body []byte
	Reusable     bool
}

func EncodeError(err error) []byte { return []byte(err.Error()) }

func (d *Engine) Do(op string, header, body []byte) (Answer, error) {
	calls++
	switch op {
	case "detect": // so many MiB
		n, _ := strconv.Atoi(string(body))
		hoard = make([]byte, n<<20)
	case "loadVocabulary":
		vocabularies += string(body)
		return Answer{Header: []byte("{}")}, nil
	case "tools":
		return Answer{Header: []byte(strconv.Quote(vocabularies))}, nil
	case "replay":
		d.Progress(1, 2)
	case "session.open":
		if strings.Contains(string(header), "bad") {
			return Answer{Header: []byte("{\\"error\\":{\\"code\\":\\"bad_policy\\",\\"message\\":\\"cannot open\\"}}")}, nil
		}
		open[string(header[strings.Index(string(header), "\\"session\\""):])] = true
	case "session.count":
		return Answer{Header: []byte(strconv.FormatBool(open[string(header[1:])]))}, nil
	case "session.close":
		key := string(header[1:])
		if !open[key] {
			return Answer{Header: []byte("{\\"error\\":{\\"code\\":\\"bad_request\\",\\"message\\":\\"cannot close\\"}}")}, nil
		}
		delete(open, key)
	}
	return Answer{Header: []byte(strconv.Itoa(calls))}, nil
}
`);

async function standIn() {
	const { load } = await fresh();
	const engine = /** @type {any} */ (await load(readFileSync(wasm)));
	engine.presets();
	return {
		engine,
		grow: (/** @type {number} */ mib) => engine.detect({ conversation: String(mib) }),
		/** The number of calls that the instance answered before this one. @returns {number} */
		calls: () => engine.presets() - 1,
	};
}

test("an instance past 512 MiB is released after the call, and a smaller one stays", async () => {
	const { grow, calls } = await standIn();
	grow(400);
	assert.equal(calls(), 3, "the same instance");
	grow(600);
	assert.equal(calls(), 0, "a new instance");
	assert.equal(calls(), 1, "which stays");
});

test("its memory is freed", async () => {
	const { engine, grow } = await standIn();
	engine.loadVocabulary("one", new TextEncoder().encode("one ")); // a view of it would keep the memory alive
	const buffers = () => process.memoryUsage().arrayBuffers / MIB;
	for (let i = 0; i < 4; i++) grow(700);
	for (let i = 0; i < 10 && buffers() > 500; i++) {
		gc();
		await wait(10);
	}
	assert.ok(buffers() < 500, `${buffers()} MiB`); // less than one of the four memories of 700 MiB
});

test("every new instance has the vocabularies", async () => {
	const { engine, grow, calls } = await standIn();
	engine.loadVocabulary("one", new TextEncoder().encode("one "));
	engine.loadVocabulary("two", new TextEncoder().encode("two "));
	for (let i = 0; i < 3; i++) {
		grow(600);
		assert.equal(calls(), 2, "a new instance, which was given the two");
		assert.equal(engine.tools("anthropic"), "one two ");
	}
});

test("an instance with open sessions stays until the last one is closed", async () => {
	const { engine, grow, calls } = await standIn();
	const one = engine.session({ conversation: [] }),
		two = engine.session({ conversation: [] });
	assert.throws(() => engine.session({ conversation: [], preset: "bad" }), { code: "bad_policy" });
	grow(600);
	assert.ok(one.count() && two.count(), "both live");
	one.close();
	assert.throws(() => one.close(), { code: "bad_request" });
	assert.equal(two.count(), true, "closed twice is closed once");
	assert.notEqual(calls(), 0);
	two.close();
	assert.equal(calls(), 0, "a new instance");
	const three = engine.session({ conversation: [] });
	assert.equal(three.count(), true);
	grow(600);
	assert.equal(three.count(), true);
});

test("a progress callback may grow the instance, too", async () => {
	const { engine, grow, calls } = await standIn();
	/** @type {any} */
	let session;
	engine.replay({ conversation: [] }, () => {
		grow(600); // releases the instance that is running
		session = engine.session({ conversation: [] }); // in the next one
	});
	assert.equal(session.count(), true);
	assert.ok(calls() > 0, "which stays");
});

test("in a worker too", async () => {
	const { loadInWorker } = await fresh();
	const engine = /** @type {any} */ (await loadInWorker(pathToFileURL(wasm)));
	await engine.detect({ conversation: "600" });
	assert.equal(await engine.presets(), 1);
	engine.terminate();
});

test("a session that is collected is closed, and its memory is used again", async () => {
	const { engine, memory } = await watched();
	const text = JSON.stringify([{ role: "user", content: "What is said is kept in the engine. ".repeat(60_000) }]); // 2 MB
	for (let i = 0; i < 100; i++) {
		engine.session({ conversation: text });
		if (i % 5 === 4) {
			gc();
			await wait(1);
		}
	}
	// If none were closed, the texts alone would be 200 MiB.
	assert.ok(memory() < 150 * MIB, `${memory() / MIB} MiB for 100 sessions of 2 MB`);
});

test("a session is not collected while one of its methods is referenced", async () => {
	const { engine } = await watched();
	const { count } = engine.session({ conversation: [{ role: "user", content: "Hello" }] });
	for (let i = 0; i < 5; i++) {
		gc();
		await wait(1);
	}
	assert.equal(count().messages.length, 1);
});

test("in a worker a collected session is closed, and one in use is not", async () => {
	const { loadInWorker } = await fresh();
	const engine = await loadInWorker();
	const { count } = await engine.session({ conversation: [{ role: "user", content: "Hello" }] });
	await engine.session({ conversation: [] });
	for (let i = 0; i < 5; i++) {
		gc();
		await wait(5);
	}
	assert.equal((await count()).messages.length, 1);
	engine.terminate();
});
