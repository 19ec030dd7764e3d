// This file tests the views of the result: the tabs themselves, the diff, the cache breakpoints, the quality report.
//
// Measures: long tasks.

import assert from "node:assert/strict";
import { measure, measures } from "./measure.js";
import { journey, test } from "./journeys.js";
import { choose, copied, outputTab, overflow, pane, paste, settled, startPage, visit } from "./page.js";
import { quick } from "./quick.js";
import { anthropic, openai, talkative } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage({ measures });

/** @param {Page} page @param {string} name */
async function tab(page, name) {
	await outputTab(page, new RegExp(`^${name}`));
	await settled(page);
}

/** A session whose prompts say what to do, and whose results hold facts. */
function demanding() {
	const body = anthropic(40, 3000);
	body.messages[0].content = "Fix the parser. You must never change the file api/public.go. Keep the API small.";
	body.messages[6].content[0].content =
		"--- FAIL: TestParse (0.02s)\nparse_test.go:41: want 3 got 4\nsee https://example.com/issue/77 and lib/deep/nested.go\nexit status 1";
	body.messages[6].content[0].is_error = true;
	return body;
}

test("the tabs are one tab stop; arrows, Home and End move and open", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		await pane(page, "packed");
		await page.locator("#tab-result").focus();
		const at = async () =>
			page.evaluate(() =>
				[
					document.activeElement?.id,
					[...document.querySelectorAll(".output [role=tabpanel]")]
						.filter((panel) => !(/** @type {HTMLElement} */ (panel).hidden))
						.map((panel) => panel.id)
						.join(),
				].join(" "),
			);
		const names = ["result", "diff", "requests", "anchors", "quality", "decisions", "archive"];
		for (const name of names) {
			assert.equal(await at(), `tab-${name} panel-${name}`);
			await page.keyboard.press("ArrowRight");
		}
		assert.equal(await at(), "tab-result panel-result");
		await page.keyboard.press("End");
		assert.equal(await at(), "tab-archive panel-archive");
		await page.keyboard.press("ArrowLeft");
		assert.equal(await at(), "tab-decisions panel-decisions");
		await page.keyboard.press("Home");
		assert.equal(await at(), "tab-result panel-result");
		assert.equal(await page.locator(".output [role=tab][tabindex='-1']").count(), names.length - 1);
		for (const name of names)
			assert.equal(await page.locator(`#panel-${name}`).getAttribute("aria-labelledby"), `tab-${name}`);
	}));

journey("the diff shows an edited message line by line, and folds unchanged messages", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		await tab(page, "Diff");
		const diff = page.getByTestId("diff");
		const edit = diff.getByRole("article", { name: "Message 3, edited" });
		await edit.locator("ins").waitFor();
		assert.equal(await page.locator("#diff-note").textContent(), "Of 26 messages, 9 edited, 17 unchanged.");
		assert.equal(await edit.locator("ins").textContent(), "[Previous: used grep]");
		assert.match((await edit.locator("del").textContent()) ?? "", /^result 0: func Fold/);
		const sides = await edit
			.locator(".side")
			.evaluateAll((all) => all.map((side) => side.getBoundingClientRect().left));
		assert.ok(sides[0] < sides[1], "before is left of after");
		const fold = diff.locator(".run").first();
		assert.match((await fold.locator("summary").first().textContent()) ?? "", /^2 unchanged messages 1–2$/);
		assert.equal(await diff.getByText("Make the tests of the strings package pass").count(), 0, "folded is not drawn");
		await fold.locator("summary").first().click();
		await fold.getByText("Make the tests of the strings package pass").first().waitFor();
		await fold.locator(".message summary").first().click();
		await fold.locator("pre").getByText("Keep the API small.").waitFor();
	}),
);

