// This file tests the timeline by what a person does and sees: the numbers are core's own, the arrows go from call to
// call, a click shows what the model saw, and another session ends running replays.
//
// Measures: long tasks.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "../../wasm/npm/index.js";
import { look } from "./axe.js";
import { measure, measures } from "./measure.js";
import { journey, test } from "./journeys.js";
import { choose, overflow, pane, settled, startPage, visit } from "./page.js";
import { quick } from "./quick.js";
import { anthropic, claudeCode } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage({ measures });

const engine = await load();
const LARGE = `${process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../shared/data", import.meta.url))}/anthropic/pi-mono--before-compaction.json`;
const SESSION = JSON.stringify(anthropic(30, 6000));
const POLICY = { preset: "s06", policy: { clear: { keepRecent: 5 } } };
const HASH = "#preset=s06&clear.keepRecent=5";

/** @param {number} n */
const number = (n) => n.toLocaleString("en-US");

/** @param {Page} page @param {string | Buffer} session @param {string} [name] */
async function open(page, session, name) {
	await choose(page, session, name);
	await settled(page);
	await pane(page, "timeline");
	await drawn(page);
}

/** @param {Page} page @param {number} [timeout] */
async function drawn(page, timeout = 60_000) {
	await page.locator("[data-testid=timeline][data-state=ready]").waitFor({ timeout });
}

/** The selected call, and its numbers on the page. @param {Page} page */
async function current(page) {
	return page
		.locator("#timeline-call")
		.evaluate((element) =>
			Object.fromEntries([
				["call", element.querySelector("strong")?.textContent ?? ""],
				["note", element.querySelector(".call-note")?.textContent ?? ""],
				...[...element.querySelectorAll(".call-value")].map((value) => [
					value.children[0].textContent,
					value.children[1].textContent,
				]),
			]),
		);
}

test("the numbers of every call are core's", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const base = engine.replay({ conversation: SESSION, compact: false });
			const report = engine.replay({ conversation: SESSION, ...POLICY });
			assert.ok(report.totals.compactions > 0);
			for (const name of /** @type {const} */ (["peak", "sent", "compactions"]))
				assert.equal(
					await page.locator(`[data-figure=${name}][data-value]`).first().getAttribute("data-value"),
					String(report.totals[name]),
				);
			const handle = page.getByRole("slider", { name: "Model call" });
			await handle.focus();
			await page.keyboard.press("Home");
			for (const [i, call] of report.calls.entries()) {
				const seen = await current(page);
				assert.equal(seen.call, `Call ${i + 1}`);
				assert.equal(seen.Sent, number(call.sent));
				assert.equal(seen["Without compaction"], number(base.calls[i].sent));
				for (const [name, value] of /** @type {[string, number][]} */ ([
					["Read from cache", call.cacheRead],
					["Written to cache", call.cacheWrite],
					["At the full price", call.input],
				]))
					assert.equal(seen[name], number(value));
				if (call.freed)
					assert.match(
						seen.note,
						new RegExp(
							`^Compacted before this call, ${number(call.freed)} tokens freed: ${number(call.edits ?? 0)} block`,
						),
					);
				else {
					const some = report.calls.slice(0, i).some(({ freed = 0 }) => freed > 0);
					assert.equal(seen.note, some ? "" : "Nothing was compacted up to this call.");
				}
				assert.ok(
					((await handle.getAttribute("aria-valuetext")) ?? "").startsWith(
						`Call ${i + 1} of ${report.calls.length}: ${number(call.sent)} tokens sent`,
					),
				);
				await page.keyboard.press("ArrowRight");
			}
			assert.equal((await current(page)).call, `Call ${report.calls.length}`, "the last is the last");
			await page.getByTestId("timeline").getByText("As a table").click();
			await page.locator("#timeline-rows tr").first().waitFor(); // drawn once it is unfolded
			const rows = await page
				.locator("#timeline-rows tr")
				.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
			assert.deepEqual(
				rows,
				report.calls.map((call, i) =>
					[
						call.number,
						base.calls[i].sent,
						call.sent,
						call.cacheRead,
						call.cacheWrite,
						call.input,
						call.freed ?? "",
						call.summaries ?? "",
					].map((cell) => (typeof cell === "number" ? number(cell) : cell)),
				),
			);
		},
		{ hash: HASH },
	));

