// This file tests that everyone can use the page: keyboard alone, screen reader names, contrast in both themes, a
// narrow screen.

import assert from "node:assert/strict";
import { poorContrast } from "./contrast.js";
import { journey, test } from "./journeys.js";
import { choose, inThemes, outputTab, overflow, pane, settled, startPage, still, unfold, visit } from "./page.js";
import { broken } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** @param {Page} page */
async function open(page) {
	await choose(page, JSON.stringify(broken()));
	await settled(page);
}

journey("with the keyboard alone: an example, a block, a preset, a repair, a tab", () =>
	visit(async (page) => {
		const reach = async (/** @type {string} */ selector) => {
			for (let i = 0; i < 80; i++) {
				if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
				await page.keyboard.press("Tab");
			}
			assert.fail(`Tab does not reach ${selector}`);
		};
		await reach(".example");
		await page.keyboard.press("Enter");
		await settled(page);
		await open(page);
		await page.keyboard.press("Escape");
		await reach("#repair");
		await reach("#problems .jump");
		await page.keyboard.press("Enter");
		const list = page.locator("#list");
		const active = async () => page.locator(`#${await list.getAttribute("aria-activedescendant")}`);
		assert.equal(await (await active()).getAttribute("data-fate"), "broken");
		await page.keyboard.press("Home");
		assert.equal(await (await active()).getAttribute("data-index"), "0");
		await page.keyboard.press("ArrowDown");
		assert.equal(await (await active()).getAttribute("data-index"), "1");
		const turn = await (await active()).getAttribute("data-index");
		await page.keyboard.press("ArrowRight");
		assert.notEqual(await (await active()).getAttribute("data-index"), turn);
		await page.keyboard.press("End");
		assert.equal(
			await (await active()).getAttribute("aria-posinset"),
			await (await active()).getAttribute("aria-setsize"),
		);
		await reach("#repair");
		await reach("#tab-blocks");
		await page.keyboard.press("End");
		await page.keyboard.press("ArrowLeft");
		await reach("#tab-result");
		await page.keyboard.press("ArrowRight");
		assert.ok(await page.locator("#diff").isVisible());
	}),
);

journey("every control has a name, and the parts of the page are landmarks", () =>
	visit(async (page) => {
		await open(page);
		await pane(page, "packed");
		const session = await page.context().newCDPSession(page);
		const { nodes } = await session.send("Accessibility.getFullAXTree");
		const roles = [
			"combobox",
			"button",
			"textbox",
			"radio",
			"checkbox",
			"switch",
			"spinbutton",
			"listbox",
			"option",
			"tab",
			"tabpanel",
			"image",
			"region",
			"navigation",
			"complementary",
			"radiogroup",
		];
		const controls = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value));
		// The page has about twice as many: the roles were found.
		assert.ok(controls.length > 40, String(controls.length));
		assert.deepEqual(
			controls.filter((node) => !node.name?.value?.trim()).map((node) => node.role?.value),
			[],
		);
		for (const role of ["main", "banner", "navigation", "tablist"])
			assert.ok(
				nodes.some((node) => node.role?.value === role),
				role,
			);
		for (const [role, name] of [
			["button", "Copy"],
			["button", "Download session and archive"],
			["radio", /Harness/],
			["spinbutton", /Keep newest results/],
			["region", "Packed session"],
		]) {
			await page
				.getByRole(/** @type {any} */ (role), { name, exact: typeof name === "string" })
				.first()
				.waitFor();
		}
		await page.getByLabel("Open a session file").waitFor({ state: "attached" });
	}),
);

test("text has the contrast of WCAG AA, light and dark", () =>
	visit(async (page) => {
		const readable = (/** @type {string} */ state) =>
			inThemes(page, async (theme) => {
				assert.deepEqual(await page.evaluate(poorContrast), [], `${state}, ${theme}`);
				const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
				assert.equal(ground === "rgb(23, 19, 16)", theme === "dark");
			});
		await readable("empty");
		await open(page);
		for (const name of [/^Decisions/, /^Diff/, /^Breakpoints/]) {
			await outputTab(page, name);
			await settled(page);
			await readable(String(name));
		}
		await page.getByRole("button", { name: "Repair all" }).click();
		await page.getByRole("radio", { name: "Newest results", exact: true }).check();
		await page.getByRole("switch", { name: "Compact now" }).check();
		for (const name of [/^Requests/, /^Quality/, /^Diff/]) {
			await outputTab(page, name);
			await settled(page);
			await unfold(page);
			await readable(`compacted, ${name}`);
		}
		await choose(page, "no session");
		await page.locator("#error .what").waitFor();
		await readable("an error");
	}));

