// This file tests the policy: presets, parameters, the URL, and that the latest change wins.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, delayPieces, settled, startPage, value, visit } from "./page.js";
import { anthropic } from "./sessions.js";

startPage();

/** @param {import("playwright-core").Page} page */
async function open(page) {
	await choose(page, JSON.stringify(anthropic(20)));
	await settled(page);
}

/** @param {import("playwright-core").Page} page @param {number} old */
async function changed(page, old) {
	await page.waitForFunction((n) => Number(document.getElementById("after")?.dataset.value) !== n, old);
	await settled(page);
}

journey("a changed parameter changes the numbers at once, and can be taken back", () =>
	visit(async (page) => {
		await open(page);
		const [before, after] = [await value(page, "before"), await value(page, "after")];
		const reset = page.getByRole("button", { name: "Reset to defaults" });
		assert.ok(await reset.isDisabled());
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("12");
		await changed(page, after);
		const less = await value(page, "after");
		assert.ok(less > after);
		assert.equal(await value(page, "before"), before);
		await reset.click();
		await changed(page, less);
		assert.equal(await value(page, "after"), after);
	}),
);

test("another preset shows its own parameters, and each keeps its settings", () =>
	visit(async (page) => {
		await open(page);
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("7");
		await page.getByRole("radio", { name: "Prune", exact: true }).check();
		await settled(page);
		assert.ok(await page.locator("[data-path='clear.protectTokens']").isVisible());
		assert.equal(await page.locator("[data-path='clear.keepRecent']").count(), 0);
		await page.getByRole("radio", { name: "Harness", exact: true }).check();
		assert.equal(await page.locator("[data-path='clear.keepRecent'] input[type=number]").inputValue(), "7");
	}));

test("a policy that does nothing says why", () =>
	visit(async (page) => {
		await open(page);
		await page.getByRole("radio", { name: "Clear tool uses", exact: true }).check();
		await page.waitForFunction(() => document.getElementById("saved")?.textContent === "0 %");
		await settled(page); // the reason comes with the outcome, the size before it
		assert.match((await page.locator("#verdict").textContent()) ?? "", /This policy changes nothing here: .{10}/);
	}));

test("a tool of the session can be kept with one click", () =>
	visit(async (page) => {
		await open(page);
		const after = await value(page, "after");
		await page.getByRole("group", { name: "Tools of this session" }).getByRole("button", { name: "bash" }).click();
		await changed(page, after);
		assert.ok((await value(page, "after")) > after);
		assert.match(await page.locator("[data-path='clear.keepTools'] input").inputValue(), /bash/);
	}));

test("the URL holds the policy and nothing else, and brings it back", () =>
	visit(async (page) => {
		await open(page);
		await page.getByRole("radio", { name: "Newest results", exact: true }).check();
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("5");
		await settled(page);
		const after = await value(page, "after");
		const hash = await page.evaluate(() => location.hash);
		assert.equal(hash, "#preset=s06&clear.keepRecent=5");
		await page.reload();
		await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
		assert.ok(await page.locator("input[name=preset][value=s06]").isChecked());
		await open(page);
		assert.equal(await value(page, "after"), after);
	}));

test("a URL with an unknown preset or a bad value opens with the defaults", () =>
	visit(
		async (page) => {
			await open(page);
			assert.equal(await page.locator("[data-path='clear.keepRecent'] input[type=number]").inputValue(), "3");
		},
		{ hash: "#preset=nonsense&clear.keepRecent=many&clear.nothing=1" },
	));

test("of many changes in a row the last one is shown", () =>
	visit(async (page) => {
		await open(page);
		const field = page.locator("[data-path='clear.keepRecent'] input[type=number]");
		await field.fill("6");
		await settled(page);
		const six = await value(page, "after");
		for (const n of ["1", "9", "2", "15", "0", "11", "6"]) await field.fill(n);
		await settled(page);
		assert.equal(await value(page, "after"), six);
		assert.equal((await page.locator("#list [data-fate=cleared]").count()) > 0, true);
	}));