test("the picture has a text alternative, and a screen reader reads the selected call", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const report = engine.replay({ conversation: SESSION, ...POLICY });
			const says = (await page.locator("#timeline-picture [role=img]").getAttribute("aria-label")) ?? "";
			assert.match(says, /each of 31 model calls/);
			assert.ok(
				says.includes(`at or below ${number(report.totals.peak)}, with ${report.totals.compactions} compactions`),
				says,
			);
			assert.match(says, /Window 200,000, soft limit 50,000/);
			assert.ok((await page.locator("#timeline-picture svg *").count()) < 80, "few elements, however many calls");
			const handle = page.getByRole("slider", { name: "Model call" });
			await handle.focus();
			await page.keyboard.press("Home");
			await page.keyboard.press("Shift+ArrowRight");
			const first = report.calls.find((call) => call.freed);
			assert.equal((await current(page)).call, `Call ${first?.number}`);
			await page
				.locator("#timeline-tip")
				.getByText(`${number(first?.freed ?? 0)} tokens freed`)
				.waitFor();
			await page.waitForFunction(() =>
				/Without compaction: [\d,]+, Read from cache/.test(
					document.getElementById("timeline-spoken")?.textContent ?? "",
				),
			);
			await page.keyboard.press("End");
			await page.keyboard.press("PageDown");
			assert.equal((await current(page)).call, "Call 21");
		},
		{ hash: HASH },
	));

journey("a click selects a call, Enter shows the conversation as the model saw it then, and Escape comes back", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const plot = await page.locator("#timeline-handle").boundingBox();
			assert.ok(plot);
			await page.locator("#timeline-handle").click({ position: { x: plot.width * 0.7, y: 80 } });
			const moment = page.getByTestId("moment");
			const call = Number((await current(page)).call.slice(5));
			// 0.7 of 31 calls is the 22nd; the margins are for the axes.
			assert.ok(call > 15 && call < 28, String(call));
			assert.ok(await moment.isHidden());
			await page.keyboard.press("Enter");
			await moment.getByText(`What the model saw at call ${call} of 31`).waitFor();
			await page.locator("#moment-list[aria-busy=false] details").first().waitFor();
			const sent = /** @type {any} */ (engine.replayAt({ conversation: JSON.parse(SESSION), ...POLICY, call }))
				.conversation.messages;
			assert.equal(await page.locator("#moment-list details").count(), sent.length);
			const cleared = sent.filter((/** @type {any} */ m) =>
				String(m.content[0]?.content).startsWith("[Previous: used"),
			).length;
			assert.ok(cleared > 3);
			assert.equal(await moment.getByText("shortened", { exact: true }).count(), cleared);
			await moment.locator("details", { hasText: "shortened" }).first().locator("summary").click();
			await moment
				.locator("pre")
				.getByText(/^\[Previous: used (grep|bash)\]$/)
				.waitFor();
			await moment.getByRole("button", { name: "Changes" }).click();
			await moment.locator("#moment-diff del").first().waitFor();
			await moment.getByRole("button", { name: "As sent" }).click();
			/** @type {Record<string, string[]>} */
			const found = {};
			await look(page, "as sent", found, "#moment");
			assert.deepEqual(found, {});
			await page.keyboard.press("j");
			await moment.getByText(`What the model saw at call ${call + 1} of 31`).waitFor();
			await page.keyboard.press("Escape");
			assert.equal(await page.evaluate(() => document.activeElement?.id), "timeline-handle");
			assert.equal((await current(page)).call, `Call ${call + 1}`, "the timeline follows");
			await page.keyboard.press("Enter");
			await moment.getByText(`What the model saw at call ${call + 1} of 31`).waitFor();
		},
		{ hash: HASH },
	),
);

test("another policy draws another line, and nothing moves", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const line = () => page.locator("#timeline-picture .policy-line").getAttribute("d");
			const tops = () =>
				page.evaluate(() =>
					["#workspace", "#timeline-plot", "#timeline-legend"].map(
						(name) => /** @type {HTMLElement | null} */ (document.querySelector(name))?.offsetTop,
					),
				);
			const [was, before] = [await line(), await tops()];
			await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("9");
			await page.waitForFunction(
				(d) => document.querySelector("#timeline-picture .policy-line")?.getAttribute("d") !== d,
				was,
			);
			await drawn(page);
			const report = engine.replay({ conversation: SESSION, preset: "s06", policy: { clear: { keepRecent: 9 } } });
			assert.equal(
				await page.locator("[data-figure=sent]").first().getAttribute("data-value"),
				String(report.totals.sent),
			);
			assert.deepEqual(await tops(), before);
		},
		{ hash: HASH },
	));

