// This file tests the comparison of presets by what a person does and sees; its numbers are core's own.

import assert from "node:assert/strict";
import { load } from "../../wasm/npm/index.js";
import { journey, test } from "./journeys.js";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkEquations } from "./equations.js";
import { choose, inThemes, openExample, overflow, pane, settled, startPage, visit } from "./page.js";
import { anthropic, codex, openai } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const engine = await load();
const SESSION = JSON.stringify(anthropic(60, 12_000));
const HASH = "#preset=s06&compare=harness%2Cs06%2Cprune";

/** @param {Page} page @param {string} session */
async function open(page, session) {
	await choose(page, session);
	await settled(page);
	await pane(page, "compare");
	await compared(page);
}

/** @param {Page} page */
async function compared(page) {
	await page.locator("[data-testid=compare][data-state=ready]").waitFor({ timeout: 60_000 });
}

/** @param {Page} page @param {string} figure @param {string} preset */
const cell = (page, figure, preset) =>
	page.locator(`#compare-table tr[data-figure=${figure}] td[data-preset=${preset}]`);

/** @param {Page} page */
const columns = (page) =>
	page
		.locator("#compare-table thead [data-preset]")
		.evaluateAll((all) => all.map((head) => /** @type {HTMLElement} */ (head).dataset.preset));

journey("every number is core's, the best of each row is marked in words, and the verdict is core's", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const conversation = SESSION;
			const base = engine.replay({ conversation, compact: false });
			const reports = ["harness", "s06", "prune"].map((preset) => engine.replay({ conversation, preset }));
			assert.deepEqual(await columns(page), ["none", "harness", "s06", "prune"]);
			for (const report of [base, ...reports]) {
				for (const name of /** @type {const} */ ([
					"sent",
					"peak",
					"cacheRead",
					"cacheWrite",
					"input",
					"summaries",
					"overWindow",
				]))
					assert.equal(
						await cell(page, name, report.preset).getAttribute("data-value"),
						String(report.totals[name]),
						`${name} of ${report.preset}`,
					);
				for (const name of /** @type {const} */ (["cost", "missed", "lost"]))
					assert.equal(
						await cell(page, name, report.preset).getAttribute("data-value"),
						String(report.misses[name]),
						`${name} of ${report.preset}`,
					);
				assert.equal(
					await cell(page, "sent", report.preset).locator(".amount").textContent(),
					report.totals.sent.toLocaleString("en-US"),
				);
			}
			const best = (/** @type {(report: any) => number} */ of) =>
				new Set(reports.map(of)).size === 1
					? []
					: reports.filter((report) => of(report) === Math.min(...reports.map(of))).map((report) => report.preset);
			for (const [name, of] of /** @type {[string, (report: any) => number][]} */ ([
				["sent", (r) => r.totals.sent],
				["cost", (r) => r.misses.cost],
				["peak", (r) => r.totals.peak],
				["missed", (r) => r.misses.missed],
			])) {
				const marked = await page
					.locator(`#compare-table tr[data-figure=${name}] td:has(.best)`)
					.evaluateAll((all) => all.map((one) => /** @type {HTMLElement} */ (one).dataset.preset));
				assert.deepEqual(marked, best(of), name);
			}
			assert.equal(await page.locator("#compare-table .best").first().textContent(), "best");
			await page.waitForFunction(() => document.getElementById("compare-verdict")?.textContent);
			assert.equal(await page.getByTestId("compare-verdict").textContent(), engine.verdict([base, ...reports]).text);
			assert.match(
				(await page.getByTestId("compare-prices").textContent()) ?? "",
				/^claude-sonnet-4-5: \$3 for a million tokens in, \$15 out; .* 10 % .* 125 % \(for an hour 200 %\)\. Source: https:.*, 2026-11\.$/,
			);
			await checkEquations(page, "in the address");
			for (const [name, session] of Object.entries({
				anthropic: anthropic(30),
				openai: openai(20),
				codex: codex(12),
			})) {
				await choose(page, typeof session === "string" ? session : JSON.stringify(session), `${name}.json`);
				await settled(page);
				await checkEquations(page, name);
			}
		},
		{ hash: HASH },
	),
);

