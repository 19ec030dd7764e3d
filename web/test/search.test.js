// This file tests the search over the whole session: its counts, its jumps, its marks, and a responsive page with a
// large session.
//
// Measures: long tasks.

import assert from "node:assert/strict";
import { measure, measures } from "./measure.js";
import { journey, test } from "./journeys.js";
import { choose, eventually, settled, startPage, visit } from "./page.js";
import { quick } from "./quick.js";
import { everything, repeating } from "./readable.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage({ measures });

/** @param {Page} page @param {object} session */
async function open(page, session) {
	await choose(page, JSON.stringify(session));
	await settled(page);
}

/** Types into the search as a person does, and waits until all is searched. @param {Page} page @param {string} query */
async function search(page, query) {
	await page.locator("#list").focus();
	await page.keyboard.press("/");
	await page.keyboard.type(query);
	await page.locator("#search:is([data-state=found], [data-state=none])").waitFor();
	await page.waitForFunction(() => !/…/.test(document.getElementById("search-note")?.textContent ?? ""));
}

/** @param {Page} page */
const note = async (page) => (await page.locator("#search-note").textContent()) ?? "";

/** The text that the browser paints as the selected match. @param {Page} page @param {string} name */
const here = (page, name) =>
	page.evaluate((n) => [.../** @type {any} */ (CSS.highlights.get(n) ?? [])].map((range) => range.toString()), name);

journey("a slash goes to the search; matches are counted, in any case and literally, and marked in the list", () =>
	visit(async (page) => {
		await open(page, repeating());
		await search(page, "fail: testfold");
		assert.equal(await note(page), "3 matches in 3 blocks");
		assert.equal(await page.locator("#list .hit").count(), 3);
		assert.equal(await page.locator("#list .hit mark").first().textContent(), "FAIL: TestFold");
		assert.match((await page.locator("#list .hit .hidden").first().textContent()) ?? "", /1 match$/);
		await page.locator("#search-text").fill("line() {");
		await page.waitForFunction(() =>
			/^200 matches in 5 blocks$/.test(document.getElementById("search-note")?.textContent ?? ""),
		);
		await page.locator("#search-text").fill("no such thing");
		await page.waitForFunction(() => document.getElementById("search-note")?.textContent === "No matches");
		assert.ok(await page.getByRole("button", { name: "Next match" }).isDisabled());
		await page.keyboard.press("Escape");
		assert.equal(await page.locator("#search-text").inputValue(), "");
		await page.keyboard.press("Escape");
		assert.equal(await page.evaluate(() => document.activeElement?.id), "list");
	}),
);

test("Enter, Shift+Enter and F3 go from match to match, round the end; the preview shows each", () =>
	visit(async (page) => {
		await open(page, repeating());
		await search(page, "expected kept");
		const active = () => page.locator("#list [aria-selected=true]").getAttribute("data-path");
		await page.keyboard.press("Enter");
		assert.equal(await note(page), "1 of 90 in 3 blocks");
		const first = await active();
		for (let i = 0; i < 29; i++) await page.keyboard.press("Enter");
		assert.equal(await active(), first);
		await page.keyboard.press("F3");
		assert.equal(await note(page), "31 of 90 in 3 blocks");
		assert.notEqual(await active(), first);
		await page.keyboard.press("Shift+Enter");
		assert.equal(await active(), first);
		await page.waitForFunction(() => /** @type {any} */ (CSS.highlights.get("found-preview-here")?.size ?? 0) === 1);
		assert.deepEqual(await here(page, "found-preview-here"), ["expected kept"]);
		for (let i = 0; i < 30; i++) await page.keyboard.press("Shift+F3");
		assert.equal(await note(page), "90 of 90 in 3 blocks");
		await page.getByRole("button", { name: "Next match" }).click();
		assert.equal(await note(page), "1 of 90 in 3 blocks");
		await page.keyboard.press("Control+f");
		assert.equal(await note(page), "1 of 90 in 3 blocks", "the browser's own search is the browser's");
	}));

test("in the reading view the search goes on: marked, scrolled to, from block to block", () =>
	visit(async (page) => {
		await open(page, repeating());
		await search(page, "expected kept");
		await page.keyboard.press("Enter");
		await page.locator("#list").focus();
		await page.keyboard.press("Enter");
		await page.locator("#reader[open] #search").waitFor();
		await page.waitForFunction(() => /** @type {any} */ (CSS.highlights.get("found")?.size ?? 0) === 30);
		for (let i = 0; i < 29; i++) await page.keyboard.press("F3");
		const seen = () =>
			page.evaluate(() => {
				const [range] = /** @type {any} */ (CSS.highlights.get("found-here"));
				const [box, view] = [
					range.getBoundingClientRect(),
					document.getElementById("reader-body")?.getBoundingClientRect(),
				];
				return { text: range.toString(), inSight: view ? box.top >= view.top && box.bottom <= view.bottom : false };
			});
		await eventually(async () => assert.deepEqual(await seen(), { text: "expected kept", inSight: true }));
		const where = await page.locator("#reader-where").textContent();
		await page.keyboard.press("F3");
		await page.waitForFunction((was) => document.getElementById("reader-where")?.textContent !== was, where);
		assert.equal(await note(page), "31 of 90 in 3 blocks");
		await page.keyboard.press("/");
		await page.keyboard.type("repaired");
		await page.waitForFunction(() => document.getElementById("search-note")?.textContent === "1 match in 1 block");
		await page.keyboard.press("Enter");
		await page.waitForFunction(() => document.getElementById("reader-body")?.textContent === "The parser is repaired.");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Escape");
		assert.ok(await page.locator("#search-place #search").isVisible(), "and comes back with the list");
	}));

