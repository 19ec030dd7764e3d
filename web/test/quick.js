// This file measures that the page answers while someone works with it: no task of its thread may be long.

import assert from "node:assert/strict";

const LONG = 200; // ms: what people notice as a halt
const TRIES = 6;
const TASKS = "disabled-by-default-devtools.timeline"; // the category of Chromium's events of tasks

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
 * so a task must be long in the thread's own time, too. The time in which the browser itself reads the clipboard does
 * not count: Chromium 156 takes 300 ms for 10 MB, in one call that a page can neither divide nor avoid.
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
			const tasks = /** @type {PerformanceEntry[]} */ ([]);
			const reads = /** @type {{at: number, ms: number}[]} */ ([]);
			const observer = new PerformanceObserver((entries) => tasks.push(...entries.getEntries()));
			observer.observe({ type: "longtask" });
			const { getData } = DataTransfer.prototype;
			/** @param {string} type */
			DataTransfer.prototype.getData = function (type) {
				const at = performance.now();
				const text = getData.call(this, type);
				reads.push({ at, ms: performance.now() - at });
				return text;
			};
			const end = () => {
				tasks.push(...observer.takeRecords());
				observer.disconnect();
				DataTransfer.prototype.getData = getData;
				return tasks.map(({ startTime, duration }) =>
					reads
						.filter(({ at }) => startTime <= at && at <= startTime + duration)
						.reduce((left, { ms }) => left - ms, duration),
				);
			};
			Object.assign(globalThis, { watched: { end } });
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
		const long = await page.evaluate(() => /** @type {number[]} */ (/** @type {any} */ (globalThis).watched.end()));
		const by = `${long.map(Math.round).join(", ") || "none"} ms by the clock, at most ${Math.round(own)} ms of work at once`;
		console.log(`${what}: long tasks ${by}`);
		if (own < LONG || long.every((ms) => ms < LONG)) return;
		if (n === TRIES) assert.fail(`${what}: tasks of ${by}`);
	}
}

/**
 * One event of a trace; times are in microseconds.
 * @typedef {{name: string, pid: number, tid: number, dur?: number, tdur?: number, args: {name?: string}}} TraceEvent
 */

/** @typedef {{own: number, wall: number}} Task in ms: own is the processor time of its thread */

/**
 * Starts to trace the tasks of the browser. The function that it returns ends it, and returns the tasks of the page's
 * thread and of its workers, those that worked longest first.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<() => Promise<{page: Task[], workers: Task[]}>>}
 */
export async function traced(page) {
	const browser = await page.context().newCDPSession(page);
	/** @type {TraceEvent[]} */
	const events = [];
	browser.on("Tracing.dataCollected", ({ value }) => {
		for (const event of /** @type {any[]} */ (value))
			if (event.name === "RunTask" || event.name === "thread_name") events.push(event);
	});
	await browser.send("Tracing.start", {
		transferMode: "ReportEvents",
		traceConfig: { recordMode: "recordAsMuchAsPossible", includedCategories: [TASKS], excludedCategories: ["*"] },
	});
	return async () => {
		const complete = new Promise((resolve) => browser.once("Tracing.tracingComplete", resolve));
		await browser.send("Tracing.end");
		await complete;
		await browser.detach();
		const found = { page: tasksOf(events, "CrRendererMain"), workers: tasksOf(events, "DedicatedWorker thread") };
		assert.ok(found.page[0]?.own > 0, "the trace has no task of the page's thread");
		return found;
	};
}

/** @param {TraceEvent[]} events @param {string} thread */
function tasksOf(events, thread) {
	const place = (/** @type {TraceEvent} */ { pid, tid }) => `${pid} ${tid}`;
	const threads = new Set(events.filter(({ name, args }) => name === "thread_name" && args.name === thread).map(place));
	return events
		.filter((event) => event.name === "RunTask" && threads.has(place(event)))
		.map(({ dur = 0, tdur = 0 }) => ({ own: tdur / 1000, wall: dur / 1000 }))
		.sort((a, b) => b.own - a.own);
}
