// This file has the tools of the agent in agent.mjs: three for the files of one folder, and recall for the transcripts
// with its originals.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";

/** Max characters of one recall. At 3 bytes each they are below maxBytes, so that a recalled text is not cut again. */
const PAGE = 5_000;

const text = { type: "string" };
export const TOOLS = [
	{ name: "list_files", description: "List a folder.", input_schema: { type: "object", properties: { path: text } } },
	{
		name: "read_file",
		description: "Read a file.",
		input_schema: { type: "object", properties: { path: text }, required: ["path"] },
	},
	{
		name: "write_file",
		description: "Write a file.",
		input_schema: { type: "object", properties: { path: text, content: text }, required: ["path", "content"] },
	},
];

/**
 * @param {string} folder the only one that the tools can access
 * @param {string} transcripts created if it does not exist
 * @param {import("tamp").Engine} engine
 * @returns {Promise<Record<string, (input: any) => Promise<string>>>}
 */
export async function toolsOf(folder, transcripts, engine) {
	folder = await realpath(folder);
	await mkdir(transcripts, { recursive: true });
	return {
		list_files: async (input) => (await readdir(await inside(folder, input.path ?? "."))).sort().join("\n"),
		read_file: async (input) => readFile(await inside(folder, input.path), "utf8"),
		write_file: async (input) => {
			await writeFile(await inside(folder, input.path), input.content);
			return "written";
		},
		recall: async ({ ref = "", offset = 0, limit = PAGE, text: wanted }) => {
			const query = { ref, offset, limit: Math.min(limit, PAGE), ...(wanted && { text: wanted }) };
			const { text, lines, next, total } = engine.recall(await readAll(transcripts), query);
			const found = wanted ? (lines ?? []).map((line) => `${line.offset}: ${line.text}`).join("\n") : text;
			return `${found}\n[characters ${offset}-${next ?? total} of ${total}]`;
		},
	};
}

/**
 * The full path of a name from the model; throws if it is not in the folder.
 * @param {string} folder
 * @param {string} name
 */
async function inside(folder, name) {
	const wanted = path.resolve(folder, name);
	const parent = wanted === folder ? folder : await realpath(path.dirname(wanted));
	const link = (await lstat(wanted).catch(() => undefined))?.isSymbolicLink();
	if (link || !`${parent}${path.sep}`.startsWith(`${folder}${path.sep}`))
		throw new Error(`${name} is not in the folder`);
	return wanted;
}

/** The ref of an original, as in Tamp. @param {string} original */
const refOf = (original) => createHash("sha256").update(original).digest("hex").slice(0, 16);

/** Stores a transcript, and returns its ref. @param {string} transcripts @param {string} jsonl */
export async function keep(transcripts, jsonl) {
	const ref = refOf(jsonl);
	await writeFile(path.join(transcripts, `${ref}.jsonl`), jsonl, { flush: true }); // on disk before anything is removed
	return ref;
}

/** All transcripts. @param {string} transcripts */
async function readAll(transcripts) {
	const names = (await readdir(transcripts)).filter((name) => name.endsWith(".jsonl")).sort();
	return Promise.all(names.map((name) => readFile(path.join(transcripts, name), "utf8")));
}
