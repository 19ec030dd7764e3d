// This file tests every way in: paste, typing, drop, file, example; and what the page says of input that is no session.

import assert from "node:assert/strict";
import { PACKED, repeated } from "../../wasm/npm/test/packed.js";
import { journey, test } from "./journeys.js";
import { choose, openExample, paste, settled, startPage, value, visit } from "./page.js";
import { anthropic, claudeCode, openai } from "./sessions.js";

startPage();

test("the page loads, says what to do and requests no other origin", () =>
	visit(async (page) => {
		assert.equal(await page.title(), "Tamp – see what your agent's context is made of, and pack it");
		await page.getByRole("heading", { level: 1 }).waitFor();
		assert.equal(await page.locator("#session").isVisible(), false);
		assert.equal(await page.locator(".example").count(), 5);
	}));

journey("a pasted session is named, counted and packed, and the engine loads with progress", () =>
	visit(async (page) => {
		// A slow line: the engine does not come. The bar says at once how far it is, and for what.
		await page.route("**/tamp.wasm", () => {});
		await page.reload();
		await page.locator(".example[data-file='bughunt.jsonl']").click();
		const bar = page.getByRole("progressbar", { name: "Progress" });
		await bar.waitFor();
		await page
			.locator("#busy-text", { hasText: /^Loading the engine and the example: [4-6] % of 6\.\d MB…$/ })
			.waitFor();
		const share = Number(await bar.getAttribute("value"));
		assert.ok(share > 0.03 && share < 0.07, `${share}: the example has come, and nothing of the engine`);
		await page.unroute("**/tamp.wasm");
		await page.goto("about:blank");
		await page.goBack();
		await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
		await paste(page, JSON.stringify(anthropic(10)));
		await settled(page);
		assert.equal(await page.getByTestId("format").textContent(), "Anthropic messages");
		assert.match((await page.getByTestId("session").textContent()) ?? "", /3\d blocks$/);
		assert.match((await page.locator("#chip .counts").getAttribute("title")) ?? "", /^22 messages, 11 turns, \d+ kB$/);
		const [before, after] = [await value(page, "before"), await value(page, "after")];
		// The session is real, so the numbers are not those of an empty page.
		assert.ok(before > 2000 && after < before && after > 0, `${before} → ${after}`);
		assert.equal(await page.getByTestId("saved").textContent(), `${Math.floor(((before - after) * 100) / before)} %`);
		assert.ok((await page.getByTestId("result").textContent())?.includes("[Previous: used bash]"));
		assert.match((await page.getByTestId("problems").textContent()) ?? "", /No problems/);
	}),
);

test("a session within a pasted text is opened, and named for what it was; undo leads before it", () =>
	visit(async (page) => {
		await openExample(page);
		await paste(page, `curl https://api.anthropic.com/v1/messages -d '${JSON.stringify(anthropic(6))}'`);
		await page.locator("#chip .counts", { hasText: "read from a curl command" }).waitFor();
		await settled(page);
		assert.equal(await page.locator("#error").textContent(), "");
		await page.keyboard.press("Control+z");
		await page.locator('#chip [data-source="bughunt.jsonl"]').waitFor();
	}));

journey("an opened file is taken as what it is", () =>
	visit(async (page) => {
		for (const [name, content, format] of [
			["session.json", JSON.stringify(openai(8)), "OpenAI chat"],
			["log.jsonl", claudeCode(8), "Claude Code session log"],
			["bare.json", JSON.stringify(anthropic(8).messages), "Anthropic messages"],
		]) {
			await choose(page, content, name);
			await page.getByTestId("format").getByText(format, { exact: true }).waitFor();
			await settled(page);
			assert.ok((await value(page, "after")) < (await value(page, "before")), name);
		}
	}),
);

journey("a session that Codex has compressed is opened, and one that has gigabytes is refused", () =>
	visit(async (page) => {
		await choose(page, PACKED, "rollout.jsonl.zst");
		await page.getByTestId("format").getByText("Codex session log", { exact: true }).waitFor();
		await settled(page);
		assert.match((await page.getByTestId("session").textContent()) ?? "", /^rollout\.jsonl/);
		assert.match((await page.locator("#chip .counts").getAttribute("title")) ?? "", /^60 messages/);
		const alert = page.locator("#error");
		await choose(page, repeated(10_000), "bomb.jsonl.zst");
		await alert.filter({ hasText: /more than 128 MB, the maximum.*zstd -d/ }).waitFor();
		await choose(page, PACKED.subarray(0, 400), "cut.jsonl.zst");
		await alert.filter({ hasText: /Cannot unpack the file: .*zstd -d/ }).waitFor();
		await choose(page, `${"\0".repeat(300)}\n${claudeCode(8)}`, "zeros.jsonl");
		await page.getByTestId("format").getByText("Claude Code session log", { exact: true }).waitFor();
	}),
);

