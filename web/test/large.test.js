// This file tests a 10 MB paste: the page responds while the worker works, and shows its progress.
//
// Measures: long tasks.

import assert from "node:assert/strict";
import { measure, measures } from "./measure.js";
import { settled, startPage, value, visit } from "./page.js";
import { quick } from "./quick.js";
import { anthropic } from "./sessions.js";

if (measures) startPage({ measures });

measure("a 10 MB paste leaves the page responsive, shows progress, and ends in a session that scrolls", () =>
	visit(async (page) => {
		await page.evaluate(() => {
			const seen = { frames: 0, keys: 0, says: /** @type {string[]} */ ([]) };
			Object.assign(globalThis, { seen });
			const busy = document.getElementById("busy");
			const working = () => busy?.dataset.work === "busy";
			const beat = () => {
				if (working()) seen.frames++;
				requestAnimationFrame(beat);
			};
			beat();
			document.addEventListener("keydown", () => {
				if (working()) seen.keys++;
			});
			new MutationObserver(() => seen.says.push(document.getElementById("busy-text")?.textContent ?? "")).observe(
				document.getElementById("busy-text") ?? document,
				{ childList: true },
			);
		});
		const text = JSON.stringify(anthropic(520, 19_500));
		assert.ok(text.length > 10_000_000, String(text.length));
		const copy = () => page.evaluate((t) => navigator.clipboard.writeText(t), text);
		const open = async () => {
			await page.keyboard.press("Control+V");
			await page.locator("#busy[data-work=busy]").waitFor({ state: "attached" });
			while ((await page.locator("#busy").getAttribute("data-work")) === "busy") await page.keyboard.press("Shift");
			await settled(page);
		};
		await quick(page, "opening 10 MB", open, copy);
		const seen = await page.evaluate(() => /** @type {any} */ (globalThis).seen);
		console.log(`10 MB: ${seen.frames} frames and ${seen.keys} keys while the worker worked`);
		assert.ok(seen.frames >= 5, `only ${seen.frames} frames were drawn`);
		assert.ok(seen.keys >= 2, `only ${seen.keys} keys were heard`);
		for (const stage of [/Reading/, /Counting/, /Writing/])
			assert.ok(
				seen.says.some((/** @type {string} */ s) => stage.test(s)),
				`${stage} not among ${seen.says}`,
			);

		assert.ok((await value(page, "after")) < (await value(page, "before")));
		assert.equal(await page.locator("#text").isVisible(), false);
		await page.getByRole("button", { name: "Show input" }).click();
		assert.match((await page.locator("#held").textContent()) ?? "", /10\.\d MB/);
		assert.ok((await page.locator("#list [role=option]").count()) < 100, "only the rows in sight are drawn");
		const list = page.getByRole("listbox", { name: "Blocks" });
		await list.focus();
		await page.keyboard.press("End");
		assert.match(
			(await page.locator(`#${await list.getAttribute("aria-activedescendant")}`).textContent()) ?? "",
			/All tests pass/,
		);
		assert.ok(
			((await page.getByTestId("result").textContent()) ?? "").length < 1_000_000,
			"a long result is drawn a piece at a time",
		);
	}),
);
