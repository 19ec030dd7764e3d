// This file tests what once went wrong on the page and no other file covers.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { choose, eventually, outputTab, pane, settled, startPage, visit } from "./page.js";
import { anthropic } from "./sessions.js";

startPage();

test("a text that is no session is called what it is", () =>
	visit(async (page) => {
		for (const [what, content, says, not] of [
			[
				"UTF-16 is not called binary",
				Buffer.from('\ufeff{"messages": []}', "utf16le"),
				/UTF-16, not UTF-8.*iconv/s,
				/binary/,
			],
			[
				"a wrong character is not called a session cut short",
				'{"messages": [{"role": "user" "content": 1}]}',
				/stops being JSON/,
				/too early/,
			],
			[
				"a session cut short is called so",
				'{"messages": [{"role": "user", "content": "Hel',
				/may end too early/,
				/stops being JSON/,
			],
		]) {
			await choose(page, /** @type {string | Buffer} */ (content));
			await page
				.locator("#error")
				.filter({ hasText: /** @type {RegExp} */ (says) })
				.waitFor();
			const text = (await page.locator("#error").textContent()) ?? "";
			assert.doesNotMatch(text, /** @type {RegExp} */ (not), String(what));
		}
	}));

test("a session of many windows does not fit, whatever was saved", () =>
	visit(
		async (page) => {
			const lines = Array.from({ length: 6000 }, (_, i) => `line ${i} of what the user pasted`);
			const { messages } = anthropic(12);
			const [prompt, ...rest] = messages;
			const long = { role: "user", content: `${prompt.content}\n${lines.join("\n")}` };
			await choose(page, JSON.stringify({ model: "gpt-4", messages: [long, ...rest] }));
			await settled(page);
			await page.locator("#fits[data-fits=false]").waitFor();
			assert.match((await page.getByTestId("fits").textContent()) ?? "", /^Does not fit, window 8,192$/);
		},
		{ hash: "#preset=regions&force=true" }, // which keeps every prompt
	));

test("cleared, summarized, truncated and dropped blocks have swatches that differ", () =>
	visit(async (page) => {
		const looks = await page.evaluate(() =>
			["kept", "pinned", "cleared", "summarized", "truncated", "dropped", "broken"].map((fate) => {
				const swatch = document.createElement("span");
				swatch.className = `swatch fate-${fate}`;
				document.body.append(swatch);
				const { backgroundImage, backgroundColor } = getComputedStyle(swatch);
				return backgroundImage + backgroundColor;
			}),
		);
		assert.equal(new Set(looks).size, looks.length);
	}));

test("code and commands cannot be copied between a change of the policy and its result", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		const disabled = await page.evaluate(() => {
			const other = /** @type {HTMLInputElement} */ (document.querySelector("input[name=preset]:not(:checked)"));
			other.click();
			return ["next-gateway", "code-copy"].map(
				(id) => /** @type {HTMLButtonElement} */ (document.getElementById(id)).disabled,
			);
		});
		assert.deepEqual(disabled, [true, true]);
		await page.locator("#code-copy:enabled").waitFor({ state: "attached" });
	}));

test("the key f opens the filter of the blocks from any tab, in view and with the focus", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		await pane(page, "packed");
		await page.keyboard.press("f");
		await eventually(async () => {
			assert.equal(await page.locator("#panel-blocks").isVisible(), true);
			const within = await page.evaluate(() => {
				const { activeElement } = document;
				const box = activeElement?.getBoundingClientRect();
				return Boolean(activeElement?.closest("#panel-blocks") && box && box.top >= 0 && box.bottom <= innerHeight);
			});
			assert.equal(within, true);
		});
	}));

test("an offer to undo is gone once something else was undone", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(6)), "first.json");
		await settled(page);
		await choose(page, JSON.stringify(anthropic(9)), "second.json");
		await settled(page);
		const offer = page.locator("#toasts").getByRole("button", { name: "Undo" });
		await offer.waitFor();
		await page.locator("#undo").click();
		await offer.waitFor({ state: "detached" });
		await page.locator(".name[data-source='first.json']").waitFor();
	}));

test("a policy that would do nothing yet is shown as if it compacted now, and the page says so", () =>
	visit(
		async (page) => {
			await choose(page, JSON.stringify(anthropic(40)));
			await settled(page);
			assert.equal(await page.locator("#saved-cap").textContent(), "saved if compacted now");
		},
		{ hash: "#preset=turns&force=auto" },
	));

test("the diff reads the messages of the newer formats, too", () =>
	visit(async (page) => {
		const { messages } = anthropic(12);
		const contents = messages.map(({ role, content }, i) => ({
			role: role === "user" ? "user" : "model",
			parts: Array.isArray(content)
				? content.map((block) =>
						block.type === "tool_use"
							? { functionCall: { name: block.name, args: block.input } }
							: block.type === "tool_result"
								? { functionResponse: { name: messages[i - 1].content[1].name, response: { output: block.content } } }
								: { text: block.text },
					)
				: [{ text: content }],
		}));
		await choose(page, JSON.stringify({ contents }));
		await settled(page);
		assert.equal(await page.getByTestId("format").textContent(), "Gemini contents");
		await outputTab(page, "Diff");
		await page.getByText("9 edited").first().waitFor();
		const note = { hasText: /Previous: used (bash|grep)/ }; // drawn when it is in view
		await page.getByTestId("diff").filter(note).waitFor();
	}));