test("the provider's counts and the time axis are drawn if the log has them", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			assert.equal((await page.locator("#timeline .api-dots").getAttribute("d")) ?? "", "");
			assert.ok(await page.getByRole("radio", { name: "By time" }).isDisabled());
			assert.equal(await page.locator(".of-api .term").isVisible(), false);
			const lines = claudeCode(12)
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line));
			let gone = 0;
			for (const line of lines) {
				if (line.type !== "assistant") continue;
				gone += 400;
				line.message.usage = {
					input_tokens: 5,
					cache_read_input_tokens: gone,
					cache_creation_input_tokens: 100,
					output_tokens: 7,
				};
			}
			await open(page, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`, "log.jsonl");
			assert.equal(((await page.locator("#timeline .api-dots").getAttribute("d")) ?? "").split("M").length - 1, 13);
			assert.ok(await page.locator(".of-api .term").isVisible());
			const call = await current(page);
			assert.equal(call["Without compaction"], number(gone + 105)); // the count of the provider, which is not shown twice
			assert.equal(call["The provider counted"], undefined);
			const line = await page.locator("#timeline .policy-line").getAttribute("d");
			await page.getByRole("radio", { name: "By time" }).check();
			assert.notEqual(await page.locator("#timeline .policy-line").getAttribute("d"), line);
			await page
				.locator("#timeline-picture")
				.getByText("24 s")
				.or(page.locator("#timeline-picture").getByText("15 s"))
				.first()
				.waitFor();
		},
		{ hash: HASH },
	));

test("a drag, the keys and the buttons zoom; arrows move the part that is shown", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			const range = () => page.locator("#zoom-range").textContent();
			const line = () => page.locator("#timeline-picture .policy-line").getAttribute("d");
			const whole = await line();
			assert.equal(await range(), "");
			const plot = await page.locator("#timeline-handle").boundingBox();
			assert.ok(plot);
			await page.mouse.move(plot.x + plot.width * 0.4, plot.y + 60);
			await page.mouse.down();
			await page.mouse.move(plot.x + plot.width * 0.8, plot.y + 90, { steps: 4 });
			assert.ok(await page.locator("#timeline-brush").isVisible());
			await page.mouse.up();
			assert.match((await range()) ?? "", /^calls 1[0-4]–2[3-7] of 31$/);
			assert.notEqual(await line(), whole);
			await page.locator("#timeline-handle").focus();
			await page.keyboard.press("Home");
			assert.match((await range()) ?? "", /^calls 1–/);
			await page.keyboard.press("+");
			const closer = (await range()) ?? "";
			assert.match(closer, /^calls 1–[6-9] of 31$/);
			for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
			assert.notEqual(await range(), closer, "the part follows the selected call");
			await page.keyboard.press("-");
			await page.keyboard.press("0");
			assert.equal(await range(), "");
			assert.equal(await line(), whole);
			await page.getByRole("button", { name: "Zoom in" }).click();
			assert.notEqual(await range(), "");
			await page.getByRole("button", { name: "Whole" }).click();
			assert.equal(await range(), "");
			assert.equal(
				await page.locator("input[name=preset]:checked").getAttribute("value"),
				"s06",
				"0 is not a key of the page here",
			);
		},
		{ hash: HASH },
	));

test("cache breaks with their cause, fixed tokens by owner, and subagents are drawn", () =>
	visit(
		async (page) => {
			const lines = claudeCode(12)
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line));
			let sent = 20_000;
			for (const line of lines) {
				if (line.type !== "assistant") continue;
				line.message.usage = { cache_read_input_tokens: sent, cache_creation_input_tokens: 400, output_tokens: 7 };
				sent += 400;
			}
			const answers = lines.filter(({ type }) => type === "assistant");
			const broken = answers[6].message.usage;
			broken.cache_creation_input_tokens += broken.cache_read_input_tokens - 3000;
			broken.cache_read_input_tokens = 3000;
			const side = structuredClone(answers[2]);
			Object.assign(side, { isSidechain: true, uuid: "side", parentUuid: answers[1].uuid });
			side.message.id = "of-a-subagent";
			lines.splice(lines.indexOf(answers[3]), 0, side);
			const session = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
			const base = engine.replay({ conversation: session, compact: false });
			assert.equal(base.calls[6].breaks?.[0].cause, "edit");
			assert.equal(base.others?.tracks.length, 1);
			await open(page, session, "log.jsonl");
			const owners = page.locator("#timeline-owners");
			await owners.getByText("cache break: edit").waitFor();
			await owners.getByText(/^Not in the log 1\dk|^Not in the log 2\dk/).waitFor();
			await owners.getByText("1 subagent or branch").waitFor();
			assert.equal(await page.locator("#timeline-picture .track").count(), 1);
			assert.ok((await page.locator("#timeline-picture .fixed").count()) > 0);
			assert.notEqual((await page.locator("#timeline-picture .break").getAttribute("d")) ?? "", "");
			await page.locator("#timeline-handle").focus();
			await page.keyboard.press("Home");
			for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
			await page
				.locator("#timeline-call")
				.getByText(/^Cache break: .* an earlier message changed\.$/)
				.waitFor();
		},
		{ hash: "#preset=balanced" },
	));

test("a session without model calls says so, in the room of the picture", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify([{ role: "user", content: "Hello?" }]));
		await settled(page);
		await pane(page, "timeline");
		await page.locator("[data-testid=timeline][data-state=empty]").waitFor();
		await page.getByTestId("timeline").getByText("No model call yet").waitFor();
		assert.ok(await page.getByRole("button", { name: "See what the model saw" }).isDisabled());
		assert.ok(await page.getByTestId("timeline").isVisible());
		const height = await page.locator("#timeline-plot").evaluate((element) => element.clientHeight);
		await pane(page, "compare");
		await page.getByTestId("compare").getByText("No model call yet").waitFor();
		await open(page, SESSION);
		assert.equal(await page.locator("#timeline-plot").evaluate((element) => element.clientHeight), height);
	}));

test("printed, the picture is as wide as the paper, on white, and without what can be pressed", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			await page.emulateMedia({ media: "print", colorScheme: "dark" });
			await page.setViewportSize({ width: 700, height: 900 });
			await page.waitForFunction(() => {
				const [inner, outer] = ["#timeline-picture svg", "#timeline-plot"].map(
					(what) => document.querySelector(what)?.getBoundingClientRect().width ?? 0,
				);
				return inner > 500 && Math.abs(inner - outer) < 2;
			});
			assert.equal(
				await page.locator(".middle").evaluate((element) => getComputedStyle(element).backgroundColor),
				"rgb(255, 255, 255)",
			);
			assert.equal(await page.getByRole("button", { name: "See what the model saw" }).isVisible(), false);
			assert.ok((await page.pdf({ format: "A4" })).length > 10_000); // more than an empty page
		},
		{ hash: HASH, colorScheme: "dark" },
	));

test("nothing of it needs sideways scrolling at 400 px, and it redraws for the new width", () =>
	visit(
		async (page) => {
			await open(page, SESSION);
			assert.equal(await overflow(page), 0);
			const narrow = Number(await page.locator("#timeline-picture svg").getAttribute("width"));
			assert.ok(narrow < 400); // the width of the window
			await page.setViewportSize({ width: 900, height: 800 });
			await page.waitForFunction(
				(was) => Number(document.querySelector("#timeline-picture svg")?.getAttribute("width")) > was,
				narrow,
			);
		},
		{ hash: HASH, width: 400, height: 800 },
	));

measure(
	"a large session: the page stays free while it is replayed, says how far it is, and another session ends it",
	() =>
		visit(
			async (page) => {
				if (!existsSync(LARGE)) return console.log("the large session is absent: set TAMP_CORPUS");
				await page.evaluate(() => {
					const says = /** @type {string[]} */ ([]);
					Object.assign(globalThis, { says });
					new MutationObserver(() => says.push(document.getElementById("timeline-says")?.textContent ?? "")).observe(
						document.getElementById("timeline-says") ?? document,
						{ childList: true },
					);
				});
				const replays = /^Replaying Balanced: call \d+ of 471…$/;
				const prepare = async () => {
					await page.evaluate(() => {
						/** @type {any} */ (globalThis).says.length = 0;
					});
					await choose(page, readFileSync(LARGE), "large.json");
					await settled(page);
					await pane(page, "timeline");
				};
				const started = () =>
					page.waitForFunction(
						(text) => /** @type {any} */ (globalThis).says.some((/** @type {string} */ said) => text.test(said)),
						replays,
					);
				const replayed = async () => {
					await started();
					await drawn(page, 120_000);
				};
				await quick(page, "replay of 1.7 MB", replayed, prepare);
				await page.locator("#timeline-handle").focus();
				for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowLeft");
				assert.equal((await current(page)).call, "Call 441");

				await prepare();
				await started();
				await open(page, JSON.stringify(anthropic(4))); // within the limit of a step: it does not wait for the replay
				assert.equal((await current(page)).call, "Call 5");
			},
			{ hash: "#preset=balanced" },
		),
);

test("what the log says about its agent is named: its own window and its compactions", () =>
	visit(
		async (page) => {
			const message = (/** @type {string} */ role, /** @type {string} */ type) => ({
				type: "response_item",
				payload: { type: "message", role, content: [{ type, text: "Go on." }] },
			});
			const call = [message("user", "input_text"), message("assistant", "output_text")];
			const info = { model_context_window: 258_400 };
			const lines = [
				...call,
				...call,
				{ type: "compacted", payload: { message: "So far.", replacement_history: [] } },
				...call,
				{ type: "event_msg", payload: { type: "token_count", info } },
			];
			const log = lines.map((line) => JSON.stringify({ timestamp: "2026-11-26T10:00:00Z", ...line })).join("\n");
			await open(page, log, "rollout.jsonl");
			const item = page.locator("#timeline-owners").getByText("The agent’s own: window 258,400, 1 compaction");
			assert.equal(await item.getAttribute("title"), "compacted after call 2");
		},
		{ hash: HASH },
	));
