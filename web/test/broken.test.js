// This file tests a session that a provider would refuse: its problems, the way to each, and the repair.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, download, settled, startPage, value, visit } from "./page.js";
import { broken } from "./sessions.js";

startPage();

test("problems are listed, and a click goes to the block", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(broken()));
		await settled(page);
		const problems = page.getByTestId("problems");
		assert.match((await problems.textContent()) ?? "", /2 problems/);
		for (const [rule, path] of [
			["A2_unanswered", "/messages/5/content/1"],
			["A3_orphan", "/messages/6/content/0"],
		]) {
			const button = problems.getByRole("button", { name: new RegExp(rule) });
			await button.click();
			const list = page.getByRole("listbox", { name: "Blocks" });
			assert.ok(await list.evaluate((element) => element === document.activeElement));
			const active = page.locator(`#${await list.getAttribute("aria-activedescendant")}`);
			assert.equal(await active.getAttribute("data-path"), path);
			assert.equal(await active.getAttribute("data-fate"), "broken");
			assert.ok(await active.isVisible());
			assert.match((await page.locator("#details").textContent()) ?? "", new RegExp(rule));
		}
		assert.match((await problems.textContent()) ?? "", /The API says/);
	}));

journey("one click repairs the session, reports the repairs, and can be undone", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(broken()));
		await settled(page);
		const before = await value(page, "before");
		await page.getByRole("button", { name: "Repair all" }).click();
		const problems = page.getByTestId("problems");
		await problems.getByText("No problems").waitFor();
		assert.match((await problems.textContent()) ?? "", /Repaired 2 problems: ./);
		await settled(page);
		JSON.parse((await download(page)).text);
		await page.locator("#toasts").getByRole("button", { name: "Undo" }).click();
		await problems.getByText("2 problems").waitFor();
		await settled(page);
		assert.equal(await value(page, "before"), before);
	}),
);
