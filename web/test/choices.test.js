// This file tests what the user chooses block by block: keep, remove or summarize, with undo; what is shown in the place of a
// changed block; and how work is canceled.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import {
	choose,
	delayPieces,
	download,
	downloadArchive,
	endDelay,
	lookElsewhere,
	pane,
	settled,
	startPage,
	visit,
} from "./page.js";
import { anthropic } from "./sessions.js";

startPage();

/** @param {import("playwright-core").Page} page @param {string} scope @param {"Remove" | "Keep" | "Summarize"} act */
async function put(page, scope, act) {
	await page.locator("#details select").selectOption({ label: scope });
	await page.locator("#details").getByRole("button", { name: act, exact: true }).click();
	await settled(page);
}

/** The packed session. @param {import("playwright-core").Page} page */
async function packed(page) {
	const { text } = await download(page);
	await pane(page, "blocks");
	return text;
}

journey("a removed call goes with its result, is in the archive, and undo brings it back", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)), "run.json");
		await settled(page);
		const before = await packed(page);
		const call = page.locator("#list .block", { hasText: "call" }).first();
		await call.click();
		const id = await page
			.locator("#details")
			.getByText(/^Go to its/)
			.isVisible();
		assert.equal(id, true, "it has a result");
		await put(page, "this block", "Remove");
		await page.locator("#list [data-choice=drop]").waitFor();
		assert.equal(await page.locator("#list [data-fate=dropped]").count(), 2, "the call and its result");
		const after = await packed(page);
		assert.ok(JSON.parse(after).messages.length <= JSON.parse(before).messages.length);
		assert.notEqual(after, before);
		const archive = (await downloadArchive(page)).text;
		assert.ok(archive.includes("result 0: "), "the original is in the archive");
		assert.ok(!after.includes("result 0: "));
		await page.locator("#undo").click();
		await settled(page);
		assert.equal(await packed(page), before);
		assert.equal(await page.locator("#list [data-choice]").count(), 0);
		// What is removed comes back after a reload, and after a look at another page.
		await call.click();
		await put(page, "this block", "Remove");
		await page.waitForFunction(() => sessionStorage.getItem("tamp-tab-session") !== null);
		for (const leave of [() => page.reload(), () => lookElsewhere(page)]) {
			await leave();
			await settled(page);
			assert.equal(await page.locator("#list [data-choice=drop]").count(), 1);
			assert.equal(await packed(page), after);
		}
	}),
);

test("a kept result stays as it was, and all above a block can be removed", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)), "run.json");
		await settled(page);
		const cleared = page.locator("#list [data-fate=cleared]").first();
		await cleared.click();
		await page.getByTestId("replacement").getByText("[Previous: used").waitFor();
		await put(page, "this block", "Keep");
		assert.ok((await packed(page)).includes("result 0: "), "it is kept");
		await page.locator("#list").press("End");
		await put(page, "all above here", "Remove");
		const left = JSON.parse(await packed(page)).messages;
		assert.ok(left.length <= 4, `${left.length} messages are left`);
		assert.ok(JSON.stringify(left).includes("result 0: ") === false || left.length > 1);
	}));

journey("a result is summarized in its place, all above a block by one summary, and undo brings both back", () =>
	visit(async (page) => {
		const session = anthropic(12);
		for (const [i, { content }] of session.messages.filter((m) => m.content[0].type === "tool_result").entries())
			content[0].content += Array.from(
				{ length: 30 },
				(_, n) => `\nfile_${i}.go:${n}: func parse${n}(text string) error`,
			);
		await choose(page, JSON.stringify(session), "run.json");
		await settled(page);
		const before = await packed(page);
		await page.locator("#list [data-fate=cleared]").first().click();
		await put(page, "this block", "Summarize");
		assert.equal(await page.locator("#list [data-choice=summarize]").count(), 1);
		const summary = page.getByTestId("replacement");
		await summary.getByText("summary of turns").waitFor();
		const one = await packed(page);
		assert.equal(JSON.parse(one).messages.length, JSON.parse(before).messages.length, "its call stays");
		assert.match(one, /tool_result[^}]*summary of turns/);
		await page.locator("#list").press("End");
		await put(page, "all above here", "Summarize");
		const left = JSON.parse(await packed(page)).messages;
		assert.ok(left.length < 6, `${left.length} messages are left`);
		assert.match(JSON.stringify(left[0]), /summary of turns/);
		const archive = (await downloadArchive(page)).text;
		assert.ok(archive.includes("result 0: "), "the originals are in the archive");
		await page.locator("#undo").click();
		await settled(page);
		assert.equal(await packed(page), one);
		await page.locator("#undo").click();
		await settled(page);
		assert.equal(await packed(page), before);
	}),
);

test("the open tool round cannot be summarized, and the page says so", () =>
	visit(async (page) => {
		const session = anthropic(6);
		session.messages.length = session.messages.findLastIndex((m) => JSON.stringify(m).includes("tool_result")) + 1;
		await choose(page, JSON.stringify(session), "open.json");
		await settled(page);
		await page.locator("#list").press("End");
		await page.locator("#details").getByRole("button", { name: "Summarize" }).click();
		await page.getByText("the open tool round cannot be summarized").waitFor();
		assert.equal(await page.locator("#list [data-choice]").count(), 0);
		await page.locator("#details select").selectOption({ label: "all above here" });
		await page.locator("#details").getByRole("button", { name: "Summarize" }).click();
		await settled(page);
		assert.ok((await page.locator("#list [data-choice=summarize]").count()) > 2);
		assert.match(await packed(page), /summary of turns/);
	}));

test("work that takes long can be canceled: the page goes back to where it was, and can be used", () =>
	visit(async (page) => {
		await delayPieces(page, 700);
		await page.reload();
		await choose(page, JSON.stringify(anthropic(12)), "long.json");
		await page.locator("#busy-cancel").click();
		await page.locator("#input[data-mode=empty]").waitFor();
		assert.equal(await page.locator("#session").isVisible(), false);
		await endDelay(page);
		await choose(page, JSON.stringify(anthropic(4)), "short.json");
		await settled(page);
		assert.equal(await page.locator("#chip .name").textContent(), "short.json");
	}));

test("opening and packing are canceled at every step: the worker ends, and the page can be used", () =>
	visit(async (page) => {
		const session = JSON.stringify(anthropic(100, 10_000));
		for (const [step, name] of [
			["Reading", "read.json"],
			["Counting", "counted.json"],
			["Writing", "packed.json"],
		]) {
			const worker = page.workers().find((one) => one.url().includes("engine.worker"));
			const ended = new Promise((resolve) => worker?.once("close", resolve));
			await page.evaluate((step) => {
				const text = document.getElementById("busy-text") ?? document.body;
				const watch = new MutationObserver(() => {
					if (!text.textContent?.startsWith(step)) return;
					watch.disconnect();
					document.getElementById("busy-cancel")?.click(); // as soon as the step begins, which may be short
				});
				watch.observe(text, { childList: true, characterData: true, subtree: true });
			}, step);
			await choose(page, session, name);
			await ended;
			await page.locator("#busy[data-work=idle]").waitFor({ state: "attached" });
			if (step === "Writing") await page.getByText("Stopped. Change the policy").waitFor();
			else await page.locator("#input[data-mode=empty]").waitFor();
			assert.equal(await page.locator("#session").isVisible(), step === "Writing", "a session that was read stays");
		}
		assert.ok(await page.locator("#download").isDisabled(), "there is no packed session yet");
		await page.locator("input[name=preset][value=prune]").check();
		await settled(page);
		assert.ok((await packed(page)).length > 0);
	}));
