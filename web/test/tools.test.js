// This file tests what fills a session: the table of tools, the largest blocks, repeats, and the filter of the list.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, inThemes, overflow, pane, settled, startPage, still, visit } from "./page.js";
import { everything, repeating } from "./readable.js";
import { anthropic, claudeCode, openai } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** @param {Page} page @param {object | string} session */
async function open(page, session) {
	await choose(page, typeof session === "string" ? session : JSON.stringify(session));
	await settled(page);
	await page.waitForFunction(() => !/Looking/.test(document.getElementById("repeats-note")?.textContent ?? ""));
	await pane(page, "totals");
}

/** @param {Page} page */
const shown = (page) =>
	page
		.locator("#list [role=option]")
		.evaluateAll((rows) => rows.map((row) => `${row.querySelector(".label")?.textContent}`));
/** @param {Page} page */
const numbers = async (page) =>
	Number((await page.locator("#list [role=option]").first().getAttribute("aria-setsize")) ?? 0);

journey("the table says what each tool takes, and a click shows its blocks only", () =>
	visit(async (page) => {
		await open(page, repeating());
		const rows = await page
			.locator("#tools tbody tr")
			.evaluateAll((trs) => trs.map((tr) => [...tr.children].map((cell) => cell.textContent ?? "")));
		const [first] = rows;
		const before = Number(await page.getByTestId("before").getAttribute("data-value"));
		assert.equal(first[0], "Read");
		assert.equal(rows.find((row) => row[0] === "Bash")?.[3], "4", "calls");
		assert.equal(rows.find((row) => row[0] === "Bash")?.[4], "3", "errors");
		const tokens = rows.map((row) => Number(row[2].split(":")[0].replaceAll(",", "")));
		assert.ok(tokens.every((n) => n > 0 && n <= before));
		assert.ok(tokens.reduce((sum, n) => sum + n, 0) <= before, "message overhead belongs to no tool");
		assert.match(first[2], /^[\d,]+: [\d,]+ in calls, [\d,]+ in results$/);
		assert.match(
			(await page.locator("#survey-says").textContent()) ?? "",
			/^Read fills \d+ % of this session; [\d,]+ tokens \(\d+ %\) went into repeats\.$/,
		);
		await page.locator("#tools").getByRole("button", { name: "Grep", exact: true }).click();
		assert.deepEqual(await shown(page), ["Grep call", "Grep result", "Grep call", "Grep result"]);
		assert.match((await page.locator("#filter-note").textContent()) ?? "", /^4 of 24 blocks · [\d,]+ tokens$/);
		assert.equal(await page.locator("#tools [aria-pressed=true]").textContent(), "Grep");
		await page.getByRole("button", { name: "Clear filter" }).click();
		assert.equal(await numbers(page), 24);
		await pane(page, "totals");
		await page
			.locator("#tools")
			.getByRole("button", { name: /Largest of Grep/ })
			.click();
		assert.match((await page.locator("#list [aria-selected=true]").textContent()) ?? "", /Grep result/);
	}),
);

test("chips of tool, role, kind and fate: one group adds up, groups narrow down, the list goes on working", () =>
	visit(async (page) => {
		await open(page, repeating());
		await pane(page, "blocks");
		await page.getByRole("button", { name: "Filter", exact: true }).click();
		const chip = (/** @type {string} */ group, /** @type {RegExp} */ name) =>
			page.getByRole("group", { name: `Filter by ${group}` }).getByRole("button", { name });
		await chip("tool", /^Bash/).click();
		await chip("tool", /^Grep/).click();
		assert.equal(await numbers(page), 12);
		await chip("kind", /^Result/).click();
		assert.equal(await numbers(page), 6);
		assert.equal(await chip("kind", /^Result/).getAttribute("aria-pressed"), "true");
		await page.locator("#list").focus();
		await page.keyboard.press("End");
		assert.equal(await page.locator("#list [aria-selected=true]").getAttribute("aria-posinset"), "6");
		await page.keyboard.press("ArrowLeft");
		assert.equal(await page.locator("#list [aria-selected=true]").getAttribute("aria-posinset"), "5", "turn by turn");
		await chip("role", /^Assistant/).click();
		assert.ok(await page.getByText("No block passes this filter.").isVisible());
		assert.equal(await page.locator("#list").getAttribute("aria-activedescendant"), null);
		await page.locator("#list").focus();
		for (const key of ["ArrowDown", "End", "Enter"]) await page.keyboard.press(key);
		await page.getByRole("button", { name: "Clear filter" }).click();
		assert.equal(await numbers(page), 24);
		assert.equal(await page.evaluate(() => document.activeElement?.id), "filter-open");
	}));

