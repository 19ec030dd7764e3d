// This file tests in Node what the style sheets say of themes: the tests that visit the page check both in one visit
// (inThemes).

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../", import.meta.url);

test("a theme changes colors and nothing else, so one visit serves both", () => {
	const sheets = readdirSync(WEB).filter((file) => file.endsWith(".css"));
	assert.ok(sheets.includes("style.css"));
	for (const sheet of sheets) {
		const text = readFileSync(new URL(sheet, WEB), "utf8");
		assert.doesNotMatch(text, /prefers-color-scheme/, sheet);
		for (const [rule, body] of text.matchAll(/data-theme[^{}]*\{([^{}]*)\}/g))
			assert.match(body, /^\s*color-scheme: (light|dark);\s*$/, `${sheet}: ${rule}`);
	}
});
