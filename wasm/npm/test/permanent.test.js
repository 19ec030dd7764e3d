// This file checks failures of summaries as the vendors' clients throw them: permanent ones end compact(), others
// become answers.

import assert from "node:assert/strict";
import http from "node:http";
import { after, test } from "node:test";
import Anthropic from "../../../web/node_modules/@anthropic-ai/sdk/index.mjs";
import OpenAI from "../../../web/node_modules/openai/index.mjs";
import { compact, load, TampError } from "../index.js";

const engine = await load();
const KEY = "sk-secret";

/** Questions and long answers, in four regions. */
function chunks() {
	/** @type {any[]} */
	const conversation = [];
	for (let i = 0; i < 20; i++) {
		conversation.push(
			{ role: "user", content: `Look at part ${i}.` },
			{ role: "assistant", content: `I read part ${i}: it returns early. `.repeat(20) },
		);
	}
	return {
		conversation,
		preset: "hierarchical",
		force: true,
		policy: { summary: { chunkMessages: 8, maxTokens: 200, mergeTokens: 150 }, trigger: { window: 4000 } },
	};
}

/** A provider whose response depends on the path: a status, or "drop". */
const server = http.createServer((request, response) => {
	const [, how] = request.url?.split("/") ?? [];
	request.resume().on("end", () => {
		if (how === "drop") return void request.socket.destroy();
		const code = how === "429q" ? "insufficient_quota" : "some_error";
		response.writeHead(Number.parseInt(how ?? "500", 10), { "content-type": "application/json" });
		response.end(JSON.stringify({ type: "error", error: { type: code, code, message: "no" } }));
	});
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
after(() => {
	server.close();
	server.closeAllConnections();
});
const url = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;

/** @type {Record<string, (how: string, key?: string) => Promise<string>>} a request with each client */
const clients = {
	anthropic: async (how, key = KEY) => {
		const client = new Anthropic({ apiKey: key, baseURL: `${url}/${how}`, maxRetries: 0 });
		return JSON.stringify(
			await client.messages.create({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "x" }] }),
		);
	},
	openai: async (how, key = KEY) => {
		const client = new OpenAI({ apiKey: key, baseURL: `${url}/${how}`, maxRetries: 0 });
		return JSON.stringify(
			await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "x" }] }),
		);
	},
	"a wrapper": (how, key) =>
		/** @type {any} */ (clients).openai(how, key).catch((/** @type {unknown} */ cause) => {
			throw new Error("cannot summarize", { cause });
		}),
};

/** @param {string} how */
async function run(how, ask = clients.openai, key = KEY) {
	let calls = 0;
	/** @type {string[]} */
	const steps = [];
	const input = chunks();
	try {
		const outcome = await compact(engine, input, {
			save: "discard",
			onWarning: () => {},
			concurrency: 1,
			summarize: () => {
				calls++;
				return /** @type {NonNullable<typeof ask>} */ (ask)(how, key);
			},
			onProgress: ({ type }) => void steps.push(type),
		});
		return { outcome, calls, steps };
	} catch (thrown) {
		assert.deepEqual(input, chunks(), "nothing was changed");
		return { thrown: /** @type {any} */ (thrown), calls, steps };
	}
}

for (const [name, ask] of Object.entries(clients)) {
	test(`${name}: a permanent failure is thrown by compact, and nothing is dropped`, async () => {
		for (const how of ["400", "401", "402", "403", "404", "413", "422", ...(name === "anthropic" ? [] : ["429q"])]) {
			const { thrown, calls, steps } = await run(how, ask);
			assert.equal((thrown?.cause ?? thrown)?.status, Number.parseInt(how, 10), how);
			assert.equal(calls, 1, "no further request");
			assert.deepEqual(steps, ["plan"]);
		}
	});
	test(`${name}: a temporary failure is a failed answer`, async () => {
		for (const how of ["408", "409", "425", "429", "500", "502", "503", "529", "drop"]) {
			const { outcome, thrown } = await run(how, ask);
			assert.equal(thrown, undefined, how);
			assert.equal(outcome?.actions.filter(({ kind }) => kind === "failed").length, 4, how);
			assert.ok(!outcome?.actions.some(({ kind }) => kind === "truncate"), "the built-in summary stands in");
			assert.ok(outcome?.warnings?.some(({ code }) => code === "summary_failed"));
		}
	});
	test(`${name}: a key that cannot be sent in a header gives an error that does not quote it`, async () => {
		for (const key of [`${KEY}\n2`, `${KEY}\u20ac`]) {
			const { thrown, calls } = await run("200", ask, key);
			assert.ok(thrown instanceof TampError, String(thrown));
			assert.equal(thrown.code, "bad_request");
			assert.doesNotMatch(`${thrown.message} ${thrown.cause}`, /secret/);
			assert.equal(calls, 1);
		}
	});
}

test("the error of node:http for a bad header is not an answer", async () => {
	const ask = () =>
		new Promise((_, reject) => {
			try {
				http.request(url, { headers: { "x-api-key": `${KEY}\n` } });
			} catch (thrown) {
				reject(thrown);
			}
		});
	assert.equal((await run("", /** @type {any} */ (ask))).thrown.code, "bad_request");
});

test("statuses in other properties, and errors without a status", async () => {
	/** @type {[any, boolean][]} */
	const rows = [
		[{ statusCode: 401 }, true],
		[{ statusCode: 503 }, false],
		[{ lastError: { statusCode: 404 } }, true],
		[{ cause: { cause: { status: 403 } } }, true],
		[new TampError("bad_request", "", "cannot ask"), true],
		[{ status: "401" }, false],
		[{ status: 0 }, false],
		[{ status: 302 }, true],
		[{ status: 200 }, false],
		[{ status: 500, cause: { status: 401 } }, false],
		[null, false],
		["401", false],
		[new TypeError("fetch failed"), false],
		[new TypeError("Failed to fetch"), false],
		[new TypeError("broken", { cause: new Error("reset") }), false],
		[new TypeError("x is not a function"), true],
		[new TypeError("Cannot read properties of undefined (reading 'text')"), true],
		[new ReferenceError("model is not defined"), true],
	];
	for (const [value, permanent] of rows) {
		const { thrown, outcome } = await run("", () => Promise.reject(value));
		assert.equal(thrown === value, permanent, JSON.stringify(value));
		assert.equal(outcome === undefined, permanent, JSON.stringify(value));
	}
	/** @type {any} */
	const circle = {};
	circle.cause = circle;
	assert.ok((await run("", () => Promise.reject(circle))).outcome, "it ends");
});

test("after a permanent failure open answers are not reported", async () => {
	/** @type {string[]} */
	const steps = [];
	/** @type {() => void} */
	let late = () => {};
	let calls = 0;
	await assert.rejects(
		compact(engine, chunks(), {
			save: "discard",
			onWarning: () => {},
			concurrency: 2,
			summarize: () =>
				++calls === 1
					? new Promise((resolve) => (late = () => resolve("late")))
					: Promise.reject(Object.assign(new Error("no"), { status: 401 })),
			onProgress: ({ type }) => void steps.push(type),
		}),
		{ status: 401 },
	);
	late();
	await new Promise((resolve) => setImmediate(resolve));
	assert.deepEqual(steps, ["plan"]);
});