test("the diff shows which messages a summary replaced, each can be unfolded, and stacks on a narrow screen", async () => {
	for (const width of [1280, 400]) {
		await visit(
			async (page) => {
				await choose(page, JSON.stringify(talkative(40)));
				await settled(page);
				await tab(page, "Diff");
				const swap = page.getByTestId("diff").locator(".swap").first();
				assert.match((await swap.locator("header").textContent()) ?? "", /^\d+ messages replaced by 1$/);
				await swap.locator(".come").getByText("[compacted summary of turns").waitFor();
				const gone = swap.locator(".gone").nth(1);
				await gone.locator("summary").click();
				await gone.locator("pre").getByText("func Fold(r rune)").waitFor();
				const [before, after] = await swap
					.locator(".side")
					.evaluateAll((all) => all.map((side) => side.getBoundingClientRect()));
				assert.ok(width > 860 ? before.right <= after.left + 1 : before.bottom <= after.top + 1);
				assert.equal(await overflow(page), 0);
			},
			{ width, height: 900, hash: "#preset=balanced&force=true" },
		);
	}
});

test("an open diff follows the policy", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		await tab(page, "Diff");
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("5");
		await page.locator("#diff-note").getByText("7 edited").waitFor();
		await page.getByRole("radio", { name: "Clear thinking", exact: true }).check();
		await page.locator("#diff-note").getByText("All 26 messages are unchanged.").waitFor();
	}));

measure("the diff of 10 MB comes quickly and draws only visible messages", () =>
	visit(
		async (page) => {
			await paste(page, JSON.stringify(anthropic(520, 19_500)));
			await settled(page);
			await quick(page, "the diff of 10 MB", async () => {
				await tab(page, "Result");
				await tab(page, "Diff");
				await page.locator("#diff ins").first().waitFor();
			});
			const nodes = await page.locator("#diff *").count();
			// A diff of 10 MB has more than 100,000 lines: only a part is drawn.
			assert.ok(nodes < 5000, `${nodes} elements`);
			await page.locator("#diff .more").click();
			assert.ok((await page.locator("#diff .edit").count()) > 30);
		},
		{ hash: "#preset=clear_tool_uses" },
	),
);

test("the breakpoints are listed with their value, and the request can be copied with them", () =>
	visit(
		async (page) => {
			const body = demanding();
			Object.assign(body, {
				tools: [{ name: "bash", description: "Runs a command. ".repeat(400), input_schema: { type: "object" } }],
			});
			await choose(page, JSON.stringify(body));
			await settled(page);
			await tab(page, "Breakpoints");
			const rows = page.getByTestId("anchors").locator("tbody tr");
			await rows.first().waitFor();
			const chosen = page.getByTestId("anchors").locator("[data-chosen=true]");
			const count = await chosen.count();
			assert.ok(count >= 2 && count <= 4, String(count));
			for (const text of await rows.allTextContents()) assert.match(text, /(chosen|not chosen): .*\/.*[\d.]+ %\d.*\w/s);
			const text = await copied(page, async () => {
				await page.getByRole("button", { name: "Copy with cache_control" }).click();
				await page.locator("#toasts").getByText("Copied").waitFor();
			});
			const request = JSON.parse(text);
			assert.equal(JSON.stringify(request).split('"cache_control"').length - 1, count);
			for (const path of await chosen.locator("code").allTextContents()) {
				const place = path
					.split("/")
					.slice(1)
					.reduce((/** @type {any} */ at, key) => at?.[key], request);
				if (place && typeof place === "object")
					assert.ok("cache_control" in (Array.isArray(place) ? place.at(-1) : place), path);
			}
		},
		{ hash: "#preset=balanced&force=true" },
	));

test("a format without breakpoints says so", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(openai(10)));
		await settled(page);
		await tab(page, "Breakpoints");
		await page.waitForFunction(() => (document.getElementById("anchors-note")?.textContent ?? "").length > 20);
		assert.ok(await page.getByRole("button", { name: "Copy with cache_control" }).isDisabled());
	}));

