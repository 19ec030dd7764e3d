// This file tests summaries: when they are asked for, who answers, and what comes of each answer.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, download, outputTab, pane, settled, startPage, value, visit } from "./page.js";
import { anthropic, claudeCode, openai, talkative } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const LONG = JSON.stringify(talkative(60));
const RESULTS = JSON.stringify(anthropic(60, 4000)); // most of it is in results, whose clearing pays

/** @param {Page} page @param {string} [content] */
async function open(page, content = LONG) {
	await choose(page, content);
	await settled(page);
	await pane(page, "packed");
}

/** @param {Page} page @param {string} name */
async function tab(page, name) {
	await outputTab(page, new RegExp(`^${name}`));
	await settled(page);
}

/** Waits until a change has gone through. @param {Page} page @param {() => Promise<unknown>} act */
async function after(page, act) {
	const was = await page.getByTestId("result").textContent();
	await act();
	await page.waitForFunction(
		(text) =>
			document.getElementById("result")?.getAttribute("aria-busy") === "false" &&
			document.getElementById("result")?.textContent !== text,
		was,
	);
	await settled(page);
}

test("the default is balanced, shown as if its trigger had fired; the page says the trigger, and the switch decides", () =>
	visit(
		async (page) => {
			const trigger = async () => (await page.getByTestId("trigger").textContent()) ?? "";
			const compactNow = page.getByRole("switch", { name: "Compact now" });
			await open(page, JSON.stringify(anthropic(12, 3000))); // too short for clearing to pay
			assert.ok(await page.getByRole("radio", { name: "Balanced", exact: true }).isChecked());
			// 72.5 % of the window of 200,000 without the system prompt of the example, and the system prompt.
			assert.match(
				await trigger(),
				/^Acts above 145,002 tokens \(soft limit\): not yet\. Shown as if you compacted now\.$/,
			);
			assert.ok(
				(await value(page, "after")) < (await value(page, "before")),
				"without a policy in the address the page shows the effect of the default",
			);
			assert.ok(await compactNow.isChecked());
			assert.match((await page.locator("#verdict").textContent()) ?? "", /blocks cleared or shortened/);

			await compactNow.uncheck();
			await page.waitForFunction(() => document.getElementById("saved")?.textContent === "0 %");
			await settled(page);
			assert.match(await trigger(), /^Acts above 145,002 tokens \(soft limit\): not yet\.$/);
			assert.equal(await value(page, "before"), await value(page, "after"));

			await page.getByRole("button", { name: "Compact now" }).click();
			await page.waitForFunction(() => document.getElementById("saved")?.textContent !== "0 %");
			await settled(page);
			assert.match(await trigger(), /^Fired by hand\.$/);
			assert.equal(await page.evaluate(() => location.hash), "#preset=balanced&force=true&tab=packed");
		},
		{ hash: "" },
	));

test("the default clears as soon as that pays, and the page says so with both amounts", () =>
	visit(
		async (page) => {
			await open(page, RESULTS);
			const text = (await page.getByTestId("trigger").textContent()) ?? "";
			const amounts =
				/^Clearing pays: keeping the old results has cost ([\d,]+) tokens so far, rewriting costs ([\d,]+)\.$/.exec(
					text,
				);
			assert.ok(amounts, text);
			const [rent, cost] = amounts.slice(1).map((amount) => Number(amount.replaceAll(",", "")));
			assert.ok(rent >= cost, text);
			assert.ok((await value(page, "after")) < (await value(page, "before")));
		},
		{ hash: "" },
	));

for (const [how, window, asks] of /** @type {const} */ ([
	["with clearing alone", 45_000, false],
	["with summaries", 40_000, true],
]))
	test(`a trigger that fires says which, with both numbers, ${how}`, () =>
		visit(
			async (page) => {
				await open(page, asks ? LONG : RESULTS);
				assert.match(
					(await page.getByTestId("trigger").textContent()) ?? "",
					/^Fired: above [\d,]+ tokens \(.* limit\)\.$/,
				);
				if (!asks) return;
				await tab(page, "Requests");
				assert.ok((await page.locator(".request").count()) > 0);
			},
			{ hash: `#preset=balanced&trigger.window=${window}` },
		));

