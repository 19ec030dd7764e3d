// This file tests the counter of the page: each one counts what the engine counts in Node, its vocabulary comes when it
// is wanted, tokens are shown one by one, and the size follows the keys.
//
// Measures: the time to the next frame.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { calibrated } from "../app/engine/calibrated.js";
import { poorContrast } from "./contrast.js";
import { measure } from "./measure.js";
import { journey, test } from "./journeys.js";
import { choose, eventually, inThemes, openExample, overflow, settled, startPage, value, visit } from "./page.js";
import { traced } from "./quick.js";
import { anthropic, openai } from "./sessions.js";
import { compact, load } from "../../wasm/npm/index.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const EXACT = ["o200k_base", "cl100k_base"];
const RULES = ["estimate", "chars4", "chars3", "cjk"];
const bytesOf = (/** @type {string} */ path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)));
const vocabulary = (/** @type {string} */ name) => bytesOf(`../../wasm/npm/vocab/${name}.bin`);
const engine = await load();
for (const name of EXACT) engine.loadVocabulary(name, vocabulary(name));

const TEXT =
	"Das Grüne: 👩‍👩‍👧 isst ein größeres Stück, 中文也行, naïve café — and\ttabs\n\n\n  indented “words” 𝒳 e\u0301.\n";

/** @param {Page} page @param {string} name until the page counts with it */
async function count(page, name) {
	await page.getByRole("combobox", { name: "Counted with" }).selectOption(name);
	await page
		.getByTestId("counter-says")
		.filter({ hasText: EXACT.includes(name) ? /^(?!here)/ : /./ })
		.waitFor();
	await settled(page);
}

/** @param {Page} page @param {number} row to select */
async function take(page, row) {
	await page.locator("#list").focus();
	await page.keyboard.press("Home");
	for (let i = 0; i < row; i++) await page.keyboard.press("ArrowDown");
}

/** The drawn tokens, as pieces of text. @param {Page} page */
async function pieces(page) {
	const drawn = await page.waitForFunction(() => {
		const root = document.querySelector("[data-testid=tokens][aria-busy=false]");
		if (!root?.querySelector(".token")) return null;
		return {
			parts: [...root.querySelectorAll(".token-part")].map((part) => part.textContent),
			count: [...root.querySelectorAll(".token")].reduce(
				(sum, piece) => sum + Number(/** @type {HTMLElement} */ (piece).dataset.tokens ?? 1),
				0,
			),
			sums: document.querySelector(".token-sums")?.textContent ?? "",
		};
	});
	return /** @type {{parts: string[], count: number, sums: string}} */ (await drawn.jsonValue());
}

test("with each counter the page shows the numbers of the engine in Node, before, after and block by block", () =>
	visit(
		async (page) => {
			const conversation = bytesOf("../examples/bughunt.jsonl");
			await openExample(page);
			for (const counter of [...EXACT, ...RULES, "auto"]) {
				await count(page, counter);
				const input = { conversation, preset: "prune", force: true, counter };
				const raw = engine.inspect(input);
				const expected = ["auto", "estimate"].includes(counter) ? calibrated(raw) : raw;
				assert.equal(expected.counter, counter === "auto" ? "estimate" : counter);
				await page.waitForFunction(
					(n) => Number(document.getElementById("before")?.dataset.value) === n,
					expected.before,
				);
				await settled(page);
				const packed = (await compact(engine, input, { save: "discard" })).after;
				const saved = ["auto", "estimate"].includes(counter) ? calibrated({ ...raw, after: packed }).after : packed;
				assert.equal(await value(page, "after"), saved, counter);
				for (const { path, tokens } of expected.messages.slice(0, 4).flatMap((m) => m.blocks)) {
					const says = (await page.locator(`#list [data-path="${path}"] .hidden`).textContent()) ?? "";
					assert.match(says, new RegExp(`, ${tokens.toLocaleString("en-US")} tokens?,`), path);
				}
				assert.ok(
					((await page.getByTestId("counter-says").textContent()) ?? "").includes(raw.before.toLocaleString("en-US")),
				);
			}
		},
		{ hash: "#preset=prune&force=true" },
	));

