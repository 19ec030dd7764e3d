// This file tests that undo gives the session file of an agent back byte for byte, after it was packed and changed block by
// block.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, download, settled, startPage, visit } from "./page.js";
import { claudeCode, codex, opencode, pi } from "./sessions.js";

startPage();

const CLAUDE_CODE = { name: "0a1b.jsonl", log: foreignLine(claudeCode(12)) };
const OTHERS = [
	{ agent: "Codex", name: "rollout.jsonl", log: foreignLine(codex(12)) },
	{ agent: "pi", name: "pi.jsonl", log: foreignLine(pi(12)) },
	{ agent: "opencode", name: "export.json", log: opencode(12) },
];

/** With spaces, a line of another program and a torn one, as files of agents that crashed have. @param {string} log */
function foreignLine(log) {
	const lines = log.split("\n");
	lines[4] = `${lines[4].slice(0, -1)}, "future": 1.50 }`;
	lines.splice(6, 0, "npm warn deprecated", "", '{"type":"user","mess');
	return lines.join("\n");
}

/** @param {{name: string, log: string}} of */
const comesBack = ({ name, log }) =>
	visit(
		async (page) => {
			await choose(page, log, name);
			await settled(page);
			const put = async (/** @type {string} */ scope, /** @type {string} */ act) => {
				await page.locator("#details select").selectOption({ label: scope });
				await page.locator("#details").getByRole("button", { name: act, exact: true }).click();
				await settled(page);
			};
			await page.locator("#force").check();
			await settled(page);
			await page.locator("#list [data-fate=cleared]").first().click();
			await put("this block", "Keep");
			await page.locator("#list .block", { hasText: "call" }).nth(4).click();
			await put("this block", "Remove");
			await page.locator("#list").press("End");
			await put("all above here", "Summarize");
			const { text } = await download(page);
			assert.ok(text.length < log.length / 2, `${text.length} of ${log.length} characters are left`);
			for (let steps = 0; steps < 4; steps++) {
				await page.locator("#undo").click();
				await settled(page);
			}
			assert.equal((await download(page)).text, log);
			assert.ok(await page.locator("#undo").isDisabled(), "there is nothing left to undo");
		},
		{ hash: "#preset=clear_tool_uses&force=false" },
	);

journey("undo gives the session file of Claude Code back byte for byte", () => comesBack(CLAUDE_CODE));

for (const { agent, ...of } of OTHERS)
	test(`undo gives the session file of ${agent} back byte for byte`, () => comesBack(of));