for (const [format, content] of [
	["Anthropic", JSON.stringify(anthropic(26, 2500))],
	["OpenAI", JSON.stringify(openai(60))],
	["a log", claudeCode(44)],
]) {
	test(`every preset compacts ${format} now, and the numbers are those of the result`, () =>
		visit(
			async (page) => {
				await choose(page, content, format === "a log" ? "log.jsonl" : "session.json");
				await settled(page);
				const presets = await page
					.locator("input[name=preset]")
					.evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).value));
				assert.deepEqual(presets, [
					"balanced",
					"hierarchical",
					"prune",
					"harness",
					"s06",
					"turns",
					"critical",
					"regions",
					"clear_tool_uses",
					"clear_thinking",
				]);
				await page.locator("#more-presets").evaluate((fold) => fold.setAttribute("open", ""));
				/** @type {{preset: string, text: string, now: number}[]} */
				const results = [];
				for (const preset of presets) {
					await page.locator(`input[name=preset][value=${preset}]`).check();
					await page.locator(`#tab-requests`).waitFor({ state: "attached" });
					await settled(page);
					const [before, now] = [await value(page, "before"), await value(page, "after")];
					assert.ok(now <= before, preset);
					const shown = await page.locator("#legend .amount").allTextContents();
					const sum = shown
						.map((text) => Number((text.split("→").at(-1) ?? "").replace(/\D/g, "")))
						.reduce((a, b) => a + b, 0);
					assert.ok(
						Math.abs(sum - now) <= before * 0.05,
						`${preset}: the blocks add up to ${sum}, the number is ${now}`,
					);
					const { text } = await download(page);
					results.push({ preset, text, now });
				}
				// With the last preset, which changes no result
				for (const { preset, text, now } of results) {
					await choose(page, text, format === "a log" ? `${preset}.jsonl` : `${preset}.json`);
					await page.locator(`#chip [data-source^="${preset}.json"]`).waitFor();
					await settled(page);
					assert.equal(await value(page, "before"), now, `${preset}: the result counts what the page says`);
					assert.equal(await page.locator("#problems").getAttribute("data-state"), "valid", preset);
				}
			},
			{ hash: "#preset=balanced&force=true" },
		));
}

journey("a request shows its messages, its budget and its prompt, and the summarizer's answer", () =>
	visit(
		async (page) => {
			await open(page);
			await tab(page, "Requests");
			const card = page.locator(".request").first();
			assert.match(
				(await card.locator(".request-head").textContent()) ?? "",
				/^Messages 2–\d+ [\d,]+ tokens → at most [\d,]+$/,
			);
			assert.ok(await card.getByRole("radio", { name: "Summarizer" }).isChecked());
			await card.getByText(/^Answer, [\d,]+ tokens/).click();
			const answer = (await card.getByLabel("Answer of the summarizer").textContent()) ?? "";
			assert.ok(answer.length > 100);
			assert.ok(
				((await page.getByTestId("result").textContent()) ?? "").includes(
					JSON.stringify(answer.trim().slice(0, 60)).slice(1, -1),
				),
			);
			await card.getByText(/^Prompt, /).click();
			await page.waitForFunction(() =>
				(document.querySelector("[aria-label='User prompt']")?.textContent ?? "").includes("Step 1: I look at file 0."),
			);
			assert.ok(((await card.getByLabel("System prompt").textContent()) ?? "").length > 50);
		},
		{ hash: "#preset=balanced&force=true" },
	),
);

test("an answer typed by hand goes into the result while it is typed, and the field keeps the cursor", () =>
	visit(
		async (page) => {
			await open(page);
			await tab(page, "Requests");
			const card = page.locator(".request").first();
			await card.getByRole("radio", { name: "By hand" }).check();
			const field = card.getByRole("textbox", { name: "Answer by hand" });
			assert.ok((await field.inputValue()).length > 100, "the summarizer's answer is a start");
			await after(page, () => field.fill("We looked at files, strings/file_1.go first."));
			const small = await value(page, "after");
			await after(page, () => page.keyboard.type(" None of them fails."));
			assert.ok(await field.evaluate((element) => element === document.activeElement));
			assert.equal(await field.inputValue(), "We looked at files, strings/file_1.go first. None of them fails.");
			assert.match(
				(await page.getByTestId("result").textContent()) ?? "",
				/\[compacted summary of turns 1-\d+; originals [0-9a-f]{16}\]\\nWe looked at files, strings\/file_1\.go first\. None of them fails\./,
			);
			assert.ok((await value(page, "after")) > small);
			assert.match((await card.locator("summary").first().textContent()) ?? "", /^Answer, \d+ tokens$/);
			await after(page, () => card.getByRole("radio", { name: "Summarizer" }).check());
			await after(page, () => card.getByRole("radio", { name: "By hand" }).check());
			assert.equal(
				await field.inputValue(),
				"We looked at files, strings/file_1.go first. None of them fails.",
				"the typed text is not lost",
			);
		},
		{ hash: "#preset=balanced&force=true" },
	));

