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
 * Returns the most work of the page's thread between two looks at its time, until it is over. A look comes after a
 * task of its own: the thread answers it within a task, too.
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<number>} worked
 * @param {number} last what it said before
 * @param {() => boolean} over
 */
async function mostWork(page, worked, last, over) {
	for (let most = 0; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
		const ends = over();
		await page.evaluate(() => 0);
		const now = await worked();
		most = Math.max(most, now - last);
		last = now;
		if (ends) return most;
	}
}

/**
 * Does something up to six times until no task was long: a busy machine makes any task long by the clock now and then,
 * so a task must be long in the thread's own time, too.
 * @param {import("playwright-core").Page} page
 * @param {string} what
 * @param {() => Promise<void>} act can be done again
 * @param {() => Promise<unknown>} [prepare] comes before each try and is not measured
 */
export async function quick(page, what, act, prepare = async () => {}) {
	const worked = await working(page);
	for (let n = 1; ; n++) {
		await prepare();
		await page.evaluate(() => {
			const long = /** @type {number[]} */ ([]);
			const observer = new PerformanceObserver((entries) => long.push(...entries.getEntries().map((e) => e.duration)));
			observer.observe({ type: "longtask" });
			Object.assign(globalThis, { watched: { long, observer } });
		});
		let over = false;
		const most = mostWork(page, worked, await worked(), () => over);
		most.catch(() => {}); // a page that closed fails the act
		try {
			await act();
			await page.waitForTimeout(300); // tasks that the act starts a little later count, too
		} finally {
			over = true;
		}
		const own = await most;
		const long = await page.evaluate(() => {
			const { long, observer } = /** @type {any} */ (globalThis).watched;
			for (const { duration } of observer.takeRecords()) long.push(duration);
			observer.disconnect();
			return /** @type {number[]} */ (long);
		});
		const by = `${long.map(Math.round).join(", ") || "none"} ms by the clock, at most ${Math.round(own)} ms of work at once`;
		console.log(`${what}: long tasks ${by}`);
		if (own < LONG || long.every((ms) => ms < LONG)) return;
		if (n === TRIES) assert.fail(`${what}: tasks of ${by}`);
	}
}