test("the range is said, exact is said, and what the API itself counted", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(openai(6)));
		await settled(page);
		const says = page.getByTestId("counter-says");
		const { total, low, high } = engine.count({ conversation: JSON.stringify(openai(6)) });
		assert.ok(low < total && total < high);
		assert.match((await says.textContent()) ?? "", /^for gpt-4o: [\d,]+ tokens, between [\d,]+ and [\d,]+$/);
		assert.ok(await page.getByTestId("counter-api").isHidden(), "this session has no usage");
		await count(page, "o200k_base");
		await says.getByText("for gpt-4o: exactly").waitFor();
		await count(page, "cl100k_base");
		await says.getByText(/between/).waitFor();
		await openExample(page);
		await count(page, "estimate");
		const { usage } = engine.count({ conversation: bytesOf("../examples/bughunt.jsonl") });
		assert.ok(usage);
		const api = page.getByTestId("counter-api");
		await api.getByText(`counted ${(usage.factor / 1000).toFixed(2)} × what we count`).waitFor();
		assert.ok(((await api.textContent()) ?? "").includes(`${usage.total.toLocaleString("en-US")} tokens`));
	}));

test("the model's own counter is that of the engine, for every family of models", () =>
	visit(
		async (page) => {
			for (const model of [
				"claude-opus-4-5",
				"claude-opus-5",
				"gpt-4o",
				"gpt-4-turbo",
				"gpt-5",
				"gemini-2.5-pro",
				"deepseek-chat",
				"not-a-model",
			]) {
				const body = JSON.stringify({ model, messages: [{ role: "user", content: TEXT }] });
				await choose(page, body);
				await settled(page);
				const expected = engine.count({ conversation: body, counter: "auto" });
				await page.waitForFunction(
					(n) => Number(document.getElementById("before")?.dataset.value) === n,
					expected.total,
				);
				await page
					.getByTestId("counter-says")
					.filter({ hasText: `here ${expected.counter === "estimate" ? "the estimate" : expected.counter}` })
					.waitFor();
			}
		},
		{ hash: "#preset=prune&counter=auto" },
	));

journey("a vocabulary is fetched when it is wanted, once, with progress, and another choice ends it", () =>
	visit(async (page) => {
		/** @type {string[]} */
		const asked = [];
		let open = () => {};
		const gate = new Promise((resolve) => (open = () => resolve(null)));
		await page.route("**/npm/vocab/*.bin", async (route) => {
			asked.push(/(\w+)\.bin/.exec(route.request().url())?.[1] ?? "");
			if (asked.at(-1) === "o200k_base" && asked.length === 1) await gate;
			await route.continue().catch(() => {}); // the page canceled its request
		});
		await choose(page, JSON.stringify(openai(6)));
		await settled(page);
		const before = await value(page, "before");
		assert.deepEqual(asked, [], "no vocabulary was requested");
		const select = page.getByRole("combobox", { name: "Counted with" });
		await select.selectOption("o200k_base");
		const state = page.getByTestId("counter-state");
		await state.getByText("Loading o200k_base").waitFor();
		await state.getByRole("progressbar").waitFor();
		assert.equal(await value(page, "before"), before, "until it is here the count stays");
		await count(page, "cl100k_base");
		open();
		await state.waitFor({ state: "hidden" });
		assert.deepEqual(asked, ["o200k_base", "cl100k_base"]);
		await count(page, "o200k_base");
		await page.getByTestId("counter-says").getByText("exactly").waitFor();
		await count(page, "cl100k_base");
		await count(page, "o200k_base");
		assert.deepEqual(asked, ["o200k_base", "cl100k_base", "o200k_base"], "a loaded vocabulary is not fetched again");
		assert.equal(await page.evaluate(() => location.hash), "#preset=harness&counter=o200k_base");
		await count(page, "estimate");
		assert.equal(await page.evaluate(() => location.hash), "#preset=harness");
		await page.getByRole("button", { name: "Undo" }).click();
		await page.getByTestId("counter-says").getByText("exactly").waitFor();
		assert.equal(await select.inputValue(), "o200k_base");
	}),
);