test("a search counts in the blocks that are shown; a way to a hidden block drops the filter", () =>
	visit(async (page) => {
		await open(page, repeating());
		await page.locator("#tools").getByRole("button", { name: "Read", exact: true }).click();
		await page.locator("#search-text").fill("fold");
		await page.waitForFunction(() => /in 10 blocks$/.test(document.getElementById("search-note")?.textContent ?? ""));
		await page.locator("#search-text").fill("TestFold");
		await page.waitForFunction(
			() => document.getElementById("search-note")?.textContent === "No matches in the shown blocks",
		);
		await pane(page, "totals");
		await page.locator("#largest .entry").filter({ hasText: "Bash result" }).first().click();
		assert.equal(await numbers(page), 24);
		assert.match((await page.locator("#list [aria-selected=true]").textContent()) ?? "", /Bash result/);
		await page.waitForFunction(() => document.getElementById("search-note")?.textContent === "3 matches in 3 blocks");
	}));

test("the ten largest blocks, largest first; a click selects", () =>
	visit(async (page) => {
		await open(page, anthropic(12, 3000));
		const tokens = await page.locator("#largest .amount").allTextContents();
		assert.equal(tokens.length, 10);
		assert.deepEqual(
			tokens,
			[...tokens].sort((a, b) => Number(b.replaceAll(",", "")) - Number(a.replaceAll(",", ""))),
		);
		const entry = page.locator("#largest .entry").nth(3);
		await entry.click();
		const selected = page.locator("#list [aria-selected=true]");
		assert.equal(await selected.getAttribute("data-index"), await entry.getAttribute("data-index"));
		assert.equal(await page.evaluate(() => document.activeElement?.id), "list");
		assert.ok(await selected.isVisible());
	}));

test("repeats are listed with their cost, and clicks go through them", () =>
	visit(async (page) => {
		await open(page, repeating());
		const repeats = page.locator("#repeats .entry");
		assert.deepEqual((await repeats.locator(".what").allTextContents()).sort(), [
			"Bash 3 × same call and result",
			"File read 5 times",
			"Grep 2 × same result",
		]);
		const file = repeats.filter({ hasText: "src/fold.go" });
		const click = async () => {
			await pane(page, "totals");
			await file.click();
		};
		await click();
		assert.equal(await numbers(page), 10, "the calls and their results");
		const at = async () => page.locator("#list [aria-selected=true]").getAttribute("data-path");
		assert.equal(await at(), "/messages/1/content/0");
		assert.equal(await file.locator(".step").textContent(), "1 of 5");
		await click();
		assert.equal(await at(), "/messages/3/content/0");
		for (let i = 0; i < 4; i++) await click();
		assert.equal(await at(), "/messages/1/content/0", "wraps around");
		assert.match((await page.locator("#filter-open").textContent()) ?? "", /src\/fold\.go, 5 times/);
	}));

test("sessions of all formats have their table; an empty part says so", () =>
	visit(async (page) => {
		await open(page, openai(6));
		assert.equal(
			await page.locator("#tools tbody tr td").nth(3).textContent(),
			"–",
			"a format that does not tell errors",
		);
		await open(page, claudeCode(6));
		assert.equal(await page.locator("#tools tbody tr").count(), 3);
		assert.match((await page.locator("#repeats-note").textContent()) ?? "", /Nothing twice/);
		await open(page, {
			messages: [
				{ role: "user", content: "hello" },
				{ role: "assistant", content: "hi" },
			],
		});
		assert.equal(await page.locator("#survey-says").textContent(), "No tool was called in this session.");
		await pane(page, "blocks");
		await page.getByRole("button", { name: "Filter", exact: true }).click();
		assert.ok(await page.getByText("No tool was called", { exact: true }).isVisible());
		await open(page, {
			model: "m",
			messages: [
				{ role: "user", content: "go" },
				{ role: "assistant", content: [{ type: "tool_use", id: "x", name: "__proto__", input: { constructor: "a" } }] },
				{ role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: "ok" }] },
			],
		});
		assert.equal(await page.locator("#tools tbody th").first().textContent(), "__proto__");
		await page.locator("#tools").getByRole("button", { name: "__proto__", exact: true }).click();
		assert.equal(await numbers(page), 2);
	}));

