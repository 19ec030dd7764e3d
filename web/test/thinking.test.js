// This file tests the choice of what becomes of thinking that is bound to changed text: where it is offered, and that
// the output, the address and the code follow it.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { choose, eventually, pane, settled, startPage, visit } from "./page.js";
import { anthropic } from "./sessions.js";

startPage();

/**
 * A request in an open tool round, with thinking in each answer.
 * @param {string} model
 */
function thinking(model) {
	const body = anthropic(14);
	body.messages.pop();
	for (const { role, content } of body.messages)
		if (role === "assistant") content.unshift({ type: "thinking", thinking: "Which file?", signature: "c2ln" });
	return JSON.stringify({ ...body, model });
}

const BOUND = thinking("claude-opus-5-5");

/** @param {import("playwright-core").Page} page */
async function result(page) {
	await settled(page);
	return (await page.getByTestId("result").textContent()) ?? "";
}

/** The options that are wider than the field has room for, without the 20 pixels of its arrow. @param {any} field */
function tooWide(field) {
	const style = getComputedStyle(field);
	const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
	context.font = style.font;
	const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight) - 20;
	return [...field.options].map((o) => o.text).filter((text) => context.measureText(text).width > room);
}

test("bound thinking is removed, left in the open round, or left to the provider", () =>
	visit(
		async (page) => {
			await choose(page, thinking("claude-opus-4-5"));
			await settled(page);
			const field = page.getByTestId("thinking-choice");
			assert.equal(await field.isVisible(), false, "this model does not bind thinking");
			assert.doesNotMatch((await page.locator("#code-javascript").textContent()) ?? "", /thinking/);

			await choose(page, BOUND, "bound.json");
			await settled(page);
			await field.waitFor();
			const select = page.getByLabel("Thinking that is bound to changed text");
			assert.deepEqual(await select.evaluate(tooWide), [], "each choice can be read");
			const removed = await result(page);
			assert.doesNotMatch(removed, /"signature"/, "all that is left comes after a change");
			assert.doesNotMatch(page.url(), /thinking=/);

			/** @type {[string, number, RegExp, RegExp][]} the value, blocks of thinking, the code in JavaScript and in Go */
			const rows = [
				["drop_block", 1, /thinking: "drop_block",/, /Thinking: core\.DropBlock\b/],
				["keep", 14, /thinking: "keep",/, /Thinking: core\.KeepThinking\b/],
			];
			for (const [value, left, javascript, go] of rows) {
				await select.selectOption(value);
				const text = await result(page);
				assert.equal(text.match(/"signature"/g)?.length, left, `${value} keeps that of the open round`);
				assert.match(page.url(), new RegExp(`[#&]thinking=${value}(&|$)`));
				await pane(page, "packed");
				for (const [tab, id, wanted] of /** @type {[string, string, RegExp][]} */ ([
					["JavaScript", "javascript", javascript],
					["Go", "go", go],
					["curl", "curl", new RegExp(`"thinking":"${value}"`)],
				])) {
					await page.getByTestId("takeaway").getByRole("tab", { name: tab, exact: true }).click();
					assert.match((await page.locator(`#code-${id}`).textContent()) ?? "", wanted);
				}
			}
			await page.locator("#undo").click();
			await settled(page);
			assert.equal(await select.inputValue(), "drop_block");
			assert.match(page.url(), /thinking=drop_block/);
			await select.selectOption("");
			assert.equal(await result(page), removed);
			assert.doesNotMatch(page.url(), /thinking=/);
		},
		{ hash: "#preset=prune&force=true" },
	));

test("an address names what becomes of thinking, and an unknown value is the default", () =>
	visit(
		async (page) => {
			await choose(page, BOUND);
			await settled(page);
			const field = page.locator("#thinking");
			assert.equal(await field.inputValue(), "keep");
			await page.evaluate(() => {
				location.hash = "#preset=prune&force=true&thinking=x";
			});
			await eventually(async () => assert.equal(await field.inputValue(), ""));
		},
		{ hash: "#preset=prune&force=true&thinking=keep" },
	));
