// This file measures the first screen, without a session and with one: how much of the height is data, how many
// words and numbers are around it, and the sizes of text of all tabs.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { outputTab, pane, settled, startPage, still, visit } from "./page.js";

startPage();

/**
 * What is in the window: the share of its height that is data; the words and numbers around the data, the numbers of the
 * rows, and all sizes of text.
 * @param {import("playwright-core").Page} page
 */
const look = (page) =>
	page.evaluate(() => {
		const inView = (/** @type {Element} */ e) => {
			const r = e.getBoundingClientRect();
			return e.checkVisibility() && r.width > 1 && r.height > 1 && r.bottom > 0 && r.top < innerHeight;
		};
		const height = (/** @type {string} */ selector) => {
			const r = document.querySelector(selector)?.getBoundingClientRect();
			return r ? Math.min(r.bottom, innerHeight) - r.top : 0;
		};
		let text = "";
		let figures = "";
		/** @type {Set<string>} */
		const sizes = new Set();
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			const e = node.parentElement;
			if (!e || !node.textContent?.trim() || e.closest(".hidden, script, style, option, noscript") || !inView(e))
				continue;
			sizes.add(getComputedStyle(e).fontSize);
			if (e.closest("#rows .turn, #rows .tokens")) figures += ` ${node.textContent}`;
			else if (!e.closest("#rows, .preview-panel, pre")) text += ` ${node.textContent}`;
		}
		const numbers = (/** @type {string} */ of) => of.match(/\d[\d,.]*/g)?.length ?? 0;
		return {
			data: (height("#list") + height(".strip")) / innerHeight,
			words: text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length,
			numbers: numbers(text),
			figures: numbers(figures),
			sizes: [...sizes],
			text,
		};
	});

test("at 1440 × 900 at least 60 % of the height is data, with few words, numbers and sizes of text around it", () =>
	visit(
		async (page) => {
			await settled(page);
			const seen = await look(page);
			assert.ok(seen.data >= 0.6, `${seen.data} of the height is data`);
			// Half of what there was on 26 November 2026: 398 words and 46 numbers.
			assert.ok(seen.words <= 199, `${seen.words} words`);
			assert.ok(seen.numbers <= 23, `${seen.numbers} numbers`);
			// 22 around the rows and 26 in them were 48: the rows of blocks that are small show none.
			assert.ok(seen.numbers + seen.figures <= 30, `${seen.numbers} numbers, and ${seen.figures} in the rows`);

			/** @type {Set<string>} */
			const sizes = new Set(seen.sizes);
			for (const open of [
				...["timeline", "again", "compare", "totals"].map((name) => () => pane(page, /** @type {"timeline"} */ (name))),
				...["Result", "Diff", "Requests", "Breakpoints", "Quality", "Decisions", "Archive"].map(
					(name) => () => outputTab(page, new RegExp(`^${name}`)),
				),
			]) {
				await open();
				await still(page);
				for (const size of (await look(page)).sizes) sizes.add(size);
			}
			assert.ok(sizes.size <= 5, [...sizes].join());
		},
		{ hash: "#example=tour&tab=blocks", width: 1440, height: 900, tuning: false },
	));

for (const [width, height] of [
	[1440, 900],
	[390, 844],
])
	test(`at ${width} × ${height} the first screen says what this is, what to do, and where the data goes`, () =>
		visit(
			async (page) => {
				await page.locator("#input[data-mode=empty][data-decided]").waitFor();
				const { text } = await look(page);
				for (const part of [
					/fills your agent’s context/,
					/Open a file/,
					/See an example/,
					/nothing is sent to a server/,
				])
					assert.match(text, part);
			},
			{ hash: "", width, height },
		));
