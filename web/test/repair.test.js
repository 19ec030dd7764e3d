// This file tests how a broken session is repaired: its blocks are marked, the changes of a repair are shown first, and
// each undo works.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, download, settled, startPage, value, visit } from "./page.js";
import { broken } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** @param {Page} page */
async function open(page) {
	await choose(page, JSON.stringify(broken()), "hurt.json");
	await settled(page);
}

test("blocks with problems are marked in the list and on the strip", () =>
	visit(async (page) => {
		await open(page);
		const marked = page.locator("#list [data-problem]");
		assert.deepEqual(await marked.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-path"))), [
			"/messages/5/content/1",
			"/messages/6/content/0",
		]);
		assert.match(
			await marked
				.first()
				.locator(".label")
				.evaluate((label) => getComputedStyle(label, "::before").content),
			/!/,
		);
		// The gap between the two strips is empty but for the marks.
		const ink = await page.locator("#strip").evaluate((/** @type {any} */ canvas) => {
			const ratio = devicePixelRatio;
			const { data, width } = canvas.getContext("2d").getImageData(0, Math.round(31 * ratio), canvas.width, 1);
			let runs = 0;
			for (let x = 0; x < width; x++) if (data[x * 4 + 3] > 0 && (x === 0 || data[x * 4 - 1] === 0)) runs++;
			return runs;
		});
		assert.ok(ink >= 1 && ink <= 2, `${ink} marks`); // two that stand close are one
	}));

journey("the changes of a repair are shown before it is accepted, message by message", () =>
	visit(async (page) => {
		await open(page);
		const before = await value(page, "before");
		await page.getByRole("button", { name: "See the changes first" }).click();
		const view = page.getByTestId("repair-view");
		await view.getByText(/Of 18 messages/).waitFor();
		assert.ok(
			await page
				.getByRole("heading", { name: "What the repair changes" })
				.evaluate((heading) => heading === document.activeElement),
		);
		await view.locator("ins").getByText("No result was recorded for this call").first().waitFor();
		assert.equal(await value(page, "before"), before, "nothing has happened yet");
		assert.match((await page.getByTestId("problems").textContent()) ?? "", /2 problems/);

		await view.getByRole("button", { name: "Discard the repair" }).click();
		assert.equal(await view.isVisible(), false);
		assert.ok(
			await page
				.getByRole("button", { name: "See the changes first" })
				.evaluate((button) => button === document.activeElement),
		);
		assert.match((await page.getByTestId("problems").textContent()) ?? "", /2 problems/);

		await page.getByRole("button", { name: "See the changes first" }).click();
		await view.getByRole("button", { name: "Accept the repair" }).click();
		await page.getByTestId("problems").getByText("No problems").waitFor();
		await settled(page);
		assert.equal(JSON.parse((await download(page)).text).messages.length >= 18, true);

		await page.getByRole("button", { name: "See the changes again" }).click();
		assert.ok(await page.getByRole("heading", { name: "What the repair changed" }).isVisible());
		await view.locator("ins").getByText("No result was recorded").first().waitFor();
		await view.getByRole("button", { name: "Undo the repair" }).click();
		await page.getByTestId("problems").getByText("2 problems").waitFor();
		await settled(page);
		assert.equal(await value(page, "before"), before);
	}),
);

test("undoing a repair keeps later changes", () =>
	visit(async (page) => {
		await open(page);
		await page.getByRole("button", { name: "Repair all" }).click();
		await page.getByTestId("problems").getByText("No problems").waitFor();
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("1");
		await settled(page);
		await page.getByRole("button", { name: "See the changes again" }).click();
		await page.getByRole("button", { name: "Undo the repair" }).click();
		await page.getByTestId("problems").getByText("2 problems").waitFor();
		assert.equal(await page.locator("[data-path='clear.keepRecent'] input[type=number]").inputValue(), "1");
		await page.locator("#undo").click();
		await page.getByTestId("problems").getByText("No problems").waitFor();
	}));
