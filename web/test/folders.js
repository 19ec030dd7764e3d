// This file makes folders of session logs for the tests, and drops them on the page as a person does: with the paths of
// real files, which page.dispatchEvent cannot do.

import {
	copyFileSync,
	existsSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { claudeCode } from "./sessions.js";

const CORPUS = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** Real logs of agents; absent ones are left out. */
const REAL = [
	"claude-code/claude-code-log--a7da6a22-facc-4fcd-8bab-f83c87862004.jsonl",
	"codex/jdx-fnox--78071389.jsonl",
	"../more/claude-code/cipher-box--e8-9fb6a2d646-0.jsonl",
	"../more/anthropic/cipher-box--94-4ab984b10d-0.json",
];

/** A folder that is removed by the caller. */
export function makeFolder() {
	const at = mkdtempSync(path.join(tmpdir(), "tamp-folder-"));
	return { at, remove: () => rmSync(at, { recursive: true, force: true }) };
}

/** Fills a folder with real logs, one of ours, and files that cannot be audited. @param {string} at */
export function fillFolder(at) {
	const deep = path.join(at, "logs", "deep");
	mkdirSync(deep, { recursive: true });
	for (const file of REAL)
		if (existsSync(path.join(CORPUS, file)))
			copyFileSync(path.join(CORPUS, file), path.join(deep, path.basename(file)));
	/** @type {Record<string, string>} */
	const files = {
		"deep/ours.jsonl": claudeCode(20),
		"broken.jsonl": '{"type":"user","mess',
		"empty.jsonl": "",
		"foreign.json": '{"name":"tamp"}',
		"huge.jsonl": "",
		"notes.txt": "not a session",
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(path.join(at, "logs", name), text);
	truncateSync(path.join(at, "logs/huge.jsonl"), 2 ** 30); // without blocks on disk
	return path.join(at, "logs");
}

/** A folder with the same log many times, so that its audit takes long. @param {string} at @param {number} copies */
export function fillLong(at, copies) {
	const folder = path.join(at, "long");
	mkdirSync(folder);
	const first = path.join(folder, "0.jsonl");
	writeFileSync(first, claudeCode(300));
	for (let i = 1; i < copies; i++) linkSync(first, path.join(folder, `${i}.jsonl`));
	return folder;
}

/** @param {import("playwright-core").Page} page @param {string[]} files paths of files and folders */
export async function drop(page, files) {
	const session = await page.context().newCDPSession(page);
	const data = { items: [], files, dragOperationsMask: 1 };
	for (const type of /** @type {const} */ (["dragEnter", "dragOver", "drop"]))
		await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
	await session.detach();
}
