// This file tests what becomes of a log that is resumed.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { folder, tamp } from "./command.js";
import { resumable } from "../resume.js";

test("the logged requests of Claude Code stay behind", () => {
	const line = (/** @type {string} */ type, text = "") =>
		`{"type":"${type}","sessionId":"11111111-1111-4111-8111-111111111111","text":"${text}"}\n`;
	const kept = line("user", 'a \\"type\\":\\"api-request\\" in a text') + line("assistant");
	const requests = line("api-request-shape", "x".repeat(68_000)) + line("api-request-blob") + line("api-request");
	const { text, name } = resumable("claude-code", "/a/b.jsonl", requests + kept + requests);
	assert.equal(text, kept.replaceAll("11111111-1111-4111-8111-111111111111", name.replace(".jsonl", "")));
});

test("the page makes of a log the session that tamp resume makes", () => {
	const lines = (/** @type {object[]} */ ...records) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
	const old = "11111111-1111-4111-8111-111111111111";
	const claude = { sessionId: old, cwd: "/it's\\a", isSidechain: false };
	const message = (/** @type {string} */ role) => ({ role, content: [{ type: "text", text: `the ${role}` }] });
	const text = (/** @type {string} */ text) => [{ type: "input_text", text }];
	const id = (/** @type {string} */ kind) => `${kind}_0123456789abcdefABCD`;
	const part = { type: "text", text: `a "${id("msg")}"`, id: id("prt"), messageID: id("msg"), sessionID: id("ses") };
	/** @type {Record<string, [string, string]>} */
	const logs = {
		"claude-code": [
			"a.jsonl",
			lines(
				{ type: "api-request", ...claude },
				{ type: "user", uuid: "u", parentUuid: null, message: message("user"), ...claude },
				{ type: "assistant", uuid: "v", parentUuid: "u", message: message("assistant"), ...claude },
			),
		],
		codex: [
			"rollout-a.jsonl",
			lines(
				{ timestamp: "2026-01-02T03:04:05.678Z", type: "session_meta", payload: { id: old, cwd: "/a" } },
				{ type: "response_item", payload: { type: "message", role: "user", content: text(`go on with "${old}"`) } },
			),
		],
		pi: [
			"b.jsonl",
			lines(
				{ type: "session", version: 3, id: old, timestamp: "2026-01-02T03:04:05.678Z", cwd: "/a" },
				{ type: "message", id: "1", parentId: null, message: { ...message("user"), timestamp: 1 } },
			),
		],
		opencode: [
			"it's.json",
			JSON.stringify({
				info: { id: id("ses"), directory: "/a" },
				messages: [{ info: { id: id("msg"), sessionID: id("ses"), role: "user" }, parts: [part] }],
			}),
		],
	};
	for (const [format, [name, log]] of Object.entries(logs)) {
		const file = join(folder, name);
		writeFileSync(file, log);
		const { status, stdout, stderr } = tamp(["resume", "--json", file]);
		assert.equal(status, 0, stderr);
		const made = JSON.parse(stdout);
		const page = resumable(format, file, log);
		const same = (/** @type {string} */ text) =>
			text
				.replaceAll(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g, "ID")
				.replaceAll(/(?<=-|0123456789abcd)[\da-f]{6}(?=\b)/g, "TAIL")
				.replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d{3}Z)?/g, "TIME");
		assert.equal(same(readFileSync(made.file, "utf8")), same(page.text), format);
		assert.equal(same(made.command), same(page.command), format);
		assert.equal(same(basename(made.file)), same(page.name), format);
	}
});
