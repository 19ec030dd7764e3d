// This file tests the places of the page and the audit of a folder: a real drop of real files, the same result as the
// command's, links, and the back button.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { look, WIDTHS } from "./axe.js";
import { drop, fillFolder, fillLong, makeFolder } from "./folders.js";
import { journey, test } from "./journeys.js";
import { choose, overflow, settled, startPage, visit } from "./page.js";
import { anthropic, openai } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const CLI = fileURLToPath(new URL("../../wasm/npm/cli.js", import.meta.url));

/** @type {ReturnType<typeof makeFolder>} */
let folder;
let logs = "";
let long = "";
before(() => {
	folder = makeFolder();
	logs = fillFolder(folder.at);
	long = fillLong(folder.at, 200);
});
after(() => folder.remove());

/** Waits for the end of an audit. @param {Page} page */
const audited = (page) => page.locator("#place-folder[data-state=done]").waitFor({ timeout: 60_000 });

/** @param {Page} page */
const listed = (page) =>
	page
		.getByTestId("folder-sessions")
		.locator("button[data-file]")
		.evaluateAll((all) => all.map((one) => one.dataset.file));

/** @param {number} millionths */
const cents = (millionths) =>
	`${millionths < 0 && Math.round(millionths / 10_000) !== 0 ? "−" : ""}$${(Math.abs(millionths) / 1e6).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

journey("a dropped folder has the same audit as the command, and nothing is sent", () =>
	visit(async (page) => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, "audit", logs, "--json"], {
			encoding: "utf8",
			maxBuffer: 2 ** 26,
		});
		assert.equal(status, 0, stderr);
		const command = JSON.parse(stdout);
		/** @type {string[]} */
		const sent = [];
		page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
		await drop(page, [logs]);
		await audited(page);
		assert.equal(new URL(page.url()).hash, "#place=folder");
		assert.deepEqual(sent, []);

		const inPage = (/** @type {string} */ file) => `logs${file.slice(logs.length).replaceAll(path.sep, "/")}`;
		assert.deepEqual(
			await listed(page),
			command.sessions.map((/** @type {any} */ { file }) => inPage(file)),
		);
		const table = await page
			.getByTestId("folder-sessions")
			.locator("tbody tr")
			.evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
		assert.deepEqual(
			table.map((row) => row.slice(0, 4)),
			command.sessions.map((/** @type {any} */ { calls, cost, compacted, saved }) => [
				calls.toLocaleString("en-US"),
				cents(cost),
				cents(compacted),
				cents(saved),
			]),
		);
		const unread = await page.locator(".folder-unread li code").allTextContents();
		assert.deepEqual(
			unread,
			command.unread.map((/** @type {any} */ { file }) => inPage(file)),
		);
		assert.deepEqual(
			await page.locator(".folder-skipped li code").allTextContents(),
			command.skipped.map((/** @type {any} */ { file }) => inPage(file)),
		);
		const reasons = await page.locator(".folder-unread li span").allTextContents();
		for (const [at, says] of [
			/Cannot parse JSON/,
			/The file is empty/,
			/Cannot recognize the format/,
			/1074 MB/,
		].entries())
			assert.match(reasons[at], says);
		const saved = command.sessions.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.saved, 0);
		assert.ok((await page.getByTestId("folder-answer").textContent())?.includes(cents(saved)));
		for (const [name, totals] of [
			["By day", command.days],
			["By project", command.projects],
			["Paid again, by cause", command.causes],
		]) {
			const rows = page.getByRole("table", { name }).locator("tbody tr");
			if (totals.length > 0) assert.equal(await rows.count(), totals.length, name);
		}
		await page.getByText("1 file of other types was skipped").waitFor();
	}),
);

journey("a session opens in its place, back and forward lead from place to place, and the tab is named after it", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(6)), "first.json");
		await settled(page);
		const first = new URL(page.url()).hash;
		await drop(page, [logs]);
		await audited(page);
		assert.equal(await page.title(), "Folder – Tamp");
		const row = page.locator('button[data-file$="ours.jsonl"]');
		await row.click();
		await page.locator('#chip [data-source="ours.jsonl"]').waitFor();
		await settled(page);
		assert.match(page.url(), /#preset=/);
		assert.doesNotMatch(page.url(), /place=/);
		assert.equal(await page.title(), "ours.jsonl – Tamp");
		await page.goBack();
		await row.waitFor();
		assert.equal(new URL(page.url()).hash, "#place=folder");
		assert.ok(await row.evaluate((element) => element === document.activeElement));
		assert.equal(await page.locator("#place-session").isVisible(), false);
		await page.goBack();
		await page.locator("#session").waitFor();
		assert.equal(new URL(page.url()).hash, first);
		await page.goForward();
		await row.waitFor();
		await page.locator("#to-session").click();
		await page.locator("#session").waitFor();
		assert.equal(await page.locator("#to-session").getAttribute("aria-current"), "page");
		assert.equal(await page.locator("#to-folder").getAttribute("aria-current"), null);
	}),
);

test("back returns to the example that was open before the folder", () =>
	visit(
		async (page) => {
			await page.locator('#chip [data-source="bughunt.jsonl"]').waitFor();
			await drop(page, [logs]);
			await audited(page);
			await page.locator('button[data-file$="ours.jsonl"]').click();
			await page.locator('#chip [data-source="ours.jsonl"]').waitFor();
			await page.goBack();
			await page.getByTestId("folder-report").waitFor();
			await page.goBack();
			await page.locator('#chip [data-source="bughunt.jsonl"]').waitFor();
		},
		{ hash: "#example=bughunt" },
	));

test("a link opens the folder's place, and a session is one click away", () =>
	visit(
		async (page) => {
			const folder = page.locator("#place-folder");
			await folder
				.getByRole("button", { name: "Choose a folder" })
				.or(folder.getByText("Choose a folder"))
				.first()
				.waitFor();
			await page.getByText("Nothing is uploaded:").waitFor();
			assert.equal(await page.locator("#input").isVisible(), false);
			await page.locator("#to-session").click();
			await page.locator("#input").waitFor();
			assert.match(page.url(), /#preset=/);
		},
		{ hash: "#place=folder" },
	));

test("a chosen folder is audited, and a day or a project filters its sessions", () =>
	visit(async (page) => {
		const at = path.join(folder.at, "chosen");
		mkdirSync(at, { recursive: true });
		writeFileSync(path.join(at, "a.json"), JSON.stringify(anthropic(9)));
		writeFileSync(path.join(at, "b.json"), JSON.stringify(openai(9)));
		await page.locator("#to-folder").click();
		await page.locator("#folder-file").setInputFiles(at);
		await audited(page);
		assert.deepEqual((await listed(page)).sort(), ["chosen/a.json", "chosen/b.json"]);
		const day = page.getByRole("table", { name: "By day" }).getByRole("button").first();
		await day.click();
		await page.getByRole("button", { name: "Only no date · Show all" }).waitFor();
		assert.equal((await listed(page)).length, 2);
		await day.click();
		assert.equal(await page.getByRole("button", { name: /Show all/ }).count(), 0);

		// The same files, counted as the command counts them with these options.
		const place = page.locator("#place-folder");
		await place.getByText("Count with another preset, cache, hidden tokens or prices").click();
		await place.getByLabel("Preset").selectOption({ label: "Harness" });
		await place.getByLabel("Cache TTL").selectOption("1h");
		await place.getByLabel("Breakpoints").selectOption("automatic");
		await place.getByLabel("Hidden tokens").fill("9000");
		await place.getByLabel("$ in").fill("2");
		await place.getByLabel("$ out").fill("10.5");
		await place.getByLabel("$ out").press("Enter");
		const options = ["--ttl", "1h", "--breakpoints", "automatic", "--hidden", "9000", "--prices", "2,10.5", "--json"];
		const audit = (/** @type {string[]} */ ...preset) => {
			const { stdout } = spawnSync(process.execPath, [CLI, "audit", at, ...options, ...preset], { encoding: "utf8" });
			return JSON.parse(stdout).sessions;
		};
		const sessions = audit("--preset", "harness");
		assert.notDeepEqual(sessions, audit(), "the presets differ in these sessions");
		for (const { file, cost, compacted } of sessions) {
			const row = page.locator("tr", { has: page.locator(`[data-file="chosen/${path.basename(file)}"]`) });
			await row.getByText(cents(cost), { exact: true }).first().waitFor();
			await row.getByText(cents(compacted), { exact: true }).first().waitFor();
		}
		await place.getByLabel("Hidden tokens").fill("-1");
		await place.getByLabel("Hidden tokens").press("Enter");
		await place.locator("#folder-hidden[aria-invalid=true]").waitFor();
	}));

test("several files are audited together, one is opened, and an empty folder is said to be empty", () =>
	visit(async (page) => {
		const at = path.join(folder.at, "some");
		mkdirSync(path.join(at, "nothing"), { recursive: true });
		const files = ["a.json", "b.json"].map((name) => path.join(at, name));
		for (const file of files) writeFileSync(file, JSON.stringify(anthropic(6)));
		await drop(page, files);
		await audited(page);
		assert.deepEqual(await listed(page), ["a.json", "b.json"]);
		await drop(page, [files[1]]);
		await page.locator('#chip [data-source="b.json"]').waitFor();
		await settled(page);
		await drop(page, [path.join(at, "nothing")]);
		await page.getByText("No session log was found in nothing.").waitFor();
	}));

test("an audit is canceled, and what was read until then stays", () =>
	visit(async (page) => {
		await page.locator("#to-folder").click();
		// In the page: from here the click could come after the last file.
		await page.evaluate(() => {
			const watch = new MutationObserver(() => {
				const says = document.querySelector(".folder-says")?.textContent ?? "";
				const button = document.querySelector(".folder-run button");
				if (!/^[1-9]\d* of 200/.test(says) || !(button instanceof HTMLElement)) return;
				watch.disconnect();
				button.click();
			});
			watch.observe(document.querySelector("#place-folder") ?? document.body, { subtree: true, childList: true });
		});
		await drop(page, [long]);
		await audited(page);
		const says = (await page.locator(".folder-says").textContent()) ?? "";
		const [, done] = /^Stopped: (\d+) of 200 files were read\.$/.exec(says) ?? [];
		assert.ok(Number(done) >= 1 && Number(done) < 200, says);
		assert.equal((await listed(page)).length, Math.min(50, Number(done)));
	}));

test("a folder that is dropped during an audit takes its place", () =>
	visit(async (page) => {
		await drop(page, [long]);
		await drop(page, [logs]);
		await page.locator('button[data-file="logs/deep/ours.jsonl"]').waitFor();
		await audited(page);
		assert.ok((await listed(page)).includes("logs/deep/ours.jsonl"));
		assert.equal((await listed(page)).filter((file) => file?.startsWith("long/")).length, 0);
	}));

for (const width of WIDTHS)
	test(`axe finds nothing in the folder's place, light and dark, ${width} px`, () =>
		visit(
			async (page) => {
				/** @type {Record<string, string[]>} */
				const found = {};
				await look(page, "empty", found);
				await drop(page, [logs]);
				await audited(page);
				await look(page, "audited", found);
				assert.deepEqual(found, {});
				assert.equal(await overflow(page), 0);
			},
			{ width, hash: "#place=folder" },
		));
