// This file tests what people take along: each piece of code is run for real, and what comes out of it is what the page
// shows.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { test } from "./journeys.js";
import {
	asOpened,
	choose,
	copied,
	download,
	downloadArchive,
	outputTab,
	pane,
	settled,
	startPage,
	visit,
} from "./page.js";
import { startServer } from "./servers.js";
import { anthropic, claudeCode, openai } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

startPage();

/** @type {import("./servers.js").Running} */
let server;
before(async () => {
	server = await startServer();
});
after(() => server.stop());

/** Names and words with every sign that means something to a shell, to Go or to JavaScript. */
const NASTY = 'it\'s "night" $(exit 9) `run` ${x} %s';

const SESSIONS = [
	{ what: "an Anthropic request", name: `${NASTY}.json`, content: JSON.stringify(anthropic(14), null, 1), counter: "" },
	{ what: "OpenAI messages", name: "chat.json", content: JSON.stringify(openai(14)), counter: "o200k_base" },
	{ what: "a Claude Code log", name: `${NASTY}.jsonl`, content: claudeCode(14), counter: "chars4" },
	{ what: "bound thinking", name: "bound.json", content: boundThinking(), counter: "", thinking: "drop_block" },
];

/** A request with thinking in each answer, to a model that binds it. */
function boundThinking() {
	const body = anthropic(14);
	for (const { role, content } of body.messages)
		if (role === "assistant") content.unshift({ type: "thinking", thinking: "Which file?", signature: "c2ln" });
	return JSON.stringify({ ...body, model: "claude-opus-5-5" });
}

/** @param {Page} page @param {string} tab @param {string} id */
async function code(page, tab, id) {
	await pane(page, "packed");
	await page.getByTestId("takeaway").getByRole("tab", { name: tab, exact: true }).click();
	const shown = async () => (await page.locator(`#code-${id}`).textContent()) ?? "";
	const copy = async () => {
		await page.getByTestId("takeaway").getByRole("button", { name: "Copy code" }).click();
		await page
			.locator("#toasts")
			.getByText(id === "curl" ? "Copied the command" : "Copied the code")
			.waitFor();
	};
	return copied(page, copy, shown);
}

