// This file compares the ranking of the page with that of `tamp audit`, which is in Go: of recorded logs, with a copy of each.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { emptiness, leftOut, rank } from "../app/folder/rank.js";
import { load } from "../../wasm/npm/index.js";

const program = fileURLToPath(new URL("../../.build/server", import.meta.url));
const corpus = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tamp-ranked-"));
after(() => rmSync(folder, { recursive: true }));

test("the page ranks as tamp audit does", { skip: !existsSync(corpus) }, async () => {
	const source = join(corpus, "codex");
	const names = readdirSync(source).filter((name) => name.endsWith(".jsonl"));
	mkdirSync(join(folder, "copies"));
	for (const name of names) {
		const text = readFileSync(join(source, name), "utf8");
		writeFileSync(join(folder, name), text);
		writeFileSync(join(folder, "copies", name), text.split("\n").slice(0, -9).join("\n"));
	}
	for (const [name, text] of Object.entries({
		"notes.txt": "x",
		"s.jsonl.reset.1": "x",
		"user.json": '[{"role":"user","content":"x"}]',
		"empty.json": "[]",
	}))
		writeFileSync(join(folder, name), text);
	const { stdout, stderr } = spawnSync(program, ["audit", "--json", folder], { encoding: "utf8", maxBuffer: 2 ** 26 });
	assert.equal(stderr, "");
	const { periods, ...want } = JSON.parse(stdout);

	const engine = await load();
	const [audits, unread, skipped] = [
		/** @type {any[]} */ ([]),
		/** @type {import("../app/folder/rank.js").Unread[]} */ ([]),
		/** @type {import("../app/folder/rank.js").Unread[]} */ ([]),
	];
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
		const file = join(entry.parentPath ?? entry.path, entry.name);
		if (leftOut(file)) {
			skipped.push({ file, reason: leftOut(file) });
			continue;
		}
		try {
			const audit = engine.audit({ conversation: readFileSync(file) });
			if (emptiness(audit)) unread.push({ file, reason: emptiness(audit) });
			else audits.push({ file, ...audit });
		} catch (thrown) {
			unread.push({ file, reason: /** @type {Error} */ (thrown).message });
		}
	}
	const have = rank(audits, unread, skipped);
	assert.deepEqual(have, want);
	assert.ok(have.sessions.some(({ copies }) => copies > 0) && unread.length > 0 && skipped.length === 2);
	assert.equal(periods.daily.length > 0, true);
});
