// This file tests what the page says where a server refuses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../app/output/api.js";
import { explain } from "../app/output/refusals.js";

test("every refusal says what to do", () => {
	const about = {
		version: "1",
		summarizer: { provider: "anthropic", model: "m" },
		token: true,
		store: true,
		key: true,
	};
	const said = (/** @type {string} */ code, wait = 0, more = {}, secrets = {}) => {
		const { what, advice, field } = explain(
			new Refused(code, "cannot do it: for a reason", wait),
			{ ...about, ...more },
			{ token: "", key: "", ...secrets },
		);
		assert.match(what, /^[A-Z].*\.$/, code);
		assert.match(advice, /^[A-Z].*\.$/, code);
		return `${what} ${advice} ${field ?? ""}`;
	};
	for (const code of [
		"archive_failed",
		"bad_secret",
		"broken_off",
		"internal",
		"misconfigured",
		"other_version",
		"unknown",
		"unreachable",
	])
		said(code);
	assert.match(said("unauthorized"), /needs its token.* token$/);
	assert.match(said("unauthorized", 0, {}, { token: "x" }), /not the token.* token$/);
	assert.match(said("unauthorized", 0, { token: false }), /key of your own.* key$/);
	assert.match(said("summarizer_failed", 0, { key: false }), /has no key.* key$/);
	assert.match(said("summarizer_failed", 0, { key: false }, { key: "x" }), /^Cannot do it: for a reason\./);
	assert.match(said("bad_key"), /^Cannot do it: for a reason\..* key$/);
	const model = explain(
		new Refused("summarizer_failed", "cannot summarize: check SUMMARIZER_MODEL", 0),
		{ ...about, key: false },
		{ token: "", key: "" },
	);
	assert.match(model.what, /^Cannot summarize: check SUMMARIZER_MODEL/, "a server of one's own needs no key");
	assert.match(said("too_large"), /too large.*Take a part/);
	assert.match(said("rate_limited", 60), /Try again in 60 seconds/);
	assert.match(said("rate_limited"), /in a minute/);
	assert.match(said("bad_policy"), /^Cannot do it: for a reason\./);
});
