// This file measures that the page answers while someone works with it: no task of its thread may be long.

import assert from "node:assert/strict";

const LONG = 200; // ms: what people notice as a halt
const TRIES = 6;

/**
 * Returns a function that says how long the page's thread has worked, in its own time: other programs have their turns
 * on this machine, and are not the page's fault.
 * @param {import("playwright-core").Page} page
 */
export async function working(page) {
	const browser = await page.context().newCDPSession(page);
	await browser.send("Performance.enable", { timeDomain: "threadTicks" });
	return async () =>
		1000 *
		((await browser.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN);
}

/**
 * Does something up to six times until no task was long: a busy machine makes any task long now and then, the page's
 * own work each time. A task that is long by the clock counts with the share of the clock in which the thread worked.
 * @param {import("playwright-core").Page} page
 * @param {string} what
 * @param {() => Promise<void>} act can be done again
 * @param {() => Promise<unknown>} [prepare] comes before each try and is not measured
 */
export async function quick(page, what, act, prepare = async () => {}) {
	const worked = await working(page);
	for (let n = 1; ; n++) {
		await prepare();
		const before = await worked();
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
		const own = (await worked()) - before;
		const share = Math.min(1, own / long.reduce((sum, ms) => sum + ms, 1));
		console.log(
			`${what}: long tasks ${long.map(Math.round).join(", ") || "none"} ms by the clock, ${Math.round(own)} ms of work in all`,
		);
		if (long.every((ms) => share * ms < LONG)) return;
		if (n === TRIES) assert.fail(`${what}: tasks of ${long.map(Math.round).join(", ")} ms`);
	}
}
