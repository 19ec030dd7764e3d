// This file tests the keyboard, and that every change can be taken back and done again.
//
// Measures: the time to the next frame.

import assert from "node:assert/strict";
import { measure } from "./measure.js";
import { journey, test } from "./journeys.js";
import { choose, eventually, outputTab, pane, settled, startPage, still, value, visit } from "./page.js";
import { working } from "./quick.js";
import { anthropic, broken } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** @param {Page} page @param {string} [content] @param {string} [name] */
async function open(page, content = JSON.stringify(anthropic(20)), name = "session.json") {
	await choose(page, content, name);
	await page.locator(`#chip [data-source="${name}"]`).waitFor();
	await settled(page);
}

/** What can be changed, as the page shows it. @param {Page} page */
const standing = (page) =>
	page.evaluate(() => ({
		preset: /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=preset]:checked"))?.value,
		keep: /** @type {HTMLInputElement | null} */ (
			document.querySelector("[data-path='clear.keepRecent'] input[type=number]")
		)?.value,
		force: /** @type {any} */ (document.getElementById("force")).checked,
		focus: /** @type {any} */ (document.getElementById("focus")).value,
		session: document.querySelector("#chip .name")?.textContent,
		problems: document.getElementById("problems")?.dataset.state,
		after: document.getElementById("after")?.dataset.value,
		hash: location.hash.replace(/&tab=\w+/, ""),
	}));

journey("every change is undone in turn, and done again, by keys and by buttons", () =>
	visit(async (page) => {
		await open(page);
		const states = [await standing(page)];
		const [undo, redo] = [page.locator("#undo"), page.locator("#redo")];
		assert.ok((await undo.isDisabled()) && (await redo.isDisabled()));
		const step = async (/** @type {string} */ label, /** @type {() => Promise<unknown>} */ change) => {
			await change();
			await page.waitForFunction((want) => document.getElementById("undo")?.title === want, `Undo: ${label}`);
			await settled(page);
			states.push(await standing(page));
		};
		await step("Keep newest results", () =>
			page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("9"),
		);
		await step("preset Newest results", () => page.getByRole("radio", { name: "Newest results", exact: true }).check());
		await step("compact now on", () => page.getByRole("switch", { name: "Compact now" }).check());
		await step("what to preserve", () => page.getByRole("textbox", { name: "What to preserve" }).fill("the tests"));
		await outputTab(page, /^Requests/);
		await step("an answer", () => page.getByRole("radio", { name: "Fail this one" }).first().check());
		await outputTab(page, /^Result/);
		await step("opened hurt.json", () => open(page, JSON.stringify(broken()), "hurt.json"));
		await step("repair", () => page.getByRole("button", { name: "Repair all" }).click());
		await step("reset to defaults", async () => {
			await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("1");
			await settled(page);
			states.push(await standing(page));
			await page.getByRole("button", { name: "Reset to defaults" }).click();
		});

		const same = async (/** @type {number} */ i) => {
			await page.waitForFunction(
				(want) => document.querySelector("#chip .name")?.textContent === want,
				states[i].session,
			);
			await page.waitForFunction((want) => document.getElementById("after")?.dataset.value === want, states[i].after);
			await settled(page);
			assert.deepEqual(await standing(page), states[i], `state ${i}`);
		};
		await page.locator("h2#policy-title").click(); // out of every field
		for (let i = states.length - 2; i >= 0; i--) {
			await page.keyboard.press("Control+z");
			await same(i);
		}
		assert.ok(await undo.isDisabled());
		for (let i = 1; i < states.length; i++) {
			if (i % 3 === 0) await redo.click();
			else await page.keyboard.press(i % 2 ? "Control+Shift+z" : "Control+y");
			await same(i);
		}
		assert.ok(await redo.isDisabled());
		await undo.click();
		await same(states.length - 2);
		// A new change ends what could be done again.
		await page.getByRole("radio", { name: "Prune", exact: true }).check();
		await settled(page);
		assert.ok(await redo.isDisabled());
	}),
);

test("within a text field the keys for undo are the field's own, and typing is one step", () =>
	visit(async (page) => {
		await open(page);
		const field = page.getByRole("textbox", { name: "What to preserve" });
		await page.getByRole("switch", { name: "Compact now" }).check();
		await settled(page);
		await field.pressSequentially("abc");
		await page.keyboard.press("Control+z");
		assert.notEqual(await field.inputValue(), "abc");
		assert.ok(await page.getByRole("switch", { name: "Compact now" }).isChecked(), "nothing but the field was changed");
		await settled(page);
		await page.locator("#undo").click(); // all that was typed is one step
		await page.waitForFunction(() => document.getElementById("undo")?.title === "Undo: compact now on");
		assert.equal(await field.inputValue(), "");
	}));