test("the numbers of the screen agree for every example and for ten recorded sessions", () =>
	visit(
		async (page) => {
			for (const { file } of JSON.parse(readFileSync(new URL("../examples/index.json", import.meta.url), "utf8"))) {
				await openExample(page, file);
				await checkEquations(page, file);
			}
			const files = corpusFiles();
			let checked = 0;
			for (const file of files) {
				await page.locator("#file").setInputFiles(file);
				await page.locator(`#chip [data-source="${path.basename(file)}"]`).waitFor();
				await settled(page);
				checked += Number(await checkEquations(page, file));
			}
			assert.ok(checked >= 10, `${checked} of ${files.length} recorded sessions`);
		},
		{ hash: "#preset=balanced" },
	));

/** Recorded sessions with enough calls to compare, of every folder of the corpus in turn. */
function corpusFiles() {
	const corpus = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
	const large = (/** @type {string} */ file) => statSync(file).size > 60_000 && statSync(file).size < 2_000_000;
	const folders = ["claude-code", "codex", "openai-chat", "anthropic"].map((folder) =>
		readdirSync(path.join(corpus, folder))
			.sort()
			.map((file) => path.join(corpus, folder, file))
			.filter(large),
	);
	return folders.flatMap((files) => files.slice(0, 4));
}

/** A session that edits the first file that it read, after six others. */
function missing() {
	/** @type {{role: string, content: unknown}[]} */
	const messages = [{ role: "user", content: "Fix it." }];
	for (let n = 0; n < 7; n++) {
		const lines = Array.from({ length: 40 }, (_, i) => `\tconst itsName${n} = value_${n}_${i}`).join("\n");
		messages.push(
			{
				role: "assistant",
				content: [{ type: "tool_use", id: `t${n}`, name: "Read", input: { file_path: `src/${n}.js` } }],
			},
			{ role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: lines }] },
		);
	}
	const input = { file_path: "src/0.js", old_string: "\tconst itsName0 = value_0_7", new_string: "" };
	messages.push({ role: "assistant", content: [{ type: "tool_use", id: "e", name: "Edit", input }] });
	return JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 9, messages });
}

test("what calls missed is listed with the call and with the block that had it, as core reports it", () =>
	visit(
		async (page) => {
			const conversation = missing();
			await open(page, conversation);
			const { misses, calls } = engine.replay({ conversation, preset: "s06" });
			assert.deepEqual([misses.names, misses.missed, misses.calls, misses.lost, misses.edits], [3, 2, 1, 1, 1]);
			assert.equal(await cell(page, "cost", "s06").getAttribute("data-value"), String(misses.cost));
			assert.match((await cell(page, "missed", "s06").textContent()) ?? "", /^2of 3, 67 %/);
			assert.match((await cell(page, "missing", "s06").textContent()) ?? "", /^1\s*$/);
			assert.match((await cell(page, "lost", "s06").textContent()) ?? "", /^1\s*$/);
			assert.ok((await page.getByTestId("compare-verdict").textContent())?.includes(misses.text.slice(1, -1)));
			const list = page.getByTestId("compare-missing");
			await list.getByText("What 1 call missed with Newest results").click();
			await list.locator("li").first().waitFor();
			const rows = await list.locator("li").allTextContents();
			assert.deepEqual(
				rows,
				calls.flatMap(({ number, misses = [] }) =>
					misses.map(
						({ name, edit, tool, path, fate }) =>
							`Call ${number} ${name} ${edit ? "the old text of an edit, " : ""}last in a result of ${tool} at ${path}: ${fate}`,
					),
				),
			);
			assert.equal(
				rows[0],
				"Call 8 const itsName0 = value_0_7 the old text of an edit, last in a result of Read at /messages/2/content/0: cleared",
			);
			await list.getByRole("button", { name: "Call 8" }).first().click();
			await page.getByText("What the model saw at call 8 of 8").waitFor();
		},
		{ hash: HASH },
	));

