// This file tests the view of what is paid again: its numbers are core's, a click and the keys zoom, the table has the
// same numbers, and a block of it opens in the list.

import assert from "node:assert/strict";
import { load } from "../../wasm/npm/index.js";
import { find, treeOf } from "../app/replay/flame.js";
import { look, WIDTHS } from "./axe.js";
import { test } from "./journeys.js";
import { eventually, choose, overflow, pane, settled, startPage, visit } from "./page.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const engine = await load();
const SESSION = JSON.stringify(anthropic(30, 6000));
const POLICY = { preset: "s06", policy: { clear: { keepRecent: 5 } } };
const HASH = "#preset=s06&clear.keepRecent=5";
const RESENDS = engine.resent({ conversation: SESSION, ...POLICY });

/** @param {number} n */
const number = (n) => n.toLocaleString("en-US");

/** @param {Page} page @param {string} [session] */
async function open(page, session = SESSION) {
	await choose(page, session);
	await settled(page);
	await pane(page, "again");
	await page.locator("[data-testid=again][data-state=ready]").waitFor();
}

const box = (/** @type {string} */ key) => `.flame-box[data-key="${key}"]`;

test("the numbers are core's, a click zooms, and the table says the same", () =>
	visit(
		async (page) => {
			await open(page);
			const says = (await page.locator("#again-says").textContent()) ?? "";
			assert.ok(
				says.startsWith(`In ${RESENDS.calls} model calls, ${number(RESENDS.resent)} tokens are sent again`),
				says,
			);
			assert.ok(says.includes(`: ${number(RESENDS.left)} tokens for `), says);
			const results = page.locator(box("results"));
			const sum = RESENDS.owners
				.filter(({ owner }) => owner === "results")
				.reduce((all, { resent }) => all + resent, 0);
			assert.match(
				(await results.getAttribute("aria-label")) ?? "",
				new RegExp(`^Results .*: ${number(sum)} tokens sent again`),
			);
			const whole = (await page.locator(box("all")).boundingBox())?.width ?? 0;
			assert.ok(((await results.boundingBox())?.width ?? 0) < whole);
			await results.click();
			await page.waitForFunction(
				([key, width]) =>
					Math.abs((document.querySelector(String(key))?.getBoundingClientRect().width ?? 0) - Number(width)) < 1,
				[box("results"), whole],
			);
			await page.getByRole("button", { name: "Zoom out" }).click();
			await eventually(async () => assert.ok(((await results.boundingBox())?.width ?? 0) < whole));
			await page.locator("#again-table summary").click();
			await page.locator("#again-rows tr").first().waitFor(); // the rows follow the opening
			const rows = await page
				.locator("#again-rows tr")
				.evaluateAll((all) => all.map((row) => row.children[3].textContent));
			assert.deepEqual(
				rows,
				RESENDS.owners.map(({ resent }) => number(resent)),
			);
		},
		{ hash: HASH },
	));

test("the keys go from part to part and zoom, and a block opens in the list", () =>
	visit(
		async (page) => {
			await open(page);
			const focus = () => page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.dataset.key);
			await page.locator(box("all")).focus();
			const kinds = await page
				.locator(".flame-box")
				.evaluateAll((all) =>
					all.map((one) => one.dataset.key ?? "").filter((key) => key !== "all" && !key.includes("/")),
				);
			await page.keyboard.press("ArrowDown");
			assert.equal(await focus(), kinds[0]);
			await page.keyboard.press("ArrowRight");
			assert.equal(await focus(), kinds[1]);
			await page.keyboard.press("Home");
			assert.equal(await focus(), kinds[0]);
			await page.locator(box("results")).focus();
			await page.keyboard.press("Enter");
			await page.keyboard.press("ArrowDown");
			await page.keyboard.press("ArrowDown");
			const key = (await focus()) ?? "";
			assert.match(key, /^results\/.*#0$/);
			const node = find(treeOf(RESENDS), key);
			await page.getByRole("button", { name: "Show this block" }).click();
			await page.locator("#panel-blocks").waitFor();
			const path = JSON.parse(SESSION).messages ? `/messages/${node.block?.message}` : `/${node.block?.message}`;
			assert.ok(
				((await page.locator("#details .where").getAttribute("title")) ?? "").includes(path),
				`${path}: ${await page.locator("#details").textContent()}`,
			);
			await pane(page, "again");
			await page.locator(box("results")).focus();
			await page.keyboard.press("Escape");
			assert.ok(await page.getByRole("button", { name: "Zoom out" }).isDisabled());
		},
		{ hash: HASH },
	));

test("another policy changes the numbers; a session without model calls says so", () =>
	visit(
		async (page) => {
			await open(page);
			const says = () => page.locator("#again-says").textContent();
			const was = await says();
			await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("9");
			await page.waitForFunction((text) => {
				const now = document.getElementById("again-says")?.textContent;
				return now?.startsWith("In ") && now !== text;
			}, was);
			await choose(page, JSON.stringify([{ role: "user", content: "Hello?" }]));
			await settled(page);
			await page.locator("#again-says").getByText("Nothing is sent again").waitFor();
			assert.equal(await page.locator(".flame-box").count(), 0);
		},
		{ hash: HASH },
	));

for (const width of WIDTHS)
	test(`no fault of access, light and dark, ${width} px`, () =>
		visit(
			async (page) => {
				await open(page);
				await page.locator("#again-table summary").click();
				/** @type {Record<string, string[]>} */
				const found = {};
				await look(page, "unfolded", found, "#panel-again");
				assert.deepEqual(found, {});
				assert.equal(await overflow(page), 0);
			},
			{ hash: HASH, width },
		));