test("? lists the keys in a dialog that holds the focus, Esc closes it, and the focus returns", () =>
	visit(async (page) => {
		await open(page);
		await pane(page, "packed");
		await page.locator("#tab-diff").focus();
		await page.keyboard.press("?");
		const dialog = page.getByRole("dialog", { name: "Keys" });
		await dialog.waitFor();
		assert.ok((await dialog.locator("kbd").count()) > 25); // the list is not cut: it has more keys than that
		assert.match((await dialog.textContent()) ?? "", /CtrlZUndo the last change/);
		for (let i = 0; i < 6; i++) {
			assert.ok(
				await page.evaluate(
					() =>
						document.activeElement === document.body ||
						document.getElementById("keys")?.contains(document.activeElement),
				),
			);
			await page.keyboard.press("Tab");
		}
		await page.keyboard.press("]");
		assert.ok(
			await page.locator("input[name=preset][value=harness]").isChecked(),
			"keys of the page rest while the list is open",
		);
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "hidden" });
		assert.equal(await page.evaluate(() => document.activeElement?.id), "tab-diff");
		await page.getByRole("button", { name: "Keys" }).click();
		await dialog.getByRole("button", { name: "Close" }).click();
		assert.equal(await page.evaluate(() => document.activeElement?.id), "keys-open");
	}));

test("single keys do what the list says, but not in a field, and can be turned off", () =>
	visit(async (page) => {
		await open(page, JSON.stringify(broken()), "hurt.json");
		const chosen = page.waitForEvent("filechooser", { timeout: 60_000 }); // to watch for one takes the browser a while
		chosen.catch(() => {}); // a failure before it is the test's own
		const checked = () => page.locator("input[name=preset]:checked").inputValue();
		const first = await checked();
		await page.keyboard.press("]");
		assert.notEqual(await checked(), first);
		await page.keyboard.press("[");
		assert.equal(await checked(), first);
		const on = await page.locator("#force").isChecked();
		await page.keyboard.press("c");
		assert.equal(await page.locator("#force").isChecked(), !on);
		await settled(page);
		const active = (/** @type {string} */ path) =>
			eventually(async () => {
				const there = await page.evaluate(
					() =>
						document.getElementById(document.querySelector("#list")?.getAttribute("aria-activedescendant") ?? "")
							?.dataset.path,
				);
				assert.equal(there, path);
			});
		await page.keyboard.press("n");
		await active("/messages/5/content/1");
		await page.keyboard.press("n");
		await active("/messages/6/content/0");
		await page.keyboard.press("Shift+n");
		await active("/messages/5/content/1");
		await page.keyboard.press("r");
		await page.getByRole("button", { name: "Accept the repair" }).waitFor();
		await page.keyboard.press("r");
		await page.getByTestId("repair-view").waitFor({ state: "hidden" });
		await page.keyboard.press("b");
		assert.equal(await page.evaluate(() => document.activeElement?.id), "list");
		await page.keyboard.press("d");
		assert.ok(await page.locator("#diff").isVisible());
		await page.keyboard.press("e");
		assert.ok(await page.locator("#text").isVisible());
		await page.keyboard.press("e");
		await settled(page);
		await page.keyboard.press("y");
		await page.locator("#toasts").getByText("Copied the packed session").waitFor();
		await page.keyboard.press("l");
		await page.locator("#toasts").getByText("Copied the link").waitFor();
		const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
		assert.equal(download.suggestedFilename(), "hurt.compacted.json");
		await page.keyboard.press("o");
		assert.equal((await chosen).isMultiple(), false);

		const field = page.getByRole("textbox", { name: "What to preserve" });
		await field.pressSequentially("b[?cne");
		assert.equal(await field.inputValue(), "b[?cne");
		assert.equal(await page.getByRole("dialog").isVisible(), false);
		await page.locator("h2#policy-title").click();
		await page.keyboard.press("?");
		await page.getByRole("switch", { name: /Single keys/ }).uncheck();
		await page.keyboard.press("Escape");
		const now = await checked();
		await page.keyboard.press("]");
		assert.equal(await checked(), now);
		await page.keyboard.press("?");
		await page.getByRole("dialog").waitFor();
		await page.reload();
		assert.equal(await page.locator("#keys-single").isChecked(), false);
	}));