/** @param {string} at @param {string} command @param {...string} args */
function run(at, command, ...args) {
	const { status, stderr, stdout } = spawnSync(command, args, {
		cwd: at,
		encoding: "utf8",
		env: { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" },
	});
	assert.equal(status, 0, `${command} ${args.join(" ")}: ${stderr}${stdout}`);
}

for (const { what, name, content, counter, thinking = "" } of SESSIONS) {
	test(`the code in JavaScript, in Go and with curl makes of ${what} what the page shows`, () => {
		const at = mkdtempSync(path.join(tmpdir(), "tamp-code-"));
		return visit(
			async (page) => {
				await choose(page, content, name);
				await settled(page);
				await page.getByRole("textbox", { name: "What to preserve" }).fill(`${NASTY} \\`);
				await page.locator("[data-path='clear.keepTools'] input[type=text]").fill("grep, b`a'c\"k");
				await settled(page);
				await pane(page, "packed");
				if (counter) {
					if (counter === "o200k_base")
						copyFileSync(`${ROOT}wasm/npm/vocab/${counter}.bin`, path.join(at, `${counter}.bin`));
					await page.locator("#code-javascript").getByText(`counter: "${counter}"`).waitFor();
					await settled(page);
				}
				const result = asOpened(await download(page));
				const archive = (await downloadArchive(page)).text;
				assert.notEqual(result, content);
				const end = name.endsWith("jsonl") ? "jsonl" : "json";
				const base = name.slice(0, -end.length - 1);
				writeFileSync(path.join(at, name), content);
				const packed = () => readFileSync(path.join(at, `${base}.compacted.${end}`), "utf8");
				const kept = () => readFileSync(path.join(at, `${base}.archive.jsonl`), "utf8");

				mkdirSync(path.join(at, "node_modules"));
				symlinkSync(path.join(ROOT, "wasm/npm"), path.join(at, "node_modules/tamp"));
				writeFileSync(path.join(at, "compact.mjs"), await code(page, "JavaScript", "javascript"));
				run(at, process.execPath, "compact.mjs");
				assert.equal(packed(), result, "JavaScript");
				assert.equal(kept(), archive, "JavaScript");
				rmSync(path.join(at, `${base}.archive.jsonl`));
				rmSync(path.join(at, `${base}.compacted.${end}`));

				mkdirSync(path.join(at, "go"));
				writeFileSync(path.join(at, "go/main.go"), await code(page, "Go", "go"));
				writeFileSync(
					path.join(at, "go.mod"),
					`module example\n\ngo 1.26\n\nrequire tamp v0.0.0\n\nreplace tamp => ${ROOT}\n`,
				);
				copyFileSync(`${ROOT}go.sum`, path.join(at, "go.sum"));
				run(at, "go", "run", "./go");
				assert.equal(packed(), result, "Go");
				assert.equal(kept(), archive, "Go");
				assert.equal(spawnSync("gofmt", ["-l", "go"], { cwd: at, encoding: "utf8" }).stdout, "", "gofmt");

				await pane(page, "packed");
				await page.getByTestId("takeaway").getByRole("tab", { name: "curl" }).click();
				await page.locator("#code-curl").getByText(new URL(server.url).host).waitFor();
				writeFileSync(path.join(at, "compact.sh"), await code(page, "curl", "curl"));
				run(at, "sh", "compact.sh");
				const { conversation } = JSON.parse(readFileSync(path.join(at, `${base}.compacted.answer.json`), "utf8"));
				if (end === "jsonl") assert.equal(conversation, result, "curl");
				else assert.deepEqual(conversation, JSON.parse(result), "curl");
			},
			{
				hash: `#preset=prune&force=true&clear.placeholder=${encodeURIComponent(NASTY)}${counter ? `&counter=${counter}` : ""}${thinking ? `&thinking=${thinking}` : ""}`,
				at: server.url,
			},
		).finally(() => rmSync(at, { recursive: true, force: true }));
	});
}

test("the gateway commands name the server of the page and its port", () =>
	visit(
		async (page) => {
			await choose(page, JSON.stringify(anthropic(6)));
			await settled(page);
			const text = await copied(page, async () => {
				await pane(page, "timeline"); // the commands are for a session that goes on
				await page.getByRole("button", { name: "Copy gateway commands" }).click();
				await page.locator("#toasts").getByText("Copied the commands").waitFor();
			});
			const address = `ANTHROPIC_BASE_URL=${new URL(server.url).origin}/anthropic claude\n`;
			assert.equal(text, `ANTHROPIC_CUSTOM_HEADERS='x-tamp-policy: {"preset":"prune"}' ${address}`);
			await page.getByRole("button", { name: "Codex", exact: true }).click();
			await page.locator("#code-clients").getByText('"x-tamp-policy" = ').waitFor();
		},
		{ hash: "#preset=prune", at: server.url },
	));

test("the policy can be copied as JSON, whole or only its changes, and both do the same", () =>
	visit(
		async (page) => {
			const session = JSON.stringify(anthropic(14));
			await choose(page, session);
			await settled(page);
			await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("6");
			await settled(page);
			const result = await page.getByTestId("result").textContent();
			await pane(page, "packed");
			await page.getByTestId("takeaway").getByRole("tab", { name: "Policy", exact: true }).click();
			const whole = await download(page, "Download code");
			assert.equal(whole.name, "policy.json");
			await page.getByTestId("takeaway").getByRole("tab", { name: "Changes" }).click();
			const patch = await download(page, "Download code");
			assert.deepEqual(JSON.parse(patch.text), { clear: { keepRecent: 6 } });
			const { load, compact } = await import("../../wasm/npm/index.js");
			const tamp = await load();
			for (const { text } of [whole, patch]) {
				const { conversation } = await compact(
					tamp,
					{ conversation: session, preset: "harness", policy: JSON.parse(text) },
					{ save: "discard", onWarning: () => {} },
				);
				assert.equal(conversation, result);
			}
			assert.equal(JSON.parse(whole.text).preset, "harness");
		},
		{ hash: "#preset=harness" },
	));

test("the code follows the policy, and names what it leaves out", () =>
	visit(
		async (page) => {
			await choose(page, JSON.stringify(anthropic(14)));
			await settled(page);
			const js = page.locator("#code-javascript");
			assert.match((await js.textContent()) ?? "", /preset: "harness",\n};/);
			await page.getByRole("radio", { name: "Newest results", exact: true }).check();
			await page.getByRole("switch", { name: "Compact now" }).check();
			await page.waitForFunction(() =>
				/preset: "s06",\n {2}force: true,/.test(document.getElementById("code-javascript")?.textContent ?? ""),
			);
			assert.doesNotMatch((await page.locator("#code-note").textContent()) ?? "", /by hand/);
			await settled(page);
			await outputTab(page, /^Requests/);
			await page.getByRole("button", { name: "Fail all" }).click();
			await page
				.locator("#code-note")
				.getByText(/by hand/)
				.waitFor();
		},
		{ hash: "#preset=harness" },
	));