test("if the texts cannot be read, the page says so and the list still works", () =>
	visit(async (page) => {
		await page.route("**/text.worker.js", (route) =>
			route.fulfill({ contentType: "text/javascript", body: "throw new Error('out of memory')" }),
		);
		await open(page, repeating());
		assert.match(
			(await page.locator("#repeats-note").textContent()) ?? "",
			/could not be read, so repeats are not known\. Take a part/,
		);
		assert.equal(await page.locator("#tools tbody tr").count(), 4);
		await pane(page, "blocks");
		await page.locator("#search-text").fill("fold");
		await page.waitForFunction(
			() => document.getElementById("search-note")?.textContent === "This session cannot be searched",
		);
		await page.locator("#list").focus();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByTestId("reader-body").getByText("The texts of this session could not be read").waitFor();
	}));

for (const width of [1280, 400]) {
	test(`nothing moves while facts arrive, and a policy changes no filter, ${width} px`, () =>
		visit(
			async (page) => {
				await page.evaluate(() => {
					const sizes = () =>
						[".blocks", ".right"].map((part) => document.querySelector(part)?.getBoundingClientRect().height);
					const session = document.getElementById("session");
					if (session)
						new MutationObserver(
							() =>
								!session.hidden &&
								requestAnimationFrame(() =>
									Object.assign(globalThis, { first: /** @type {any} */ (globalThis).first ?? sizes() }),
								),
						).observe(session, { attributes: true });
				});
				await open(page, repeating());
				await pane(page, "blocks");
				const sizes = () =>
					page.evaluate(() =>
						[".blocks", ".right"].map((part) => document.querySelector(part)?.getBoundingClientRect().height),
					);
				const was = await sizes();
				assert.deepEqual(
					was,
					await page.evaluate(() => /** @type {any} */ (globalThis).first),
					"as when the session was opened",
				);
				await pane(page, "totals");
				await page.locator("#tools").getByRole("button", { name: "Read", exact: true }).click();
				await page.locator("#tuning").evaluate((tuning) => tuning.setAttribute("open", ""));
				await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("1");
				await page.locator("#busy[data-work=idle]").waitFor({ state: "attached" });
				await settled(page);
				await still(page);
				assert.deepEqual(await sizes(), was);
				assert.equal(await numbers(page), 10);
				await open(page, everything());
				assert.equal(await numbers(page), 17, "another session starts unfiltered");
			},
			{ width },
		));
}

test("at 400 px nothing needs sideways scrolling, everything has a name, light and dark", () =>
	visit(
		async (page) => {
			const fits = () => inThemes(page, async (theme) => assert.equal(await overflow(page), 0, theme));
			await open(page, repeating());
			await fits();
			await pane(page, "blocks");
			await fits();
			await page.getByRole("button", { name: "Filter", exact: true }).click();
			await page.locator("#search-text").fill("fold");
			await page.locator("#search[data-state=found]").waitFor();
			await fits();
			await page.locator("#list").focus();
			await page.keyboard.press("Enter");
			await page.locator("#reader[open]").waitFor();
			await page.locator("#reader-body[aria-busy=false]").waitFor();
			const session = await page.context().newCDPSession(page);
			await inThemes(page, async () => {
				const wide = await page.evaluate(() =>
					[...document.querySelectorAll("#reader *")]
						.filter(
							(e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".reading"),
						)
						.map((e) => e.id || e.className),
				);
				assert.deepEqual(wide, []);
				const { nodes } = await session.send("Accessibility.getFullAXTree");
				const controls = nodes.filter(
					(node) => !node.ignored && ["button", "searchbox", "dialog", "group", "search"].includes(node.role?.value),
				);
				assert.ok(controls.length >= 10, String(controls.length));
				assert.deepEqual(
					controls.filter((node) => !node.name?.value?.trim()).map((node) => node.role?.value),
					[],
				);
			});
		},
		{ width: 400, height: 800 },
	));
