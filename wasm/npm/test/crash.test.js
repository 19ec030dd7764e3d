// This file crashes the engine on purpose. The product cannot be crashed, so the wasm here is the real wasm/main.go
// with a replaced core/wire that panics, exits, and runs out of memory and stack.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { buildOver, fresh } from "./support.js";

const wasm = buildOver(`package wire

import (
	"os"
	"runtime"
	"strconv"
)

var (
	calls int
	hoard [][]byte
)

type tower struct{ below *tower }

func (t *tower) height() int { return 1 + t.below.height() }

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
	case "detect":
		panic("quotes " + string(body))
	case "count":
		var t *tower
		_ = t.below
	case "check":
		round := &tower{}
		round.below = round
		return Answer{Header: []byte(strconv.Itoa(round.height()))}, nil // the end of the stack
	case "inspect":
		for { // the end of the memory
			hoard = append(hoard, make([]byte, 1<<29))
		}
	case "plan":
		os.Exit(3)
	case "archive":
		runtime.Goexit()
	}
	return Answer{Header: []byte(strconv.Itoa(calls))}, nil
}
`);

/** The number of calls that this instance has answered, including this one. @param {unknown} engine */
const calls = (engine) => /** @type {any} */ (engine).presets();

/**
 * Fails if something is printed: the output of a dying Go program could quote a conversation.
 * @param {import("node:test").TestContext} t
 */
function silence(t) {
	const mocks = /** @type {const} */ (["log", "warn", "error"]).map((name) => t.mock.method(console, name, () => {}));
	return () => mocks.reduce((sum, { mock }) => sum + mock.callCount(), 0);
}

test("a panic becomes an error, and the instance continues", async (t) => {
	const printed = silence(t);
	const { load, TampError } = await fresh();
	const engine = await load(readFileSync(wasm));
	const first = calls(engine);
	for (const method of /** @type {const} */ (["detect", "count"])) {
		assert.throws(
			() => engine[method]({ conversation: "my secret" }),
			(error) => {
				assert.ok(error instanceof TampError && error.code === "internal");
				assert.doesNotMatch(error.message, /secret|goroutine|\.go/);
				return true;
			},
		);
	}
	assert.equal(calls(engine), first + 3, "the same instance");
	assert.equal(printed(), 0);
});

test("an instance that dies is replaced by the next call", async (t) => {
	const printed = silence(t);
	const { load } = await fresh();
	const engine = await load(readFileSync(wasm));
	const first = calls(engine);
	for (const method of /** @type {const} */ (["check", "inspect", "plan", "archive"])) {
		assert.throws(
			() => engine[method](/** @type {any} */ ({ conversation: "my secret" })),
			(/** @type {any} */ error) => {
				assert.equal(error.code, "internal", method);
				assert.match(error.message, /^cannot finish/, method);
				return true;
			},
		);
		assert.equal(calls(engine), first - 1, `${method}: a fresh instance`); // one call fewer: the version is not asked again
	}
	assert.equal(printed(), 0);
});

test("in a worker too", async () => {
	const { loadInWorker } = await fresh();
	const engine = await loadInWorker(pathToFileURL(wasm));
	for (const method of /** @type {const} */ (["detect", "check", "plan"])) {
		await assert.rejects(
			engine[method]({ conversation: "my secret" }),
			{ name: "TampError", code: "internal" },
			method,
		);
		assert.ok((await engine.presets()) !== undefined);
	}
	engine.terminate();
});
