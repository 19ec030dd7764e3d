// This file measures that the page answers while someone works with it: no task of its thread may be long.

import assert from "node:assert/strict";

const LONG = 200; // ms: what people notice as a halt
const TRIES = 6;

/**
 * Does something up to six times until no task was long: a busy machine makes any task long now and then, the page's
 * own work each time.
 * @param {import("playwright-core").Page} page
 * @param {string} what
 * @param {() => Promise<void>} act can be done again
 */
export async function quick(page, what, act) {
	for (let n = 1; ; n++) {
		await page.evaluate(() => {
			const long = /** @type {number[]} */ ([]);
			const observer = new PerformanceObserver((entries) => long.push(...entries.getEntries().map((e) => e.duration)));
			observer.observe({ type: "longtask" });
			Object.assign(globalThis, { watched: { long, observer } });
		});
		await act();
		await page.waitForTimeout(300); // tasks that the act starts a little later count, too
		const long = await page.evaluate(() => {
			const { long, observer } = /** @type {any} */ (globalThis).watched;
			observer.disconnect();
			return /** @type {number[]} */ (long);
		});
		console.log(`${what}: long tasks ${long.map(Math.round).join(", ") || "none"} ms`);
		if (long.every((ms) => ms < LONG)) return;
		if (n === TRIES) assert.fail(`${what}: tasks of ${long.map(Math.round).join(", ")} ms`);
	}
}