journey("presets are chosen by box, four at most, and the address brings them back", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const box = (/** @type {string} */ name) =>
				page.locator("#compare-picks").getByRole("checkbox", { name, exact: true });
			assert.deepEqual(
				await columns(page),
				["none", "balanced", "s06", "hierarchical", "prune"],
				"the chosen one, and three to hold it against",
			);
			assert.equal(await page.evaluate(() => location.hash), "#preset=s06&tab=compare");
			assert.ok(await box("Turns").isDisabled());
			await page.getByTestId("compare").getByText("Four are compared, the maximum").waitFor();
			await box("Prune").uncheck();
			await compared(page);
			assert.equal(
				await page.evaluate(() => document.activeElement?.getAttribute("value")),
				"prune",
				"the focus stays",
			);
			await box("Turns").check();
			await page.locator("#compare-table th[data-preset=turns]").waitFor();
			await compared(page);
			const hash = await page.evaluate(() => location.hash);
			assert.equal(hash, "#preset=s06&compare=balanced%2Cs06%2Chierarchical%2Cturns&tab=compare");
			await page.reload();
			await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
			await open(page, SESSION);
			assert.deepEqual(await columns(page), ["none", "balanced", "s06", "turns", "hierarchical"]);
			assert.equal(await page.evaluate(() => location.hash), hash);
		},
		{ hash: "#preset=s06" },
	),
);

test("a click on a preset's head makes it the policy, and the columns stay", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const before = await columns(page);
			await page.getByRole("button", { name: "Harness", exact: true }).click();
			assert.ok(await page.getByRole("radio", { name: "Harness", exact: true }).isChecked());
			await page.locator("#compare-table th[data-preset=harness][data-chosen=true]").waitFor();
			await settled(page);
			await page.locator("[data-testid=timeline][data-state=ready]").waitFor({ state: "attached" });
			assert.deepEqual(await columns(page), before);
			await pane(page, "timeline");
			const sent = engine.replay({ conversation: SESSION, preset: "harness" }).totals.sent;
			assert.equal(await page.locator("#timeline [data-figure=sent]").getAttribute("data-value"), String(sent));
			assert.match(await page.evaluate(() => location.hash), /^#preset=harness&/);
		},
		{ hash: HASH },
	));

test("a parameter changes its own column only", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const was = await Promise.all(
				["harness", "s06", "prune"].map((preset) => cell(page, "sent", preset).getAttribute("data-value")),
			);
			await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("20");
			const report = engine.replay({ conversation: SESSION, preset: "s06", policy: { clear: { keepRecent: 20 } } });
			await page
				.locator(`#compare-table tr[data-figure=sent] td[data-preset=s06][data-value="${report.totals.sent}"]`)
				.waitFor();
			await compared(page);
			assert.deepEqual(
				[
					await cell(page, "sent", "harness").getAttribute("data-value"),
					await cell(page, "sent", "prune").getAttribute("data-value"),
				],
				[was[0], was[2]],
			);
			await page.locator("#compare-table th[data-preset=s06]").getByText("chosen, with your changes").waitFor();
		},
		{ hash: HASH },
	));

test("the session can be counted as another model's, and with another TTL of the cache", () =>
	visit(
		async (page) => {
			await open(page, JSON.stringify(openai(40)));
			await page.getByLabel("Count as").selectOption("claude-opus-4-5");
			const conversation = openai(40);
			const one = engine.replay({ conversation, preset: "s06", model: "claude-opus-4-5" });
			/** @param {number} cost */
			const costs = (cost) => page.locator(`[data-figure=cost] [data-preset=s06][data-value="${cost}"]`).waitFor();
			await costs(one.totals.cost);
			assert.match(
				(await page.getByTestId("compare-prices").textContent()) ?? "",
				/^claude-opus-4-5: \$5 for a million/,
			);
			assert.match(await page.evaluate(() => location.hash), /&as=claude-opus-4-5&tab=compare$/);
			await page.locator("#compare").getByLabel("Cache TTL").selectOption("1h");
			await page.waitForFunction(() => location.hash.endsWith("&as=claude-opus-4-5&ttl=1h&tab=compare"));
			const hour = engine.replay({ conversation, preset: "s06", model: "claude-opus-4-5", ttl: "1h" });
			await costs(hour.totals.cost);
			for (const name of await page
				.getByLabel("Count as")
				.locator("option")
				.evaluateAll((all) => all.map((option) => option.getAttribute("value") ?? ""))) {
				if (name)
					assert.ok(engine.replay({ conversation, compact: false, model: name }).priced, `${name} has no price`);
			}
		},
		{ hash: HASH },
	));

