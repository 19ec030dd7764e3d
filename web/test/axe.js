// This file has axe look at a state of the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { still } from "./page.js";

/** @typedef {import("playwright-core").Page} Page */

/** The themes and widths in which every state is looked at. @type {{colorScheme: "light" | "dark", width: number}[]} */
export const VIEWS = [
	{ colorScheme: "light", width: 1280 },
	{ colorScheme: "dark", width: 1280 },
	{ colorScheme: "light", width: 400 },
	{ colorScheme: "dark", width: 400 },
];

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Adds what axe finds in a state of the page to found, so that a test reports all its states at once.
 * @param {Page} page
 * @param {string} state
 * @param {Record<string, string[]>} found
 */
export async function look(page, state, found) {
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
