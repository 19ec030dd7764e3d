// This file tests what people take away: the packed session, the archive, the decisions.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import {
	asOpened,
	choose,
	copied,
	download,
	downloadArchive,
	eventually,
	outputTab,
	pane,
	settled,
	startPage,
	visit,
} from "./page.js";
import { anthropic, claudeCode, codex, opencode, pi } from "./sessions.js";

startPage();

journey("copied and downloaded are the same session, packed, with every other message as it was", () =>
	visit(async (page) => {
		const given = anthropic(12);
		await choose(page, JSON.stringify(given), "night run.json");
		await settled(page);
		const file = await download(page);
		assert.equal(file.name, "night run.compacted.json");
		const packed = JSON.parse(file.text);
		assert.equal(packed.messages.length, given.messages.length);
		assert.deepEqual({ ...packed, messages: 0 }, { ...given, messages: 0 });
		const cleared = packed.messages.filter(
			(/** @type {any} */ m, /** @type {number} */ i) => JSON.stringify(m) !== JSON.stringify(given.messages[i]),
		);
		assert.equal(cleared.length, 9, "twelve answered results, the newest three stay");
		for (const message of cleared) assert.match(message.content[0].content, /^\[Previous: used (bash|grep)\]$/);

		const text = await copied(page, async () => {
			await page.getByRole("button", { name: "Copy", exact: true }).click();
			await page.locator("#toasts").getByText("Copied").waitFor();
		});
		assert.equal(text, file.text);
		assert.equal(await page.getByTestId("result").textContent(), file.text);
	}),
);

test("the archive holds each removed original, byte for byte", () =>
	visit(async (page) => {
		const given = anthropic(12);
		await choose(page, JSON.stringify(given), "run.json");
		await settled(page);
		const file = await downloadArchive(page);
		assert.equal(file.name, "run.archive.jsonl");
		const lines = file.text.trimEnd().split("\n");
		const originals = new Set(given.messages.map((m) => JSON.stringify(m)));
		for (const line of lines) assert.ok(originals.has(line), line.slice(0, 100));
		for (let i = 0; i < 9; i++) assert.ok(file.text.includes(`result ${i}: `), `result ${i}`);
		await outputTab(page, "Archive");
		await page.waitForFunction((text) => document.getElementById("archive")?.textContent === text, file.text);
	}));

const FOLDERS = [
	{ given: claudeCode(10), folder: "~/.claude/projects", command: "cd '/project' && claude --resume " },
	{ given: codex(10), folder: "~/.codex/sessions", command: "codex resume " },
	{ given: pi(10), folder: "~/.pi/agent/sessions", command: "pi --session " },
	{ given: opencode(10), folder: "in your folder", command: "opencode import '0a1b-" },
];
for (const { given, folder, command } of FOLDERS)
	test(`the button that saves the session says its file, its folder and its command: ${command}`, () =>
		visit(
			async (page) => {
				await choose(page, given, "0a1b.jsonl");
				await settled(page);
				const { name } = await download(page, "Download session and archive");
				const note = (await page.locator("#download-note").textContent()) ?? "";
				await pane(page, "blocks");
				const again = page.waitForEvent("download");
				await page.locator(".numbers").getByRole("button", { name: "Download session and archive" }).click();
				await again;
				await page.locator("#download-note", { hasText: "Put " }).waitFor();
				for (const part of [`Put ${name} `, folder, command, "0a1b.archive.jsonl has what"])
					assert.ok(note.includes(part), `${part} is not in: ${note}`);
			},
			{ hash: "#preset=clear_tool_uses&force=true" },
		));

journey("a log is saved as a session of its own with its archive, and the page says what resumes it", () =>
	visit(async (page) => {
		const given = claudeCode(10);
		await choose(page, given, "0a1b.jsonl");
		await settled(page);
		/** @type {string[]} */
		const saved = [];
		page.on("download", (file) => saved.push(file.suggestedFilename()));
		const { name, text } = await download(page);
		const id = name.replace(/\.jsonl$/, "");
		assert.match(id, /^[\da-f-]{36}$/);
		for (const [, session] of text.matchAll(/"sessionId":"([^"]*)"/g)) assert.equal(session, id);
		await page.locator("#download-note code", { hasText: `claude --resume ${id}` }).waitFor();
		await eventually(async () => assert.deepEqual(saved, [name, "0a1b.archive.jsonl"]));
		await choose(page, JSON.stringify(anthropic(12)));
		await settled(page);
		assert.equal(await page.locator("#download-note").textContent(), "");
		const compacted = await download(page);
		assert.ok((await page.locator("#download-note").textContent())?.includes(`what ${compacted.name} left out`));
	}),
);