test("the progress of a download is shown in bytes", () =>
	visit(async (page) => {
		/** @type {string[]} */
		const seen = [];
		await page.exposeFunction("tamp_seen", (/** @type {string} */ text) => seen.push(text));
		await page.evaluate(() => {
			const state = document.querySelector("[data-testid=counter-state]");
			if (state)
				new MutationObserver(() => /** @type {any} */ (globalThis).tamp_seen(state.textContent)).observe(state, {
					childList: true,
					subtree: true,
					characterData: true,
				});
		});
		await choose(page, JSON.stringify(openai(2)));
		await settled(page);
		await count(page, "o200k_base");
		await page.getByTestId("counter-says").getByText("exactly").waitFor();
		assert.ok(
			seen.some((text) => /^Loading o200k_base, [\d.]+ (kB|MB) of 1\.6 MB…$/.test(text)),
			seen.slice(0, 5).join(),
		);
	}));

test("a vocabulary that does not come says so, and comes when it is asked for again", () =>
	visit(
		async (page) => {
			const ways = [
				(/** @type {import("playwright-core").Route} */ r) => r.abort(),
				(/** @type {import("playwright-core").Route} */ r) => r.fulfill({ status: 503 }),
				(/** @type {import("playwright-core").Route} */ r) =>
					r.fulfill({ body: vocabulary("o200k_base").subarray(0, 70_000) }),
				(/** @type {import("playwright-core").Route} */ r) => r.fulfill({ body: vocabulary("cl100k_base") }),
			];
			const says = [
				/server cannot be reached/,
				/server answered 503/,
				/the file should have [\d]+ bytes, it has 70000/,
				/these are the bytes of cl100k_base/,
			];
			let n = 0;
			await page.route("**/npm/vocab/*.bin", (route) => (ways[n] ? ways[n](route) : route.continue()));
			await choose(page, JSON.stringify(openai(6)));
			await settled(page);
			const before = await value(page, "before");
			const state = page.getByTestId("counter-state");
			await page.getByRole("combobox", { name: "Counted with" }).selectOption("o200k_base");
			for (; n < ways.length; ) {
				await state.getByText(says[n]).waitFor();
				await settled(page);
				assert.equal(await value(page, "before"), before, "the count stays");
				n++;
				await state.getByRole("button", { name: "Try again" }).click();
			}
			await page.getByTestId("counter-says").getByText("exactly").waitFor();
			assert.ok(await state.isHidden());
		},
		{ violates: true },
	)); // the browser notes each failed request as an error

test("tokens one by one: joined again they are the text, and as many as the engine counts", () =>
	visit(async (page) => {
		const body = openai(3);
		body.messages[1].content = TEXT;
		body.messages.push({ role: "user", content: [{ type: "text", text: "two parts" }] });
		await choose(page, JSON.stringify(body));
		await settled(page);
		await page.getByRole("switch", { name: "Show tokens" }).check();
		await page
			.getByTestId("token-offer")
			.getByRole("button", { name: /o200k_base/ })
			.click();
		for (const counter of EXACT) {
			await count(page, counter);
			await take(page, 1);
			const { ids } = engine.tokens(TEXT, counter);
			await eventually(async () => {
				const { parts, count: drawn, sums } = await pieces(page);
				assert.ok(sums.startsWith(`${ids.length} tokens of ${counter}`), sums);
				assert.deepEqual(parts, [TEXT], counter);
				assert.equal(drawn, ids.length);
			});
		}
		await count(page, "o200k_base");
		// A call counts its name and its input, a result its content; the sum is the engine's count without the message
		// overhead.
		const inspection = engine.inspect({ conversation: JSON.stringify(body), counter: "o200k_base" });
		const blocks = [...inspection.system, ...inspection.messages.flatMap((m) => m.blocks)];
		for (const row of [2, 3, blocks.length - 1]) {
			await take(page, row);
			const frame = /^tool_/.test(blocks[row].kind) ? 8 : 0;
			await eventually(async () => {
				const { parts, count: drawn } = await pieces(page);
				assert.equal(drawn + frame, blocks[row].tokens, parts.join(" | "));
			});
		}
		const tokens = page.getByRole("switch", { name: "Show tokens" });
		await tokens.uncheck();
		await page.locator(".preview-panel .reading").waitFor();
		// A second drawing, before the first has sent its request, does not cancel it.
		await tokens.evaluate((/** @type {HTMLInputElement} */ box) => {
			box.checked = true;
			for (let i = 0; i < 2; i++) box.dispatchEvent(new Event("change"));
		});
		await pieces(page);
	}));

