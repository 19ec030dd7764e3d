// This file tests reading a block: in the preview and in the reading view, formatted, as source, and with every kind of
// content.
//
// Measures: long tasks.

import assert from "node:assert/strict";
import { measure, measures } from "./measure.js";
import { test } from "./journeys.js";
import { choose, copied, eventually, overflow, settled, startPage, visit } from "./page.js";
import { quick } from "./quick.js";
import { everything } from "./readable.js";

/** @typedef {import("playwright-core").Page} Page */

startPage({ measures });

/** @param {Page} page @param {object} [session] */
async function open(page, session = everything()) {
	await choose(page, JSON.stringify(session));
	await settled(page);
}

/**
 * Opens the reading view on the block at a path, as a person does: a click in the list, then Enter.
 * @param {Page} page
 * @param {string} path
 */
async function read(page, path) {
	const row = page.locator(`#list [data-path="${path}"]`);
	await row.click();
	await page.keyboard.press("Enter");
	await page.locator("#reader[open]").waitFor();
	await page.locator("#reader-body:not([aria-busy=true])").waitFor();
	await page.waitForFunction(() => document.getElementById("reader-body")?.childElementCount);
	return page.getByTestId("reader-body");
}

test("prose is set: headings, lists, tables, code; and a link leads nowhere", () =>
	visit(async (page) => {
		await open(page);
		const body = await read(page, "/messages/1/content/1");
		await body.getByRole("heading", { name: "What I found" }).waitFor();
		assert.equal(await body.locator("strong").textContent(), "last");
		assert.equal(await body.locator("p code").first().textContent(), "fold.go");
		assert.deepEqual(await body.locator("li").allTextContents(), [
			"•first, the loop",
			"•it ends early",
			"•second, the table",
			"1.repair it",
			"2.test it",
		]);
		assert.deepEqual(await body.locator("tbody td").allTextContents(), ["ß", "lost", "kept"]);
		assert.match(
			(await body.locator(".fence").textContent()) ?? "",
			/^gofunc Fold\(r rune\) rune \{ return r \} \/\/ a \* b \* c$/,
		);
		assert.match((await body.textContent()) ?? "", /snake_case_name and 2 \* 3 \* 4 stay/);
		assert.match(
			(await body.textContent()) ?? "",
			/the notes \(https:\/\/evil\.example\/notes\) and a picture \(https:/,
		);
		assert.equal(await body.locator("a, img, script").count(), 0);
		await page.getByRole("button", { name: "Plain", exact: true }).click();
		await page.waitForFunction(() =>
			/^# What I found\n\nThe parser in `fold/.test(document.getElementById("reader-body")?.innerText ?? ""),
		);
		await page.getByRole("button", { name: "Source", exact: true }).click();
		await page.waitForFunction(() =>
			/^\{"type":"text","text":"# What I found\\n/.test(document.getElementById("reader-body")?.textContent ?? ""),
		);
	}));

test("Enter and a double click open, Escape closes, and the list has the focus again", () =>
	visit(async (page) => {
		await open(page);
		await page.locator("#list").focus();
		await page.keyboard.press("Enter");
		await page.locator("#reader[open]").waitFor();
		await page.keyboard.press("j");
		await page.keyboard.press("j");
		assert.match((await page.locator("#reader-count").textContent()) ?? "", /^3 of 17 blocks$/);
		await page.keyboard.press("k");
		await page.keyboard.press("Escape");
		assert.equal(await page.locator("#reader[open]").count(), 0);
		assert.equal(await page.evaluate(() => document.activeElement?.id), "list");
		assert.equal(
			await page.locator("#list [aria-selected=true]").getAttribute("aria-posinset"),
			"2",
			"the list followed",
		);
		await page.locator('#list [data-path="/messages/1/content/1"]').dblclick();
		await page.locator("#reader[open]").waitFor();
		await page.getByRole("button", { name: "Close" }).click();
		await page.getByRole("button", { name: "Read all" }).click();
		assert.equal(await page.locator("#reader-title").textContent(), "text");
	}));

test("the selected block is shown in the preview, too", () =>
	visit(async (page) => {
		await open(page);
		await page.locator('#list [data-path="/messages/1/content/1"]').click();
		await page.locator("#details .reading strong", { hasText: "last" }).waitFor();
		await page.locator('#list [data-path="/messages/2/content/0"]').click();
		await page.locator("#details .reading", { hasText: "FAIL fold_test.go" }).waitFor();
	}));

test("a call shows its input, JSON is folded, and arrows move through the folds", () =>
	visit(async (page) => {
		await open(page);
		let body = await read(page, "/messages/1/content/2");
		assert.match((await body.textContent()) ?? "", /commandgo test \.\/\.\.\.\s*echo donetimeout30nested/);
		const flag = body.getByText("flag", { exact: true });
		await body.locator(".tree details").first().waitFor();
		assert.ok(await flag.isVisible(), "a small value is open");
		await page.keyboard.press("Escape");
		body = await read(page, "/messages/4/content/0");
		assert.match((await body.textContent()) ?? "", /rows: \[ \] 250 items/);
		assert.equal(await body.getByText("row 120", { exact: true }).count(), 0, "a large value is not drawn");
		const summary = (/** @type {RegExp} */ text) => body.locator("summary", { hasText: text }).first();
		await summary(/rows/).focus();
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("ArrowRight");
		assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /^0 – 99$/);
		await page.keyboard.press("ArrowDown");
		assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /^100 – 199$/);
		await page.keyboard.press("ArrowRight");
		await summary(/^120:/).click();
		await body.getByText("row 120", { exact: true }).waitFor();
		assert.ok(
			await body.getByText("9007199254740993", { exact: true }).first().isVisible(),
			"numbers stay as they are written",
		);
		await summary(/^100 – 199/).focus();
		await page.keyboard.press("ArrowLeft");
		assert.equal(await body.getByText("row 120", { exact: true }).isVisible(), false);
		await page.keyboard.press("ArrowLeft");
		assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /^rows/);
		assert.match((await body.textContent()) ?? "", /constructor/, "keys that objects have anyway are keys like others");
		assert.ok(await body.getByText("shown", { exact: true }).isVisible());
	}));