test("every element that Tab reaches shows the focus", () =>
	visit(async (page) => {
		await open(page, JSON.stringify(broken()), "hurt.json");
		/** @type {string[]} */
		const bare = [];
		const seen = new Set();
		for (let i = 0; i < 299; i++) {
			// The middle shows one tab at a time.
			if (i % 60 === 59)
				await pane(page, /** @type {const} */ (["timeline", "compare", "packed", "totals"])[Math.floor(i / 60)]);
			await page.keyboard.press("Tab");
			const at = await page.evaluate(() => {
				const element = /** @type {HTMLElement} */ (document.activeElement);
				const marks = (/** @type {Element} */ of) =>
					getComputedStyle(of).outlineStyle !== "none" && parseFloat(getComputedStyle(of).outlineWidth) >= 2;
				// A list shows the focus on its active row, a hidden field on its label.
				const shown = [element, element.closest("label"), element.querySelector("[aria-selected=true]")].some(
					(of) => of && marks(of),
				);
				return {
					body: element === document.body,
					name: `${element.tagName} ${element.id || element.className || element.textContent?.slice(0, 30)}`,
					shown,
				};
			});
			if (at.body) continue;
			seen.add(at.name);
			if (!at.shown) bare.push(at.name);
		}
		assert.deepEqual([...new Set(bare)], []);
		assert.ok(seen.size > 40, String(seen.size)); // Tab went through the page and did not stop in a part
	}));

test("opening a session and changing the policy cause no layout shift", () =>
	visit(async (page) => {
		await page.addInitScript(() => {
			/** @type {any} */ (globalThis).shifts = [];
			new PerformanceObserver((list) => {
				for (const entry of /** @type {any[]} */ (list.getEntries())) {
					if (!entry.hadRecentInput)
						/** @type {any} */ (globalThis).shifts.push([
							entry.value,
							...entry.sources.map((/** @type {any} */ s) => s.node?.id || s.node?.className || s.node?.nodeName),
						]);
				}
			}).observe({ type: "layout-shift", buffered: true });
		});
		await page.reload();
		await page.locator(".example").first().waitFor();
		await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
		await still(page);
		await open(page, JSON.stringify(anthropic(150, 6000)), "large.json");
		await page.waitForFunction(() => !/Looking/.test(document.getElementById("repeats-note")?.textContent ?? ""));
		await still(page);
		for (const name of ["Newest results", "Turns", "Prune", "Hierarchical"]) {
			await page.getByRole("radio", { name, exact: true }).check();
			await settled(page);
			await still(page);
		}
		await page.getByRole("switch", { name: "Compact now" }).check();
		await settled(page);
		await page.locator("#timeline[data-state=ready]").waitFor({ state: "attached", timeout: 60_000 }); // several replays of 1 MB
		await still(page);
		const shifts = await page.evaluate(() => /** @type {any} */ (globalThis).shifts);
		const sum = shifts.reduce((/** @type {number} */ total, /** @type {number[]} */ [value]) => total + value, 0);
		// "good" is under 0.1 (web.dev/cls); a fifth of it, since the page has room for what comes later.
		assert.ok(sum < 0.02, JSON.stringify(shifts));
	}));

measure("with a session of 1 MB every change is painted within 100 ms", (t) =>
	visit(async (page) => {
		await open(page, JSON.stringify(anthropic(160, 6000)), "large.json");
		assert.ok((await value(page, "before")) > 200_000); // 1 MB is about 250,000 tokens
		const busy = await working(page);
		/** @type {Record<string, {own: number[], wall: number[]}>} */
		const times = {};
		const time = async (/** @type {string} */ name, /** @type {string} */ selector) => {
			await settled(page);
			// A replay starts 250 ms after a change; this test measures the change alone
			await page.waitForTimeout(300);
			const before = await busy();
			const wall = await page
				.locator(selector)
				.first()
				.evaluate(async (/** @type {HTMLInputElement} */ element) => {
					const start = performance.now();
					if (element.type === "range") {
						element.value = String(Number(element.value) + 1);
						element.dispatchEvent(new Event("input"));
					} else element.click();
					await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
					return performance.now() - start;
				});
			times[name] ??= { own: [], wall: [] };
			times[name].own.push((await busy()) - before);
			times[name].wall.push(wall);
		};
		for (const [preset, tab] of [
			["s06", "diff"],
			["turns", "decisions"],
			["prune", "archive"],
			["critical", "quality"],
			["harness", "result"],
		]) {
			await time("preset", `input[name=preset][value=${preset}]`);
			await time("slider", "#params input[type=range]");
			await time("force", "#force");
			await time("undo", "#undo");
			await time("tab", `#tab-${tab}`);
		}
		const middle = (/** @type {number[]} */ all) => Math.round([...all].sort((a, b) => a - b)[2]);
		t.diagnostic(
			`1 MB, to the next frame: ${Object.entries(times)
				.map(
					([name, { own, wall }]) => `${name} ${middle(own)} ms of the page's thread, ${middle(wall)} ms by the clock`,
				)
				.join("; ")}`,
		);
		// What people notice as immediate ends at 100 ms.
		for (const [name, { own }] of Object.entries(times)) assert.ok(middle(own) < 100, `${name}: ${own} ms`);
	}),
);