test("hovering and the keyboard name a token's id and bytes", () =>
	visit(
		async (page) => {
			await choose(page, JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello 👩‍👧 x" }] }));
			await settled(page);
			await page.getByRole("switch", { name: "Show tokens" }).focus();
			await page.keyboard.press("Space");
			await page.locator("#list").focus();
			await pieces(page);
			const { ids } = engine.tokens("Hello 👩‍👧 x", "o200k_base");
			const says = page.getByTestId("token-says");
			await page.locator(".token").first().hover();
			await says.getByText(`Token ${ids[0]} · 5 bytes: 48 65 6c 6c 6f`).waitFor();
			assert.equal(
				await page.locator(".token").first().getAttribute("title"),
				`Token ${ids[0]} · 5 bytes: 48 65 6c 6c 6f`,
			);
			await page.mouse.move(0, 0);
			await page.getByTestId("tokens").focus();
			await page.keyboard.press("End");
			await says.getByText(`Token ${ids.at(-1)} ·`).waitFor();
			await page.keyboard.press("Home");
			await page.keyboard.press("ArrowRight");
			await says.getByText(/tokens, ids \d+, \d+/).waitFor();
			assert.ok(
				Number(await page.locator(".token[data-on]").getAttribute("data-tokens")) > 1,
				"a character of several tokens is one piece with a mark",
			);
			await page.keyboard.press("ArrowLeft");
			await says.getByText(`Token ${ids[0]} ·`).waitFor();
		},
		{ hash: "#preset=harness&counter=o200k_base" },
	));

test("of a long text only the tokens near the eye are drawn, and the last one is reached", () =>
	visit(
		async (page) => {
			const body = openai(2);
			const long = Array.from(
				{ length: 12_000 }, // lines of 90 characters
				(_, i) => `line ${i}: func Fold(r rune) rune { return unicode.SimpleFold(r) } // ${"word ".repeat(5)}\n`,
			).join("");
			body.messages[1].content = long;
			await choose(page, JSON.stringify(body));
			await settled(page);
			await take(page, 1);
			const start = Date.now();
			await page.getByRole("switch", { name: "Show tokens" }).check();
			await page.locator("[data-testid=tokens][aria-busy=false] .token").first().waitFor();
			console.log(`${long.length} characters in tokens: drawn after ${Date.now() - start} ms`);
			const { ids } = engine.tokens(long, "o200k_base");
			assert.ok(
				((await page.locator(".token-sums").textContent()) ?? "").startsWith(
					`${ids.length.toLocaleString("en-US")} tokens`,
				),
			);
			assert.ok((await page.locator(".token").count()) < 6000, "only visible chunks are split into tokens");
			assert.equal((await page.getByTestId("tokens").textContent())?.length, long.length);
			await page.getByTestId("tokens").focus();
			await page.keyboard.press("End");
			await page
				.getByTestId("token-says")
				.getByText(`Token ${ids.at(-1)} ·`)
				.waitFor();
			await eventually(async () =>
				assert.ok((await page.locator(".token").count()) < 6000, "chunks that were scrolled past are plain text again"),
			);
		},
		{ hash: "#preset=harness&counter=o200k_base" },
	));

measure("the size of a megabyte follows the keys within 100 ms, and no key waits", () =>
	visit(async (page) => {
		const some = JSON.stringify(anthropic(230, 4000), null, 1);
		assert.ok(some.length > 1_000_000 && some.length < 1_200_000, String(some.length));
		await choose(page, some, "long.json");
		await settled(page);
		await page.getByRole("button", { name: "Edit input" }).click();
		const field = page.getByRole("textbox", { name: "Session as text" });
		const at = some.indexOf("You are a careful engineer.") + 8;
		await field.evaluate((/** @type {HTMLTextAreaElement} */ area, at) => {
			area.focus();
			area.setSelectionRange(at, at);
		}, at);
		await page.evaluate(() => {
			const seen = { paints: /** @type {number[]} */ ([]), keys: /** @type {number[]} */ ([]) };
			Object.assign(globalThis, { seen });
			let since = 0;
			document.getElementById("text")?.addEventListener("input", () => (since ||= performance.now()), true);
			new MutationObserver(() => {
				const from = since;
				since = 0;
				if (from) requestAnimationFrame(() => setTimeout(() => seen.paints.push(performance.now() - from), 0));
			}).observe(document.getElementById("before") ?? document, {
				childList: true,
				characterData: true,
				subtree: true,
			});
			new PerformanceObserver((entries) =>
				seen.keys.push(
					...entries
						.getEntries()
						.filter(({ name }) => name === "keydown")
						.map(({ duration }) => duration),
				),
			).observe(/** @type {any} */ ({ type: "event", durationThreshold: 16 }));
		});
		const before = await value(page, "before");
		const part = (/** @type {number[]} */ list, /** @type {number} */ share) =>
			Math.round([...list].sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 16);
		const ends = await traced(page);
		const letters = [..." exceptionally brave and clever"];
		for (const [i, letter] of letters.entries()) {
			const drawn = await page.evaluate(() => /** @type {any} */ (globalThis).seen.paints.length);
			await page.keyboard.type(letter);
			await page.waitForTimeout(110); // the rhythm of a fast typist
			if (i % 5 === 4) await page.waitForFunction((n) => /** @type {any} */ (globalThis).seen.paints.length > n, drawn);
		}
		const { paints, keys } = await page.evaluate(() => /** @type {any} */ (globalThis).seen);
		const tasks = await ends();
		// Of the tasks of the page for a key, one is long: it handles the key. Of the worker's, the one that counts.
		const own = (/** @type {import("./quick.js").Task[]} */ all) =>
			part(all.map((task) => task.own).slice(0, paints.length), 0.5);
		console.log(
			`1 MB: a key works ${own(tasks.page)} ms on the page's thread, its count ${own(tasks.workers)} ms; by the clock, input to painted count: half ${part(paints, 0.5)}, nine tenths ${part(paints, 0.9)} ms of ${paints.length}; keys: half ${part(keys, 0.5)}, worst ${Math.max(16, ...keys)} ms`,
		);
		assert.ok(own(tasks.page) + own(tasks.workers) < 100, `${own(tasks.page)} and ${own(tasks.workers)} ms`);
		await settled(page);
		assert.ok((await value(page, "before")) > before);
		assert.equal(await value(page, "before"), engine.count({ conversation: await field.inputValue() }).total);
	}),
);

for (const width of [1280, 400]) {
	test(`everything can be read, light and dark, ${width} px`, () =>
		visit(
			async (page) => {
				await openExample(page);
				await page.getByTestId("counter-says").getByText("claude-opus").waitFor();
				await page.getByRole("switch", { name: "Show tokens" }).check();
				await take(page, 8);
				await pieces(page);
				await page.getByTestId("tokens").focus();
				await page.keyboard.press("ArrowRight");
				await inThemes(page, async () => assert.deepEqual(await page.evaluate(poorContrast), []));
				assert.equal(await overflow(page), 0, "nothing is wider than the window");
			},
			{ width, hash: "#preset=harness&counter=o200k_base" },
		));
}
