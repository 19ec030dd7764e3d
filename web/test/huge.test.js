// This file tests a log of 100 MB: it is opened and packed while the page responds, says what it does, and can be stopped.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "./journeys.js";
import { startPage, value, visit } from "./page.js";
import { claudeCode } from "./sessions.js";

startPage();

const SIZE = 100_000_000; // bytes
const LONG = 600_000; // ms: as long as a step may take on a machine with other work

/** A log whose results differ, as those of real sessions do. @param {number} size */
function log(size) {
	const lines = claudeCode(4).split("\n").filter(Boolean);
	const result = lines.findIndex((line) => line.includes("tool_result"));
	const call = lines.findLastIndex((line, i) => i < result && line.includes("tool_use"));
	/** @type {string[]} */
	const text = lines.slice(0, call);
	const [asks, answers] = [JSON.parse(lines[call]), JSON.parse(lines[result])];
	const block = asks.message.content.find((/** @type {any} */ { type }) => type === "tool_use");
	let parent = asks.parentUuid;
	for (let i = 0, length = 0; length < size; i++) {
		const output = Array.from(
			{ length: 200 },
			(_, n) => `file_${i}.go:${n}: func parse${(i * 31 + n) % 977}(text string)`,
		);
		block.id = `toolu_${i}`;
		Object.assign(asks, { uuid: `call-${i}`, parentUuid: parent });
		asks.message.id = `msg_${i}`;
		Object.assign(answers, { uuid: `result-${i}`, parentUuid: asks.uuid });
		answers.message.content = [{ type: "tool_result", tool_use_id: block.id, content: output.join("\n") }];
		parent = answers.uuid;
		text.push(JSON.stringify(asks), JSON.stringify(answers));
		length += text[text.length - 1].length;
	}
	return `${text.join("\n")}\n`;
}

test("100 MB: the page says what it does, responds, can be stopped, and gives the packed session", () =>
	visit(async (page) => {
		page.setDefaultTimeout(LONG);
		const dir = mkdtempSync(path.join(tmpdir(), "tamp-huge-"));
		try {
			const file = path.join(dir, "huge.jsonl");
			writeFileSync(file, log(SIZE));
			await page.evaluate(() => {
				const seen = { says: /** @type {string[]} */ ([]), early: /** @type {string[]} */ ([]), keys: 0 };
				Object.assign(globalThis, { seen });
				const busy = document.getElementById("busy-text");
				const note = () => {
					seen.says.push(busy?.textContent ?? "");
					// Nothing is said about the result before there is one.
					const verdict = document.getElementById("verdict");
					if (busy?.textContent && verdict?.checkVisibility()) seen.early.push(verdict.textContent ?? "");
				};
				if (busy) new MutationObserver(note).observe(busy, { childList: true });
				document.addEventListener("keydown", () => seen.keys++);
			});
			const input = page.locator("#file");
			await input.setInputFiles(file);
			await page.locator("#busy-cancel").click();
			await page.locator("#input[data-mode=empty]").waitFor();
			assert.equal(await page.locator("#session").isVisible(), false);

			await input.setInputFiles(file);
			await page
				.locator("#busy-text")
				.getByText(/^Counting/)
				.waitFor();
			await page.locator("#busy-time").getByText(/\d s/).waitFor();
			for (let i = 0; i < 20; i++) await page.keyboard.press("Shift");
			await page.locator("#busy[data-work=idle]").waitFor({ state: "attached" });
			await page.locator("#session[data-stale=false] #result[aria-busy=false]").waitFor({ state: "attached" });
			const { says, early, keys } = await page.evaluate(() => /** @type {any} */ (globalThis).seen);
			for (const step of [/^Reading [\d.]+ MB of 1\d\d/, /^Counting .* 1\d\d\.\d MB/, /^Writing .* 1\d\d\.\d MB/])
				assert.ok(
					says.some((/** @type {string} */ text) => step.test(text)),
					`${step} is not among ${[...new Set(says)]}`,
				);
			assert.ok(keys >= 20, `${keys} keys arrived while the engine worked`);
			assert.deepEqual(
				early.filter((/** @type {string} */ text) => /nothing/i.test(text)),
				[],
			);
			assert.ok((await value(page, "after")) < (await value(page, "before")) / 2);
		} finally {
			rmSync(dir, { recursive: true });
		}
	}));
