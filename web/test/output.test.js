// This file tests what people take away: the packed session, the archive, the decisions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, download, outputTab, settled, startPage, visit } from "./page.js";
import { anthropic, claudeCode } from "./sessions.js";

startPage();

test("copied and downloaded are the same session, packed, with every other message as it was", () =>
	visit(async (page) => {
		const given = anthropic(12);
		await choose(page, JSON.stringify(given), "night run.json");
		await settled(page);
		const file = await download(page, "Download");
		assert.equal(file.name, "night run.compacted.json");
		const packed = JSON.parse(file.text);
		assert.equal(packed.messages.length, given.messages.length);
		assert.deepEqual({ ...packed, messages: 0 }, { ...given, messages: 0 });
		const cleared = packed.messages.filter(
			(/** @type {any} */ m, /** @type {number} */ i) => JSON.stringify(m) !== JSON.stringify(given.messages[i]),
		);
		assert.equal(cleared.length, 9, "twelve answered results, the newest three stay");
		for (const message of cleared) assert.match(message.content[0].content, /^\[Previous: used (bash|grep)\]$/);

		await page.getByRole("button", { name: "Copy", exact: true }).click();
		await page.locator("#toasts").getByText("Copied").waitFor();
		assert.equal(await page.evaluate(() => navigator.clipboard.readText()), file.text);
		assert.equal(await page.getByTestId("result").textContent(), file.text);
	}));

test("the archive holds each removed original, byte for byte", () =>
	visit(async (page) => {
		const given = anthropic(12);
		await choose(page, JSON.stringify(given), "run.json");
		await settled(page);
		const file = await download(page, "Download archive");
		assert.equal(file.name, "run.archive.jsonl");
		const lines = file.text.trimEnd().split("\n");
		const originals = new Set(given.messages.map((m) => JSON.stringify(m)));
		for (const line of lines) assert.ok(originals.has(line), line.slice(0, 100));
		for (let i = 0; i < 9; i++) assert.ok(file.text.includes(`result ${i}: `), `result ${i}`);
		await outputTab(page, "Archive");
		await page.waitForFunction((text) => document.getElementById("archive")?.textContent === text, file.text);
	}));

test("a log comes back as a log", () =>
	visit(async (page) => {
		const given = claudeCode(10);
		await choose(page, given, "0a1b.jsonl");
		await settled(page);
		const file = await download(page, "Download");
		assert.equal(file.name, "0a1b.compacted.jsonl");
		const [was, is] = [given.trimEnd().split("\n"), file.text.trimEnd().split("\n")];
		assert.equal(is.length, was.length);
		assert.equal(is.filter((line, i) => line !== was[i]).length, 7);
	}));

test("each decision is listed with its reason and leads to its block", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		await outputTab(page, /Decisions/);
		const cleared = page.getByTestId("decisions").locator("li").filter({ hasText: "Cleared a result" });
		assert.equal(await cleared.count(), 9);
		for (const reason of await cleared.locator(".reason").allTextContents()) assert.ok(reason.length > 5);
		await cleared.nth(4).getByRole("button").click();
		const active = await page.locator("#list").getAttribute("aria-activedescendant");
		assert.match((await page.locator(`#${active}`).textContent()) ?? "", /result.*cleared/);
	}));

test("if nothing is removed, the result is the input and there is no archive to save", () =>
	visit(async (page) => {
		const text = JSON.stringify(anthropic(2), null, 2);
		await choose(page, text);
		await settled(page);
		assert.equal((await download(page, "Download")).text, text);
		assert.ok(await page.getByRole("button", { name: "Download archive" }).isDisabled());
	}));