test("a log comes back as a log", () =>
	visit(async (page) => {
		const given = claudeCode(10);
		await choose(page, given, "0a1b.jsonl");
		await settled(page);
		const file = await download(page);
		const [was, is] = [given.trimEnd().split("\n"), asOpened(file).trimEnd().split("\n")];
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
		assert.equal((await download(page)).text, text);
		assert.ok(
			await page.locator("#panel-packed").getByRole("button", { name: "Download session", exact: true }).isEnabled(),
		);
	}));

const saveAs = async (
	/** @type {import("playwright-core").Page} */ page,
	/** @type {string} */ which,
	/** @type {string} */ to,
) => {
	await pane(page, "packed");
	await page.getByLabel("Session to save").selectOption(which);
	await page.getByLabel("as format").selectOption(to);
	return download(page, "Save as");
};

journey(
	"the packed and the original session are saved in the format of another provider, with the list of losses",
	() =>
		visit(async (page) => {
			const given = anthropic(12);
			given.messages[0].content = /** @type {any} */ ([
				{ type: "text", text: "Make the tests pass.", cache_control: { type: "ephemeral" } },
			]);
			await choose(page, JSON.stringify(given), "night run.json");
			await settled(page);
			const formats = await page
				.locator("#save-as-format option")
				.evaluateAll((all) => all.map((one) => one.getAttribute("value")));
			assert.deepEqual(formats, ["openai-chat", "openai-responses", "gemini", "ai-sdk"], "all but its own");

			const original = await saveAs(page, "original", "openai-chat");
			assert.equal(original.name, "night run.openai-chat.json");
			const chat = JSON.parse(original.text);
			const [system, prompt, call, result] = chat;
			assert.deepEqual(system, { role: "system", content: "You are a careful engineer." });
			assert.match(JSON.stringify(prompt.content), /Make the tests pass/);
			assert.equal(call.tool_calls[0].function.arguments, '{"path":"strings/file_0.go"}');
			assert.deepEqual(
				[result.role, result.tool_call_id, result.content],
				["tool", call.tool_calls[0].id, /** @type {any} */ (given.messages[2]).content[0].content],
			);
			assert.equal(chat.filter((/** @type {any} */ m) => m.role === "tool").length, 12);
			const losses = page.getByTestId("losses");
			await losses.locator("summary").click();
			assert.match(
				(await losses.locator("li").allTextContents()).join("\n"),
				/cache_control was dropped in 1 place: \/messages\/0\/content\/0/,
			);

			const packed = await saveAs(page, "packed", "gemini");
			assert.equal(packed.name, "night run.compacted.gemini.json");
			const { contents } = JSON.parse(packed.text);
			assert.equal(contents.length, given.messages.length);
			assert.equal(
				packed.text.match(/\[Previous: used (bash|grep)\]/g)?.length,
				9,
				"what the policy cleared stays cleared",
			);

			// The page opens what it saved, and finds nothing wrong with it.
			for (const { name, text } of [original, packed]) {
				await choose(page, text, name);
				await settled(page);
				assert.equal(await page.locator("#problems").getByText("No problems").count(), 1, name);
			}
			assert.equal(await page.getByTestId("format").textContent(), "Gemini contents");
			assert.equal(await page.getByTestId("losses").count(), 0, "the report of the session before is gone");
			await outputTab(page, "Diff");
			await page.getByTestId("diff").getByText("unchanged").first().waitFor();
		}),
);

test("a conversion that the engine refuses says why, and saves nothing", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(2)), "run.json");
		await settled(page);
		await pane(page, "packed");
		await page.locator("#save-as-format").evaluate((select) => select.append(new Option("Codex", "codex")));
		await page.getByLabel("as format").selectOption("codex");
		/** @type {string[]} */
		const saved = [];
		page.on("download", (file) => saved.push(file.suggestedFilename()));
		await page.getByRole("button", { name: "Save as" }).click();
		await page.getByText('Not saved. Cannot convert to "codex": accepted are anthropic, openai-chat').waitFor();
		assert.deepEqual(saved, []);
	}));
