// This file tests that every term of the page opens its definition with mouse, touch and keyboard, in one way.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { openExample, pane, startPage, still, visit } from "./page.js";

startPage();

/** The definitions that are open. @param {import("playwright-core").Page} page */
const open = (page) =>
	page.evaluate(() =>
		[...document.querySelectorAll("[popover]:popover-open")].map((one) => {
			const { left, right, top, bottom } = one.getBoundingClientRect();
			return { text: one.textContent, within: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight };
		}),
	);

/** @param {import("playwright-core").Page} page @param {RegExp | null} says null: none is open */
async function shows(page, says) {
	await still(page);
	const all = await open(page);
	assert.equal(all.length, says ? 1 : 0, JSON.stringify(all));
	if (says) assert.match(all[0].text ?? "", says);
	assert.ok(all.every(({ within }) => within));
}

test("a term shows its definition with the focus; Enter and Space open and close it, and Escape closes it", () =>
	visit(async (page) => {
		await openExample(page);
		await page.locator("#after + .term").focus();
		await page.keyboard.press("Shift+Tab");
		await page.keyboard.press("Tab");
		await shows(page, /^Tokens: /);
		await page.keyboard.press("Escape");
		await shows(page, null);
		await page.keyboard.press("Enter");
		await shows(page, /^Tokens: /);
		await page.keyboard.press("Space");
		await shows(page, null);
		await page.keyboard.press("Space");
		await shows(page, /^Tokens: /);
		await page.keyboard.press("Tab");
		await shows(page, null);

		await page.locator("#tab-timeline").focus();
		await page.keyboard.press("ArrowRight");
		await shows(page, /^Paid again: /);
		await page.keyboard.press("Escape");
		await shows(page, null);
		assert.equal(await page.locator("#tab-again").getAttribute("aria-selected"), "true");
		await page.locator("input[name=notion]:checked").focus();
		await page.keyboard.press("ArrowRight");
		await shows(page, /^(Now|From the start): /);
	}));

test("a mouse that rests on a term shows its definition, and every term has one", () =>
	visit(async (page) => {
		await openExample(page);
		await pane(page, "packed");
		await page.locator("#tab-quality").hover();
		await page.locator("#term-quality:popover-open").waitFor();
		await page.locator("#tab-archive").hover();
		await page.locator("#term-archive:popover-open").waitFor();
		await shows(page, /^Archive: /);
		await page.mouse.move(0, 0);
		await page.locator("#term-archive:not(:popover-open)").waitFor({ state: "attached" });
		const terms = await page.evaluate(() =>
			[...document.querySelectorAll("[data-term]")].map((one) => {
				const stop = one.matches("button") ? one : one.querySelector("input, button");
				const text = document.getElementById(stop?.getAttribute("aria-describedby") ?? "");
				return { name: one.textContent, text: text?.textContent, title: one.hasAttribute("title") };
			}),
		);
		for (const { name, text, title } of terms) assert.ok(text && !title, name ?? "");
	}));

test("a touch on a term opens its definition, and a touch elsewhere closes it", () =>
	visit(
		async (page) => {
			await openExample(page);
			await page.locator("#fits .term").tap();
			await shows(page, /^Context window: /);
			await page.locator("#fits .term").tap();
			await shows(page, null);
			await page.locator("#fits .term").tap();
			await page.locator("#verdict").tap();
			await shows(page, null);
			await page.locator("input[name=notion][value=start]").tap();
			await shows(page, /^From the start: /);
			await page.locator("#tab-again").tap();
			await shows(page, /^Paid again: /);
		},
		{ width: 390, height: 844, touch: true },
	));