test("breakpoints, hidden tokens and prices of one's own are counted, kept in the address, and marked if wrong", () =>
	visit(
		async (page) => {
			const conversation = JSON.stringify(anthropic(12, 2000));
			await open(page, conversation);
			/** @param {import("../../wasm/npm/wire.js").ReplayChoice} choice */
			const costs = (choice) => {
				const { cost } = engine.replay({ conversation, preset: "s06", ...choice }).totals;
				return page.locator(`[data-figure=cost] [data-preset=s06][data-value="${cost}"]`).waitFor();
			};
			await page.locator("#compare-breakpoints").selectOption("automatic");
			await costs({ breakpoints: "automatic" });
			await page.locator("#compare").getByLabel("Hidden tokens").fill("9000");
			await page.locator("#compare").getByLabel("Hidden tokens").press("Enter");
			await costs({ breakpoints: "automatic", hidden: 9000 });
			await page.locator("#compare").getByLabel("$ out").fill("7.5");
			await page.locator("#compare").getByLabel("$ out").press("Enter");
			const { price } = engine.replay({ conversation, compact: false });
			const prices = { ...price, output: 7500, source: undefined, date: undefined, assumed: undefined };
			await costs({ breakpoints: "automatic", hidden: 9000, prices });
			assert.match((await page.getByTestId("compare-prices").textContent()) ?? "", /^Your prices: .* \$7.50? out/);
			const hash = await page.evaluate(() => location.hash);
			assert.match(hash, /&breakpoints=automatic&hidden=9000&prices=\d+%2C7500%2C100%2C1250%2C2000&tab=compare$/);
			await page.locator("#compare").getByLabel("Hidden tokens").fill("-4");
			await page.locator("#compare").getByLabel("Hidden tokens").press("Enter");
			await costs({ breakpoints: "automatic", prices });
			assert.equal(await page.locator("#compare").getByLabel("Hidden tokens").getAttribute("aria-invalid"), "true");
			// What the cache costs keeps its share of the input's price.
			await page
				.locator("#compare")
				.getByLabel("$ in")
				.fill(String((2 * price.input) / 1000));
			await page.locator("#compare").getByLabel("$ in").press("Enter");
			await costs({ breakpoints: "automatic", prices: { ...prices, input: 2 * price.input } });
			assert.match(await page.evaluate(() => location.hash), /&prices=\d+%2C7500%2C100%2C1250%2C2000&tab=compare$/);
		},
		{ hash: HASH },
	));

test("an unknown price is said in place of an amount", () =>
	visit(
		async (page) => {
			await open(page, JSON.stringify({ ...openai(40), model: "house-model-1" }));
			assert.match(
				(await page.getByTestId("compare-prices").textContent()) ?? "",
				/^house-model-1: assumed is the price of a mid-range model/,
			);
			for (const preset of ["none", "harness", "s06", "prune"])
				assert.match((await cell(page, "cost", preset).textContent()) ?? "", /at an assumed price/);
		},
		{ hash: HASH },
	));

test("at 400 px the table scrolls in its own box, light and dark", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			await inThemes(page, async () => {
				assert.equal(await overflow(page), 0);
				const box = page.locator(".compare-box");
				assert.ok(await box.evaluate((element) => element.scrollWidth > element.clientWidth));
				await box.evaluate((element) => (element.scrollLeft = 999));
				const [head, frame] = [
					await page.locator("#compare-table tbody th").first().boundingBox(),
					await box.boundingBox(),
				];
				assert.ok(head && frame && Math.abs(head.x - frame.x) < 2, "what each row is stays in sight");
			});
		},
		{ width: 400, height: 800, hash: HASH },
	));