test("the built-in summary is used for a failed request, one or all, and the page says so", () =>
	visit(
		async (page) => {
			await open(page);
			await tab(page, "Requests");
			const now = await value(page, "after");
			const card = page.locator(".request").first();
			await card.getByRole("radio", { name: "Fail this one" }).check();
			await card.getByText(/request failed; the built-in summary is used instead/).waitFor();
			await page.getByRole("button", { name: "All by the summarizer" }).click();
			await card.getByText(/request failed/).waitFor({ state: "detached" });
			await settled(page);
			assert.equal(await value(page, "after"), now);
			await page.getByRole("button", { name: "Fail all" }).click();
			await card.getByText(/request failed; the built-in summary is used instead/).waitFor();
			assert.equal(
				await page
					.getByRole("radio", { name: "Fail this one" })
					.evaluateAll((all) => all.every((input) => /** @type {HTMLInputElement} */ (input).checked)),
				true,
			);
			assert.match((await page.getByTestId("result").textContent()) ?? "", /Record of earlier work/);
			assert.ok((await page.locator("#list [data-fate=summarized]").count()) > 0);
		},
		{ hash: "#preset=balanced&force=true" },
	));

test("an empty answer by hand is refused, with the reason", () =>
	visit(
		async (page) => {
			await open(page);
			await tab(page, "Requests");
			const card = page.locator(".request").first();
			await card.getByRole("radio", { name: "By hand" }).check();
			await card.getByRole("textbox", { name: "Answer by hand" }).fill("");
			await card.getByText(/the answer is empty/i).waitFor();
		},
		{ hash: "#preset=balanced&force=true" },
	));

test("summaries of summaries are a second round, answered like the first", () =>
	visit(
		async (page) => {
			await open(page);
			await tab(page, "Requests");
			await page.locator("[data-round='2']").waitFor();
			assert.match((await page.locator("[data-round='1'] h3").textContent()) ?? "", /^Round 1 [\d,]+ → [\d,]+ tokens/);
			assert.ok((await page.locator("[data-round='1'] .request").count()) > 3);
			const merge = page.locator("[data-round='2'] .request");
			assert.equal(await merge.count(), 1);
			assert.match((await merge.locator("h4").textContent()) ?? "", /^Merging the summaries/);
			await merge.getByRole("radio", { name: "By hand" }).check();
			await after(page, () =>
				merge
					.getByRole("textbox", { name: "Answer by hand" })
					.fill("All of it in one line: fold_1_0, fold_1_1, fold_1_2."),
			);
			assert.match(
				(await page.getByTestId("result").textContent()) ?? "",
				/\[Summary of the earlier conversation, as history, not as a request\]\\n\\n(?:(?!\[part).)*All of it in one line: fold_1_0, fold_1_1, fold_1_2\./,
			);
			// Another answer in the first round asks another question in the second; the focused field is not
			// disturbed.
			const first = page.locator("[data-round='1'] .request").first();
			await first.getByRole("radio", { name: "By hand" }).check();
			const field = first.getByRole("textbox", { name: "Answer by hand" });
			await after(page, () => field.fill("The first part of strings/file_1.go, by hand."));
			assert.ok(await field.evaluate((element) => element === document.activeElement));
			assert.ok(await merge.getByRole("radio", { name: "Summarizer" }).isChecked());
			assert.doesNotMatch((await page.getByTestId("result").textContent()) ?? "", /All of it in one line/);
			await merge.getByText(/^Prompt, /).click();
			await page.waitForFunction(() =>
				(document.querySelector("[data-round='2'] [aria-label='User prompt']")?.textContent ?? "").includes(
					"The first part of strings/file_1.go, by hand.",
				),
			);
		},
		{ hash: "#preset=hierarchical&force=true" },
	));

test("of many answers in a row the last one is used", () =>
	visit(
		async (page) => {
			await open(page);
			await tab(page, "Requests");
			const card = page.locator(".request").first();
			await card.getByRole("radio", { name: "By hand" }).check();
			const field = card.getByRole("textbox", { name: "Answer by hand" });
			for (let i = 0; i < 12; i++) {
				await field.fill(`Answer number ${i}, with strings/file_1.go.`);
				// Typing with pauses longer and shorter than the page's 200 ms
				await page.waitForTimeout(i % 3 === 0 ? 230 : 10);
			}
			await page.waitForFunction(() => /Answer number 11, /.test(document.getElementById("result")?.textContent ?? ""));
			await settled(page);
			assert.doesNotMatch((await page.getByTestId("result").textContent()) ?? "", /Answer number (?!11)/);
		},
		{ hash: "#preset=s06&force=true" },
	));
