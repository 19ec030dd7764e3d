// This file has axe look at the page in all its main states, in both themes and on a narrow screen: it must find
// nothing.
//
// Starts first: axe takes half a second for each state.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { choose, outputTab, pane, settled, startPage, unfold, visit } from "./page.js";
import { look, WIDTHS } from "./axe.js";
import { broken } from "./sessions.js";

startPage();

for (const width of WIDTHS) {
	test(`axe finds nothing, light and dark, ${width} px`, () =>
		visit(
			async (page) => {
				/** @type {Record<string, string[]>} */
				const found = {};
				const check = (/** @type {string} */ state, part = "") => look(page, state, found, part);
				const middle = "#workspace"; // where nothing else differs from the state before
				await page.locator(".example").first().waitFor();
				await check("the empty page");
				await page.getByText("Recent sessions").click();
				await page.getByRole("switch", { name: "Keep the sessions that I open" }).check();
				await choose(page, "no session");
				await page.locator("#error .what").waitFor();
				await page.locator("#others").click();
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
					await check(String(name), middle);
				}
				for (const name of ["Go", "curl", "Policy", "Changes"]) {
					await page.getByTestId("takeaway").getByRole("tab", { name, exact: true }).click();
					await check(`code: ${name}`, "[data-testid=takeaway]"); // nothing else differs from the Archive
				}
				await page.getByRole("switch", { name: /Put the session/ }).check();
				await page.locator("#share-says").getByText("The session is in the link").waitFor();
				await check("a link with the session");
				for (const name of /** @type {const} */ (["blocks", "timeline", "again", "compare", "totals"])) {
					await pane(page, name);
					await check(`the tab ${name}`, middle);
				}
				await page.getByRole("radio", { name: "From the start" }).check();
				await check("from the start");
				await page.keyboard.press("?");
				await check("the list of keys");
				assert.deepEqual(found, {});
			},
			{ width },
		));
}