test("the theme can be chosen, and stays chosen", () =>
	visit(async (page) => {
		const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
		const light = await ground();
		await page.getByRole("button", { name: "Theme: system" }).click();
		await page.getByRole("button", { name: "Theme: light" }).click();
		await page.getByRole("button", { name: "Theme: dark" }).waitFor();
		assert.notEqual(await ground(), light);
		await page.reload();
		await page.getByRole("button", { name: "Theme: dark" }).waitFor();
		assert.notEqual(await ground(), light);
	}));

journey("nothing needs sideways scrolling at 320, 400, 768 and 1024 px", () =>
	visit(
		async (page) => {
			// The narrowest comes last, so everything is pressed in it.
			const fits = async (/** @type {string} */ state) => {
				for (const width of [1024, 768, 400, 320]) {
					await page.setViewportSize({ width, height: 800 });
					await still(page);
					assert.equal(await overflow(page), 0, `${state}, ${width} px`);
				}
			};
			await fits("empty");
			await open(page);
			await fits("a session");
			await page.getByRole("switch", { name: "Compact now" }).check();
			for (const name of ["Diff", "Requests", "Breakpoints", "Quality", "Decisions", "Archive"]) {
				await outputTab(page, new RegExp(`^${name}`));
				await settled(page);
				await fits(name);
			}
			for (const name of /** @type {const} */ (["timeline", "again", "compare", "totals", "blocks"])) {
				await pane(page, name);
				await fits(name);
			}
			await page.locator("#list").click({ position: { x: 60, y: 45 } });
			await page.locator("#details h3").waitFor();
			await choose(page, `{"messages": [${'"a long line without a break"'.repeat(50)}`);
			await page.locator("#error .what").waitFor();
			await fits("an error");
		},
		{ width: 320, height: 800 },
	),
);

test("hovering and focusing a block show its kind, fate and reason", () =>
	visit(async (page) => {
		await open(page);
		const row = page.locator("#list [data-fate=cleared]").first();
		await row.hover();
		assert.match((await page.locator("#details").textContent()) ?? "", /Cleared.*Why: ./s);
		await page.mouse.move(2, 2);
		await row.click();
		assert.match((await page.locator("#details").textContent()) ?? "", /Cleared.*Why: ./s);
		await page.getByRole("button", { name: /Go to its call/ }).click();
		const list = page.locator("#list");
		assert.match(
			(await page.locator(`#${await list.getAttribute("aria-activedescendant")}`).textContent()) ?? "",
			/call/,
		);
	}));

test("the layout does not move while numbers change", () =>
	visit(async (page) => {
		await open(page);
		const top = () => page.locator("#workspace").evaluate((element) => /** @type {HTMLElement} */ (element).offsetTop);
		const was = await top();
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("1");
		await settled(page);
		await still(page);
		assert.equal(await top(), was);
	}));

test("the first visit is one viewport of 1280 × 800 in every tab: only panes scroll, and the whole timeline shows", () =>
	visit(
		async (page) => {
			await settled(page);
			await page.locator("[data-testid=timeline][data-state=ready]").waitFor({ state: "attached" });
			const parts = await page.locator("#timeline").evaluate((timeline) => {
				const end = (/** @type {Element | null} */ element) => element?.getBoundingClientRect().bottom ?? NaN;
				return [end(timeline.querySelector("svg")), end(timeline.closest(".pane"))];
			});
			assert.ok(parts[0] <= parts[1], `the picture ends at ${parts[0]}, its pane at ${parts[1]}`);
			for (const name of /** @type {const} */ (["timeline", "blocks", "again", "compare", "packed", "totals"])) {
				await pane(page, name);
				await still(page);
				const over = await page.evaluate(() =>
					[document.documentElement, document.querySelector("main")].map((element) =>
						element ? element.scrollHeight - element.clientHeight : NaN,
					),
				);
				assert.deepEqual(over, [0, 0], name);
			}
		},
		{ hash: "#example=tour&tab=timeline", tuning: false, height: 800 },
	));