test("colors of a terminal and overwritten lines are removed from the view, and stay in the source", () =>
	visit(async (page) => {
		await open(page);
		const body = await read(page, "/messages/2/content/0");
		await eventually(async () => assert.equal((await body.innerText()).trim(), "FAIL fold_test.go\n100%"));
		await page.getByRole("button", { name: "Source", exact: true }).click();
		await page.waitForFunction(
			() => document.getElementById("reader-body")?.textContent?.includes("\\u001b[31mFAIL") ?? false,
		);
		await page.keyboard.press("Escape");
		const diff = await read(page, "/messages/6/content/0");
		await page.getByRole("button", { name: "Read", exact: true }).click();
		await eventually(async () =>
			assert.deepEqual(await diff.locator(".gone-line, .come-line").allTextContents(), ["-old line", "+new line"]),
		);
	}));

test("lines wrap or do not, as one likes", () =>
	visit(async (page) => {
		const session = everything();
		/** @type {any} */ (session.messages[2].content[0]).content = `${"wide ".repeat(400)}\nend`;
		await open(page, session);
		const body = await read(page, "/messages/2/content/0");
		const over = () => body.evaluate((element) => element.scrollWidth - element.clientWidth);
		assert.ok((await over()) <= 0);
		await page.getByRole("button", { name: "Wrap", exact: true }).click();
		assert.ok((await over()) > 1000); // a line of the text is far wider than the window
		assert.equal(await page.getByRole("button", { name: "Wrap", exact: true }).getAttribute("aria-pressed"), "false");
		assert.equal(await overflow(page), 0);
	}));

test("pictures that came along are shown small, those elsewhere are named and never fetched", () =>
	visit(async (page) => {
		await open(page);
		const body = await read(page, "/messages/0/content/1");
		const image = body.getByRole("img", { name: /PNG image, \d+ bytes/ });
		await image.waitFor();
		assert.match((await image.getAttribute("src")) ?? "", /^data:image\/png;base64,/);
		assert.ok(
			await image.evaluate((/** @type {HTMLImageElement} */ img) => img.decode().then(() => img.naturalWidth === 1)),
		);
		await page.keyboard.press("j");
		await body.getByText("An image at https://evil.example/p.png, which this page does not fetch.").waitFor();
		assert.equal(await body.locator("img").count(), 0);
		await page.keyboard.press("Escape");
		assert.equal(
			await (await read(page, "/messages/8/content/0")).locator("img").count(),
			1,
			"within a result as well",
		);
	}));

test("hostile content is text: scripts, links, marks without end, letters that reverse the line", () =>
	visit(async (page) => {
		await open(page);
		const body = await read(page, "/messages/8/content/1"); // a pattern that backtracks takes minutes
		assert.match(
			(await body.textContent()) ?? "",
			/<script>window\.pwned = 1<\/script>.*click \(javascript:window\.pwned=1\)|<script>/s,
		);
		assert.match((await body.textContent()) ?? "", /⟨U\+202E⟩gpj\.exe/);
		assert.equal(await body.locator("a, img, script, iframe, [onerror], [href], [src]").count(), 0);
		assert.equal(await page.evaluate(() => "pwned" in globalThis), false);
	}));

measure("a single line of 4 MB opens at once, and ends where it ends", () =>
	visit(async (page) => {
		const session = everything();
		/** @type {any} */ (session.messages[2].content[0]).content = `${"0123456789abcdef".repeat(262_144)}the very end`;
		await open(page, session);
		await quick(page, "a line of 4 MB", async () => {
			await page.keyboard.press("Escape");
			const body = await read(page, "/messages/2/content/0");
			await page.locator("#reader-body[aria-busy=false]").waitFor();
			assert.ok(
				await body.evaluate((element) =>
					element.lastElementChild?.lastElementChild?.textContent?.endsWith("the very end"),
				),
			);
			for (let i = 0; i < 10; i++)
				await body.evaluate((element) => {
					element.scrollTop += 20_000;
					return new Promise((resolve) => requestAnimationFrame(() => resolve(0)));
				});
			await body.press("End");
		});
	}),
);

test("copying takes the unchanged text", () =>
	visit(async (page) => {
		await open(page);
		await read(page, "/messages/6/content/0");
		const text = await copied(page, async () => {
			await page.locator("#reader-copy").click();
			await page.getByText("Copied the block.").first().waitFor();
		});
		assert.match(text, /^diff --git a\/x b\/x\n/);
	}));

test("tools and the system prompt are read like anything else, and an empty call says so", () =>
	visit(async (page) => {
		await open(page);
		const body = await read(page, "/tools/0");
		assert.match((await body.textContent()) ?? "", /^Runs a command\.schema/);
		await page.keyboard.press("j");
		await body.getByText("You are a careful engineer.").waitFor();
		await page.keyboard.press("Escape");
		await (await read(page, "/messages/7/content/0")).getByText("Called without input.").waitFor();
	}));
