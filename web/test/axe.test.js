// This file has axe look at the page in all its main states, in both themes and on a narrow screen: it must find
// nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { choose, outputTab, pane, settled, startPage, still, unfold, visit } from "./page.js";
import { broken } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Adds what axe finds in a state of the page to found, so that a test reports all its states at once.
 * @param {Page} page
 * @param {string} state
 * @param {Record<string, string[]>} found
 */
async function look(page, state, found) {
	await page.waitForFunction(
		() => ![...document.querySelectorAll("[aria-busy=true]")].some((element) => element.checkVisibility()),
	);
	await still(page);
	// Evaluated from outside, so the page's own policy stays as strict as it is.
	if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
	const violations = await page.evaluate(async () => {
		const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
		return violations.map(
			(/** @type {any} */ { id, help, nodes }) =>
				`${id}: ${help}: ${nodes
					.slice(0, 3)
					.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`)
					.join(" | ")}`,
		);
	});
	if (violations.length > 0) found[state] = violations;
}

for (const [colorScheme, width] of /** @type {["light" | "dark", number][]} */ ([
	["light", 1280],
	["dark", 1280],
	["light", 400],
	["dark", 400],
])) {
	test(`axe finds nothing, ${colorScheme}, ${width} px`, () =>
		visit(
			async (page) => {
				/** @type {Record<string, string[]>} */
				const found = {};
				const check = (/** @type {string} */ state) => look(page, state, found);
				await page.locator(".example").first().waitFor();
				await check("the empty page");
				await page.getByText("Recent sessions").click();
				await page.getByRole("switch", { name: "Keep the sessions that I open" }).check();
				await choose(page, "no session");
				await page.locator("#error pre").waitFor();
				await check("an input that is none, recent sessions unfolded");
				await choose(page, JSON.stringify(broken()), "hurt.json");
				await settled(page);
				await page.locator("#recent-list li").first().waitFor();
				await page.getByRole("button", { name: "See the changes first" }).click();
				await page.getByTestId("repair-view").locator("ins").first().waitFor();
				await check("a broken session and its repair");
				await page.getByRole("button", { name: "Accept the repair" }).click();
				await page.getByTestId("problems").getByText("No problems").waitFor();
				await page.getByRole("radio", { name: "Newest results", exact: true }).check();
				await page.getByRole("switch", { name: "Compact now" }).check();
				await settled(page);
				for (const name of [/^Diff/, /^Requests/, /^Breakpoints/, /^Quality/, /^Decisions/, /^Archive/]) {
					await outputTab(page, name);
					await settled(page);
					await unfold(page, "#panel-requests details, #panel-quality details");
					await check(String(name));
				}
				for (const name of ["Go", "curl", "Policy", "Changes"]) {
					await page.getByTestId("takeaway").getByRole("tab", { name, exact: true }).click();
					await check(`code: ${name}`);
				}
				await page.getByRole("switch", { name: /Put the session/ }).check();
				await page.locator("#share-says").getByText("The session is in the link").waitFor();
				await check("a link with the session");
				for (const name of /** @type {const} */ (["blocks", "timeline", "again", "compare", "totals"])) {
					await pane(page, name);
					await check(`the tab ${name}`);
				}
				await page.getByRole("radio", { name: "From the start" }).check();
				await check("from the start");
				await page.keyboard.press("?");
				await check("the list of keys");
				assert.deepEqual(found, {});
			},
			{ colorScheme, width },
		));
}