test("a result that a later change has made stale is neither shown as the last one nor offered", () =>
	visit(async (page) => {
		await delayPieces(page, 40);
		await page.reload();
		await open(page);
		await page.locator("#tuning").evaluate((fold) => fold.setAttribute("open", ""));
		const field = page.locator("[data-path='clear.keepRecent'] input[type=number]");
		/** @type {Record<string, number>} */
		const expected = {};
		for (const n of ["1", "20"]) {
			await field.fill(n);
			await settled(page);
			expected[n] = await value(page, "after");
		}
		assert.notEqual(expected["1"], expected["20"]);
		for (const pause of [350, 450, 550]) {
			await field.fill("20");
			await page.waitForTimeout(pause);
			await field.fill("1");
			await settled(page);
			assert.equal(await value(page, "after"), expected["1"], `${pause} ms between two changes`);
		}
	}));

test("three presets come first with their results, and the one chosen or pointed at describes itself", () =>
	visit(
		async (page) => {
			await open(page);
			const radios = page.locator("#presets").getByRole("radio");
			assert.equal(await radios.count(), 3);
			for (const name of ["balanced", "prune", "hierarchical"])
				await page
					.locator(`#result-${name}`)
					.getByText(/^cost .* fits$/)
					.waitFor();
			await page.getByText("More presets").click();
			assert.equal(await radios.count(), 10);
			const about = page.locator("#preset-about");
			assert.match((await about.textContent()) ?? "", /^Keeps the user's prompts and the recent turns/);
			await page.locator("#presets").getByText("Hierarchical", { exact: true }).hover();
			assert.match((await about.textContent()) ?? "", /chunks of 20 messages/);
			await page.getByRole("tab", { name: "Blocks" }).hover();
			assert.match((await about.textContent()) ?? "", /^Keeps the user's prompts/);
		},
		{ hash: "" },
	));

test("a choice is a list, a share reads in percent, and both are in the URL", () =>
	visit(
		async (page) => {
			await open(page);
			const kind = page.getByRole("combobox", { name: "Prompt" });
			assert.equal(await kind.inputValue(), "coding");
			await kind.selectOption("research");
			const share = page.locator("[data-path='summary.sharePermille']");
			const field = share.locator("input[type=number]");
			assert.deepEqual([await field.inputValue(), await share.locator("output").textContent()], ["30", "%"]);
			await field.fill("12.5");
			await settled(page);
			assert.equal(
				await page.evaluate(() => location.hash),
				"#preset=balanced&force=true&summary.kind=research&summary.sharePermille=125",
			);
			await page.reload();
			await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
			await open(page);
			assert.equal(await kind.inputValue(), "research");
			assert.ok(await page.getByRole("switch", { name: "Compact now" }).isChecked());
		},
		{ hash: "#preset=balanced&force=true" },
	));

test("an empty field is the default everywhere at once, and a value out of range is marked and not used", () =>
	visit(async (page) => {
		await open(page);
		const param = page.locator("[data-path='clear.keepRecent']");
		const field = param.locator("input[type=number]");
		const seen = async () => [await field.inputValue(), await param.locator("input[type=range]").inputValue()];
		const [usual, after] = [(await seen())[0], await value(page, "after")];
		await field.fill("9");
		await changed(page, after);
		const nine = await value(page, "after");
		await field.fill("");
		await changed(page, nine);
		assert.deepEqual(await seen(), ["", usual]);
		assert.equal(await value(page, "after"), after);
		assert.equal(await page.evaluate(() => location.hash), "#preset=harness");
		await field.blur();
		assert.deepEqual(await seen(), [usual, usual]);
		await field.fill("-3");
		assert.equal(await field.getAttribute("aria-invalid"), "true");
		await param.getByRole("alert").getByText("A whole number from 0").waitFor();
		assert.equal(await page.evaluate(() => location.hash), "#preset=harness");
		await field.fill("9");
		assert.equal(await field.getAttribute("aria-invalid"), "false");
		await page.waitForFunction(() => location.hash === "#preset=harness&clear.keepRecent=9");
	}));

test("the parameter for the window names the model's own, unless the policy sets one", () =>
	visit(
		async (page) => {
			const now = page.locator("#param-trigger-window-now");
			for (const [model, window] of [
				["claude-sonnet-4-5", "200,000"],
				["claude-opus-5-5", "1,000,000"],
			]) {
				await choose(page, JSON.stringify({ ...anthropic(4), model }), `${model}.json`);
				await now.getByText(`The model’s own has ${window} tokens.`).waitFor();
			}
			await page.locator("#param-trigger-window").fill("50000");
			await settled(page);
			assert.equal(await now.textContent(), "");
		},
		{ hash: "#preset=balanced" },
	));