journey("a dropped file is opened, and the page shows that it would be", () =>
	visit(async (page) => {
		const data = await page.evaluateHandle(
			(text) => {
				const transfer = new DataTransfer();
				transfer.items.add(new File([text], "dropped.json"));
				return transfer;
			},
			JSON.stringify(anthropic(6)),
		);
		await page.dispatchEvent("body", "dragover", { dataTransfer: data });
		await page.locator("#dropping").waitFor();
		await page.dispatchEvent("body", "drop", { dataTransfer: data });
		await settled(page);
		assert.equal(await page.locator("#dropping").isVisible(), false);
		assert.match((await page.getByTestId("session").textContent()) ?? "", /dropped\.json/);
	}),
);

journey("each example opens", () =>
	visit(async (page) => {
		for (let i = 0; i < 4; i++) {
			await openExample(page, (await page.locator(".example").nth(i).getAttribute("data-file")) ?? "");
			assert.ok((await value(page, "before")) > 0);
		}
	}),
);

test("a typed text is packed while it is typed, and the field stays open", () =>
	visit(async (page) => {
		const field = page.getByRole("textbox", { name: "Session as text" });
		await field.fill('[{"role": "user", "content": "hello"}]');
		await settled(page);
		const one = await value(page, "before");
		assert.ok(await field.isVisible());
		await field.fill('[{"role": "user", "content": "hello, and many more words than before"}]');
		await page.waitForFunction((n) => Number(document.getElementById("before")?.dataset.value) > n, one);
	}));

test("opening another session can be undone", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(6)), "first.json");
		await settled(page);
		const before = await value(page, "before");
		await choose(page, JSON.stringify(anthropic(9)), "second.json");
		await settled(page);
		assert.notEqual(await value(page, "before"), before);
		await page.locator("#toasts").getByRole("button", { name: "Undo" }).click();
		await settled(page);
		assert.equal(await value(page, "before"), before);
		assert.match((await page.getByTestId("session").textContent()) ?? "", /first\.json/);
	}));

journey("what is no session is refused with a place and what to do, and the page goes on", () =>
	visit(async (page) => {
		const alert = page.locator("#error");
		for (const [what, content, says] of [
			["text that is no JSON", "hello there", /plain text.*Open another file/],
			["a session cut short", `{"messages": [\n  {"role": "user", "content": "Hello`, /line 2, column \d+/],
			["an empty file", "", /empty/],
			["a binary file", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]), /a picture/],
			[
				"JSON of another kind",
				'{"name": "tamp", "version": 1}',
				/keys "name", "version"\.?Open another fileChoose the folder/,
			],
			["a message whose role is no text", '{"messages": [{"role": 7, "content": "hi"}]}', /\/messages\/0\/role/],
		]) {
			await choose(page, /** @type {string | Buffer} */ (content), String(what));
			await alert.filter({ hasText: /** @type {RegExp} */ (says) }).waitFor();
			assert.equal(await page.locator("#session").isVisible(), false);
		}
		await choose(page, JSON.stringify(anthropic(6)));
		await settled(page);
		assert.equal(await alert.textContent(), "");
	}),
);

test("the caret points at the place", () =>
	visit(async (page) => {
		await page
			.getByRole("textbox", { name: "Session as text" })
			.fill('{"messages": [\n  {"role": "user" "content": "x"}\n]}');
		const [line, caret] = ((await page.locator("#error pre").textContent()) ?? "").split("\n");
		assert.equal(line.slice(caret.indexOf("^")), '"content": "x"}');
	}));

test("while a text is edited into something broken, the last view stays, dimmed", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(6)));
		await settled(page);
		await page.getByRole("button", { name: "Edit input" }).click();
		await page.getByRole("textbox", { name: "Session as text" }).press("End");
		await page.keyboard.type("}");
		await page.locator("#session[data-stale=true]").waitFor();
		await page.keyboard.press("Backspace");
		await page.locator("#session[data-stale=false]").waitFor();
	}));

test("each example describes itself in one short sentence", () =>
	visit(async (page) => {
		await page.locator(".example .about").first().waitFor({ state: "attached" });
		for (const about of await page.locator(".example").all()) {
			const text = (await about.locator(".about").textContent()) ?? "";
			assert.match(text, /^\p{Lu}[^.]{10,140}\.$/u);
			assert.ok(((await about.getAttribute("title")) ?? "").includes(text.slice(1)));
		}
	}));

test("the page says that a long paste is not opened if the user types before it is read", () =>
	visit(async (page) => {
		await page.evaluate(
			(text) => {
				const clipboardData = new DataTransfer();
				clipboardData.setData("text/plain", text);
				document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
				const field = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
				field.value = "[]";
				field.dispatchEvent(new Event("input"));
			},
			JSON.stringify(anthropic(150, 19_500)),
		);
		await page.locator("#toasts").getByText("The pasted session was not opened").waitFor();
	}));
