// This file has axe look at a state of the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { few } from "../../wasm/npm/test/few.js";
import { inThemes, still } from "./page.js";

/** @typedef {import("playwright-core").Page} Page */

/** The widths in which every state is looked at, in both themes. */
export const WIDTHS = few ? [1280] : [1280, 400];

/** The rules of axe's category color, without the one of level AAA, which axe does not run by itself either. */
const COLORS = ["color-contrast", "link-in-text-block"];

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Adds what axe finds in a state of the page to found, so that a test reports all its states at once. In the light theme
 * it runs all rules; in the dark one those that read colors, since a theme changes nothing else. With few
 * inputs it does not look at the dark one, whose contrast access.test.js measures.
 * @param {Page} page
 * @param {string} state
 * @param {Record<string, string[]>} found
 * @param {string} [part] selector of the part to look at; default: the document
 */
export async function look(page, state, found, part = "") {
	await page.waitForFunction(
		() => ![...document.querySelectorAll("[aria-busy=true]")].some((element) => element.checkVisibility()),
	);
	await still(page);
	// Evaluated from outside, so the page's own policy stays as strict as it is.
	if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
	const check = async (/** @type {"light" | "dark"} */ colorScheme) => {
		const violations = await page.evaluate(
			async ({ part, only }) => {
				const { violations } = await /** @type {any} */ (globalThis).axe.run(part || document, {
					resultTypes: ["violations"],
					...only,
				});
				return violations.map(
					(/** @type {any} */ { id, help, nodes }) =>
						`${id}: ${help}: ${nodes
							.slice(0, 3)
							.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`)
							.join(" | ")}`,
				);
			},
			{ part, only: colorScheme === "dark" ? { runOnly: COLORS } : {} },
		);
		if (violations.length > 0) found[`${state}, ${colorScheme}`] = violations;
	};
	await inThemes(page, check, few ? ["light"] : ["dark", "light"]);
}
