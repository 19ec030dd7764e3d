// This file walks the page with Tab: every stop is seen and shows the focus, in the order of the document, each once;
// dialogs hold the focus, and Escape closes them.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { choose, pane, settled, startPage, visit } from "./page.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const MOST = 150; // stops of a screen; more is a walk that does not end

/**
 * The stops from the top of the page on, until the focus leaves the page.
 * @param {Page} page
 */
async function walk(page) {
	await page.evaluate(() => {
		/** @type {HTMLElement | null} */ (document.activeElement)?.blur();
		const top = document.createElement("span");
		top.tabIndex = -1;
		document.body.prepend(top);
		top.focus();
		top.remove();
		Object.assign(window, { stops: [] });
	});
	/** @type {string[]} */
	const names = [];
	while (names.length < MOST) {
		await page.keyboard.press("Tab");
		const at = await page.evaluate(() => {
			const element = /** @type {HTMLElement} */ (document.activeElement);
			if (element === document.body) return null;
			/** @type {Element[]} */
			const stops = /** @type {any} */ (window).stops;
			const before = stops.at(-1);
			const again = stops.includes(element);
			stops.push(element);
			// A field that is not drawn shows the focus on its label, a list on its active row.
			const shows = [element, element.closest("label"), element.querySelector("[aria-selected=true]")].filter((of) => {
				if (!of) return false;
				const { outlineStyle, outlineWidth } = getComputedStyle(of);
				const box = of.getBoundingClientRect();
				const inside = box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
				return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && box.width > 8 && box.height > 8 && inside;
			});
			return {
				name: `${element.tagName} ${element.id || element.className || element.textContent?.trim().slice(0, 30)}`,
				seen: shows.length > 0,
				again,
				inOrder: !before || !!(before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING),
			};
		});
		if (!at) return names;
		assert.ok(!at.again, `${at.name} is a stop twice: ${names.join(", ")}`);
		assert.ok(at.inOrder, `${at.name} comes before ${names.at(-1)} in the document`);
		assert.ok(at.seen, `${at.name} does not show the focus in the viewport`);
		names.push(at.name);
	}
	return assert.fail(`the focus does not leave the page: ${names.join(", ")}`);
}

test("Tab goes through the first screen in order, and every stop shows", () =>
	visit(
		async (page) => {
			const names = await walk(page);
			for (const id of ["text", "choose-folder", "see-example"])
				assert.ok(
					names.some((name) => name.endsWith(` ${id}`)),
					`${id}: ${names.join(", ")}`,
				);
			assert.ok(names.length < 25, `${names.length} stops`);
		},
		{ hash: "", tuning: false },
	));

test("Tab goes through a session in order, and every stop shows", () =>
	visit(
		async (page) => {
			await choose(page, JSON.stringify(anthropic(8)), "run.json");
			await settled(page);
			for (const name of /** @type {const} */ (["blocks", "timeline", "packed"])) {
				await pane(page, name);
				const names = await walk(page);
				assert.ok(names.length > 15 && names.length < 60, `${name}: ${names.length} stops`);
			}
		},
		{ tuning: false },
	));

test("dialogs hold the focus, and Escape gives it back", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(8)), "run.json");
		await settled(page);
		const list = page.locator("#list");
		await list.focus();
		for (const key of ["Enter", "?"]) {
			await page.keyboard.press(key);
			const dialog = page.locator("dialog[open]");
			await dialog.waitFor();
			let inside = 0;
			for (let i = 0; i < 30; i++) {
				await page.keyboard.press("Tab");
				// Behind the last stop is the browser itself, which has the body as its element.
				const at = await page.evaluate(() => {
					const element = document.activeElement;
					return element === document.body ? "browser" : element?.closest("dialog[open]") ? "dialog" : "page";
				});
				assert.notEqual(at, "page", `${key}: Tab leaves the dialog`);
				if (at === "dialog") inside++;
			}
			assert.ok(inside > 15, `${inside} stops in the dialog`);
			await page.keyboard.press("Escape");
			await dialog.waitFor({ state: "hidden" });
			assert.equal(await page.evaluate(() => document.activeElement?.id), "list");
		}
	}));