test("the quality report says which facts are lost, the user's sentences first", () =>
	visit(
		async (page) => {
			// Over 2,000 tokens: its beginning and its end stay.
			const body = demanding();
			for (let i = 0; i < 200; i++)
				body.messages[0].content += ` Never change the file api/part${i}.go, since region ${i} depends on it.`;
			await choose(page, JSON.stringify(body));
			await settled(page);
			await tab(page, "Requests");
			await page.getByRole("radio", { name: "By hand" }).check();
			await page.getByRole("textbox", { name: "Answer by hand" }).fill("The agent read lib/deep/nested.go.");
			await page.waitForFunction(() => /The agent read lib/.test(document.getElementById("result")?.textContent ?? ""));
			await tab(page, "Quality");
			const quality = page.getByTestId("quality");
			await page.getByTestId("kept-permille").waitFor();
			const permille = Number(await page.getByTestId("kept-permille").getAttribute("data-value"));
			assert.ok(permille >= 0 && permille < 500, String(permille));
			assert.equal(await quality.locator(".kinds > li").first().getAttribute("data-kind"), "words");
			const lost = quality.locator("[data-kind=words] .lost");
			assert.ok(await lost.getByText("since region 100 depends").isVisible(), "lost sentences are open");
			await quality.locator("[data-kind=paths] .kept summary").click();
			await quality.locator("[data-kind=paths] .kept").getByText("lib/deep/nested.go").waitFor();
			const typed = page.getByTestId("typed");
			await typed.getByText("never change the file api/public.go").waitFor();
			assert.match((await typed.textContent()) ?? "", /said in turn \d+ · only in the archive/);
			await typed
				.getByRole("button", { name: /^turn / })
				.first()
				.click();
			assert.match((await page.locator("#details .where").textContent()) ?? "", /^Turn 1 · user$/);
			for (const kind of ["errors", "urls"])
				assert.ok((await quality.locator(`[data-kind=${kind}] .lost li`).count()) > 0, kind);
		},
		{ hash: "#preset=harness&force=true" },
	));

/** A session that was compacted several times: each round left a summary. */
function remembered() {
	const messages = [{ role: "user", content: "Describe all parts of the archive." }];
	for (let i = 0; i < 8; i++) {
		const lines = Array.from(
			{ length: 25 },
			(_, n) => `- turn ${i * 10 + 1}: Part ${i}-${n} reads timeout${n}=${i * 37 + n} from config${n}.yaml.`,
		);
		messages.push({
			role: "user",
			content: `[compacted summary of turns ${i * 10 + 1}-${i * 10 + 10}; originals 00000000000000${10 + i}]\n## Findings and decisions\n${lines.join("\n")}`,
		});
	}
	for (let i = 0; i < 20; i++) {
		messages.push({ role: "assistant", content: `I read part ${i}: it opens port ${8000 + i}. `.repeat(10) });
		messages.push({ role: "user", content: `Now part ${i + 1}.` });
	}
	return messages;
}

test("a condensed summary shows its level, and the lines that it dropped", () =>
	visit(
		async (page) => {
			await choose(page, JSON.stringify(remembered()));
			await settled(page);
			await tab(page, "Decisions");
			const decision = page.locator("#decisions > li", { hasText: "Condensed summaries" }).first();
			await decision.waitFor();
			assert.match((await decision.textContent()) ?? "", /level 3.*Dropped \d+ lines of earlier summaries/s);
			await decision.locator("summary").click();
			assert.match((await decision.locator("ul li").first().textContent()) ?? "", /^Part \d-\d+ reads timeout/);
		},
		{ hash: "#preset=balanced&trigger.window=7000" },
	));

test("if nothing is removed, nothing can be lost", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(2)));
		await settled(page);
		await tab(page, "Quality");
		await page.getByTestId("quality").getByText("none is lost").waitFor();
	}));
