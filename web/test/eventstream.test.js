// This file tests how the page reads an event stream, however the network cuts it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { messages } from "../app/output/eventStream.js";

const TEXT = [
	": a comment\n\n",
	'event: plan\ndata: {"round":1}\n\n',
	"data: one\ndata:  two\ndata\n\n",
	"id: 7\r\nevent: saved\r\ndata: Grüße: 🗜\r\n\r\n",
	"event: nothing\n\n",
	`event: done\ndata: ${"x".repeat(5000)}\n\n`,
	"event: lost\ndata: no empty line follows\n",
].join("");

const WANT = [
	{ event: "plan", data: '{"round":1}' },
	{ event: "message", data: "one\n two\n" },
	{ event: "saved", data: "Grüße: 🗜" },
	{ event: "done", data: "x".repeat(5000) },
];

/** @param {Uint8Array} bytes @param {number} size @param {() => void} [canceled] */
function cut(bytes, size, canceled) {
	let at = 0;
	return new ReadableStream({
		pull(controller) {
			if (at >= bytes.length) return controller.close();
			controller.enqueue(bytes.slice(at, at + size));
			at += size;
		},
		cancel: canceled,
	});
}

for (const size of [1, 2, 3, 7, 64, 1000, 1 << 20]) {
	test(`a stream in pieces of ${size} bytes`, async () => {
		const got = [];
		for await (const message of messages(cut(new TextEncoder().encode(TEXT), size))) got.push(message);
		assert.deepEqual(got, WANT);
	});
}

test("the stream is closed when its reader stops", async () => {
	let closed = false;
	for await (const { event } of messages(cut(new TextEncoder().encode(TEXT), 10, () => (closed = true)))) {
		assert.equal(event, "plan");
		break;
	}
	assert.ok(closed);
});
