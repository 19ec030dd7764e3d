// This file has the tools of the agent in agent.mjs: three for the files of one folder, and recall for the transcripts with its
// originals.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";

/** Characters of one recall. At 3 bytes each they are below maxBytes, so that a recalled text is not cut again. */
const PAGE = 5_000;

const text = { type: "string" };
export const TOOLS = [
  { name: "list_files", description: "List a folder.", input_schema: { type: "object", properties: { path: text } } },
  { name: "read_file", description: "Read a file.", input_schema: { type: "object", properties: { path: text }, required: ["path"] } },
  { name: "write_file", description: "Write a file.", input_schema: { type: "object", properties: { path: text, content: text }, required: ["path", "content"] } },
];

/**
 * @param {string} folder the only one that the tools can access
 * @param {string} transcripts created if it does not exist
 * @returns {Promise<Record<string, (input: any) => Promise<string>>>}
 */
export async function toolsOf(folder, transcripts) {
  folder = await realpath(folder);
  await mkdir(transcripts, { recursive: true });
  return {
    list_files: async (input) => (await readdir(await inside(folder, input.path ?? "."))).sort().join("\n"),
    read_file: async (input) => readFile(await inside(folder, input.path), "utf8"),
    write_file: async (input) => (await writeFile(await inside(folder, input.path), input.content), "written"),
    recall: async ({ ref, offset = 0 }) => {
      const original = await find(transcripts, ref);
      return `${original.slice(offset, offset + PAGE)}\n[characters ${offset}-${Math.min(offset + PAGE, original.length)} of ${original.length}]`;
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
  if (link || !`${parent}${path.sep}`.startsWith(`${folder}${path.sep}`)) throw new Error(`${name} is not in the folder`);
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

/** The original of a ref: a transcript, or one text in any of them. @param {string} transcripts @param {string} ref */
async function find(transcripts, ref) {
  const names = (await readdir(transcripts)).filter((name) => name.endsWith(".jsonl"));
  if (names.includes(`${ref}.jsonl`)) return readFile(path.join(transcripts, `${ref}.jsonl`), "utf8");
  for (const name of names) {
    for (const line of (await readFile(path.join(transcripts, name), "utf8")).trimEnd().split("\n")) {
      const { content } = JSON.parse(line);
      for (const block of typeof content === "string" ? [{ text: content }] : content) {
        const original = block.text ?? block.content;
        if (typeof original === "string" && refOf(original) === ref) return original;
      }
    }
  }
  throw new Error(`nothing is kept as ${ref}`);
}

/** Adds paging to recall, since an original may be larger than the free part of the window. @param {any} tool */
export function pageable(tool) {
  if (tool.name !== "recall") return tool;
  const properties = { ...tool.input_schema.properties, offset: { type: "integer", description: "The character to start at." } };
  return { ...tool, input_schema: { ...tool.input_schema, properties } };
}
