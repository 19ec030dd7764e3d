// This file reads the numbers of the screen of one session and checks that one thing has one number.

import assert from "node:assert/strict";
import { number, saved } from "../app/ui/words.js";
import { pane, settled } from "./page.js";

/** @typedef {import("playwright-core").Page} Page */

/**
 * @param {Page} page with a session, whose replays are done
 * @param {string} session its name, for messages
 * @returns {Promise<boolean>} false if the session has no replay
 */
export async function checkEquations(page, session) {
	await pane(page, "compare");
	await settled(page);
	const compared = page.locator("[data-testid=compare]:is([data-state=ready], [data-state=failed])");
	if (await compared.waitFor({ timeout: 10_000 }).catch(() => true)) return false; // it has nothing to compare
	if ((await compared.getAttribute("data-state")) !== "ready") return false;
	await page.locator("[data-testid=timeline][data-state=ready]").waitFor({ state: "attached", timeout: 60_000 });
	await page.waitForFunction(
		() =>
			document.getElementById("compare-verdict")?.textContent && document.getElementById("advice-says")?.textContent,
	);
	await pane(page, "timeline"); // it draws what is seen
	await page.locator("#timeline-figures [data-figure=peak]:not([data-value=''])").waitFor({ state: "attached" });
	const seen = await page.evaluate(() => {
		const text = (/** @type {Element | null | undefined} */ one) =>
			(one?.textContent ?? "").replace(/\s+/g, " ").trim();
		const all = (/** @type {string} */ selector) =>
			/** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
		const of = (/** @type {string} */ id) => document.getElementById(id);
		return {
			before: Number(of("before")?.dataset.value),
			after: Number(of("after")?.dataset.value),
			saved: text(of("saved")),
			parts: all("#legend .amount").map(({ dataset }) => [Number(dataset.before), Number(dataset.after)]),
			start: Object.fromEntries(
				all("#start-figures > div").map((one) => [text(one.querySelector("dt")), text(one.querySelector("dd"))]),
			),
			peak: text(document.querySelector("#timeline-figures [data-figure=peak] strong")),
			sent: text(document.querySelector("#timeline-figures [data-figure=sent] strong")),
			chosen: all("input[name=preset]:checked").map((one) => /** @type {HTMLInputElement} */ (one).value)[0],
			results: Object.fromEntries(all("#presets .result").map((one) => [one.id.replace("result-", ""), text(one)])),
			marked: all("#presets .advised:not([hidden])").map((one) => one.id.replace("advised-", "")),
			advised: all("#compare-table .advised:not([hidden])").map((one) => one.dataset.of ?? ""),
			advice: text(of("advice-says")),
			take: of("advice-take")?.hidden,
			verdict: text(of("compare-verdict")),
			cells: Object.fromEntries(
				all("#compare-table tbody tr").map((row) => [
					row.dataset.figure,
					Object.fromEntries(
						[.../** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("td"))].map((cell) => [
							cell.dataset.preset,
							{
								value: Number(cell.dataset.value),
								text: text(cell.querySelector(":scope > span")),
								note: text(cell.querySelector(".hint:not(:first-child)")),
								best: cell.querySelector(".best") !== null,
							},
						]),
					),
				]),
			),
		};
	});
	const { cells, chosen } = seen;
	const is = (/** @type {unknown} */ a, /** @type {unknown} */ b, /** @type {string} */ what) =>
		assert.deepEqual(a, b, `${session}: ${what}`);
	const sum = (/** @type {0 | 1} */ side) => seen.parts.reduce((total, part) => total + part[side], 0);
	is(sum(0), seen.before, "the parts of the legend before");
	is(sum(1), seen.after, "the parts of the legend after");
	is(seen.saved, saved(seen.before, seen.after), "saved");
	const pair = (/** @type {string} */ figure) => {
		const [was, now] = ["none", chosen].map((name) => cells[figure][name].text);
		return was === now ? was : `${was} → ${now}`;
	};
	is(seen.start["Largest request"], pair("peak"), "the largest request of the bar and of Compare");
	is(seen.peak, pair("peak"), "the largest request of the timeline and of Compare");
	is(seen.sent, pair("sent"), "what is sent of the timeline and of Compare");
	if (seen.start.Cost) is(seen.start.Cost, pair("cost"), "the cost of the bar and of Compare");
	else is(seen.start["Tokens sent"], pair("sent"), "what is sent of the bar and of Compare");
	const missed = cells.missed[chosen];
	if (seen.start["Names missed"])
		is(
			`${seen.start["Names missed"]},`,
			`${missed.text} ${missed.note.split(" ").slice(0, 2).join(" ")}`,
			"the names of the bar and of Compare",
		);
	for (const name of Object.keys(cells.sent))
		is(
			cells.cacheRead[name].value + Number(cells.cacheWrite[name].value) + cells.input[name].value,
			cells.sent[name].value,
			`what ${name} reads, writes and pays in full`,
		);
	for (const [name, result] of Object.entries(seen.results)) {
		if (!cells.cost[name]) continue;
		const [cost, misses, fits] = result.split(" · ");
		is(cost, `cost ${cells.cost[name].note}`, `the cost of ${name} in the policy and in Compare`);
		is(
			misses,
			cells.missed[name].value > 0
				? `misses ${number(cells.missed[name].value)} name${cells.missed[name].value > 1 ? "s" : ""}`
				: "misses nothing",
			`the names of ${name}`,
		);
		is(
			fits,
			cells.overWindow[name].value === 0
				? "fits"
				: `over the window ${number(cells.overWindow[name].value)} time${cells.overWindow[name].value > 1 ? "s" : ""}`,
			`whether ${name} fits`,
		);
	}
	// One recommendation: what the verdict says first is marked in both places, and the button takes it.
	is(seen.advised.length, 1, "one column is advised");
	const [advised] = seen.advised;
	is(seen.marked, advised === "none" ? [] : [advised], "the advised preset in the policy");
	is(seen.take, advised === "none" || advised === chosen, "the button");
	if (seen.results[advised])
		assert.ok(seen.advice.endsWith(`– ${seen.results[advised]}.`), `${session}: ${seen.advice}`);
	const [, names, had] = /[Oo]f ([\d,]+) names? that the agent used later, ([\d,]+) were/.exec(seen.verdict) ?? [];
	const plain = (/** @type {string} */ text) => Number(text.replaceAll(",", ""));
	if (names && advised !== "none")
		is(plain(names) - plain(had), cells.missed[advised].value, "the names of the verdict");
	const fits = Object.keys(cells.cost).filter((name) => name !== "none" && cells.overWindow[name].value === 0);
	if (advised !== "none" && fits.length > 1 && fits.includes(advised)) {
		const least = Math.min(...fits.map((name) => cells.cost[name].value));
		const acting = Object.entries(cells.cost).filter(([, cell]) => cell.best);
		if (acting.length > 0)
			assert.ok(cells.cost[advised].best || cells.cost[advised].value > least, `${session}: best cost`);
	}
	return true;
}
