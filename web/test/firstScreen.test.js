// This file measures what is on the first screen with a session open: how much of the height is data, and how many words,
// numbers and sizes of text are around it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, startPage, visit } from "./page.js";

startPage();

test("at 1440 × 900 at least 60 % of the height is data, with few words, numbers and sizes of text around it", () =>
	visit(
		async (page) => {
			await settled(page);
			const seen = await page.evaluate(() => {
				const inView = (/** @type {Element} */ e) => {
					const r = e.getBoundingClientRect();
					return e.checkVisibility() && r.width > 1 && r.height > 1 && r.bottom > 0 && r.top < innerHeight;
				};
				const height = (/** @type {string} */ selector) => {
					const r = document.querySelector(selector)?.getBoundingClientRect();
					return r ? Math.min(r.bottom, innerHeight) - r.top : 0;
				};
				let text = "";
				const sizes = new Set();
				const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
				for (let node = walk.nextNode(); node; node = walk.nextNode()) {
					const e = node.parentElement;
					if (!e || !node.textContent?.trim() || e.closest(".hidden, script, style, option, noscript") || !inView(e))
						continue;
					sizes.add(getComputedStyle(e).fontSize);
					if (!e.closest("#rows, .preview-panel, pre")) text += ` ${node.textContent}`;
				}
				return {
					data: (height("#list") + height(".strip")) / innerHeight,
					words: text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length,
					numbers: text.match(/\d[\d,.]*/g)?.length ?? 0,
					sizes: [...sizes],
				};
			});
			assert.ok(seen.data >= 0.6, `${seen.data} of the height is data`);
			// Half of what there was on 26 November 2026: 398 words and 46 numbers.
			assert.ok(seen.words <= 199, `${seen.words} words`);
			assert.ok(seen.numbers <= 23, `${seen.numbers} numbers`);
			assert.ok(seen.sizes.length <= 5, seen.sizes.join());
		},
		{ hash: "#example=tour&tab=blocks", width: 1440, height: 900, tuning: false },
	));
