// This file tests what a resumed session does not take along.

import assert from "node:assert/strict";
import { test } from "node:test";
import { resumable } from "../resume.js";

test("the logged requests of Claude Code stay behind", () => {
	const line = (/** @type {string} */ type, text = "") =>
		`{"type":"${type}","sessionId":"11111111-1111-4111-8111-111111111111","text":"${text}"}\n`;
	const kept = line("user", 'a \\"type\\":\\"api-request\\" in a text') + line("assistant");
	const requests = line("api-request-shape", "x".repeat(68_000)) + line("api-request-blob") + line("api-request");
	const { text, name } = resumable("claude-code", "/a/b.jsonl", requests + kept + requests);
	assert.equal(text, kept.replaceAll("11111111-1111-4111-8111-111111111111", name.replace(".jsonl", "")));
});