test("a match that cannot be seen in set prose or under a fold is shown in plain text", () =>
	visit(async (page) => {
		await open(page, everything());
		await search(page, "the **last** rune");
		await page.keyboard.press("Enter");
		await page.locator("#list").focus();
		await page.keyboard.press("Enter");
		await page.getByText("Shown as plain text, where each match can be seen.").waitFor();
		await page.waitForFunction(() => /** @type {any} */ (CSS.highlights.get("found-here")?.size ?? 0) === 1);
		assert.deepEqual(await here(page, "found-here"), ["the **last** rune"]);
		await page.keyboard.press("/");
		await page.keyboard.press("Control+a");
		await page.keyboard.type("row 249");
		await page.waitForFunction(() => document.getElementById("search-note")?.textContent === "1 match in 1 block");
		await page.keyboard.press("Enter");
		await page.waitForFunction(
			() => [.../** @type {any} */ (CSS.highlights.get("found-here") ?? [])].map(String).join() === "row 249",
		);
	}));

test("a match deep in a long block is shown in the preview with the lines around it", () =>
	visit(async (page) => {
		const session = anthropic(3, 60_000);
		session.messages[4].content[0].content += "\nthe needle\nand what follows";
		await open(page, session);
		await search(page, "needle");
		await page.keyboard.press("Enter");
		await page.waitForFunction(
			() => [.../** @type {any} */ (CSS.highlights.get("found-preview-here") ?? [])].map(String).join() === "needle",
		);
		const reading = page.locator("#details .reading");
		await reading.getByText("and what follows").waitFor();
		await page.keyboard.press("Escape");
		await page.waitForFunction(() =>
			/^result 1: func/.test(document.querySelector("#details .reading")?.textContent ?? ""),
		);
		assert.equal(await reading.getByText("and what follows").count(), 0, "without a search it begins at the beginning");
	}));

test("another session is searched for the same words; the text typed last wins", () =>
	visit(async (page) => {
		await open(page, repeating());
		await search(page, "fold");
		const before = await note(page);
		await open(page, everything());
		await page.waitForFunction(
			(was) =>
				/match/.test(document.getElementById("search-note")?.textContent ?? "") &&
				document.getElementById("search-note")?.textContent !== was,
			before,
		);
		await page.locator("#search-text").focus();
		for (const query of ["a", "e", "picture"]) await page.locator("#search-text").fill(query);
		await page.waitForFunction(() => document.getElementById("search-note")?.textContent === "2 matches in 2 blocks");
		// Answers come in order: after the last one none of an earlier query can follow.
		await page.locator("#search[data-state=found]").waitFor();
		assert.equal(await note(page), "2 matches in 2 blocks");
	}));

measure("10 MB: found, gone through and scrolled without holding the page up", () =>
	visit(async (page) => {
		const session = anthropic(520, 19_500);
		await open(page, session);
		const count = JSON.stringify(session).split("unicode.SimpleFold").length - 1;
		assert.ok(count > 90_000, String(count)); // so the list of matches is far longer than what can be drawn
		const total = count.toLocaleString("en-US");
		const list = page.locator("#list");
		await quick(page, "10 MB, searching", async () => {
			await page.locator("#search-text").fill("");
			await search(page, "unicode.SimpleFold");
			assert.equal(await note(page), `${total} matches in 520 blocks`);
		});
		await quick(page, "10 MB, from match to match", async () => {
			for (let i = 0; i < 20; i++) await page.keyboard.press("Enter");
		});
		assert.match(await note(page), new RegExp(`^\\d+ of ${total} in 520 blocks$`));
		await quick(page, "10 MB, scrolling the list", async () => {
			for (let i = 0; i < 30; i++)
				await list.evaluate((element, at) => {
					element.scrollTop = at * 1000;
					return new Promise((resolve) => requestAnimationFrame(() => resolve(0)));
				}, i);
		});
		await list.focus();
		await page.keyboard.press("Enter");
		await page.locator("#reader[open]").waitFor();
		await quick(page, "10 MB, reading block after block", async () => {
			for (let i = 0; i < 20; i++) await page.keyboard.press("j");
		});
		await quick(page, "10 MB, searching for something else meanwhile", async () => {
			await page.locator("#search-text").fill("e");
			await page.keyboard.type(" readx");
			await page.waitForFunction(() => document.getElementById("search-note")?.textContent === "No matches");
		});
	}),
);
