// This file holds what the agent of agent.mjs works with: three tools for the files of one folder, and the transcripts in which its
// originals are kept.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";

/** So many characters at a time are under maxBytes even at 3 bytes each: what is recalled must not be cut again. */
const PAGE = 5_000;

const text = { type: "string" };
export const TOOLS = [
  { name: "list_files", description: "List a folder.", input_schema: { type: "object", properties: { path: text } } },
  { name: "read_file", description: "Read a file.", input_schema: { type: "object", properties: { path: text }, required: ["path"] } },
  { name: "write_file", description: "Write a file.", input_schema: { type: "object", properties: { path: text, content: text }, required: ["path", "content"] } },
];

/**
 * @param {string} folder the only one that the tools reach
 * @param {string} transcripts made where it is not there
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

/** The full path of what a model named, or an error where that is not in the folder. @param {string} folder @param {string} name */
async function inside(folder, name) {
  const wanted = path.resolve(folder, name);
  const parent = wanted === folder ? folder : await realpath(path.dirname(wanted));
  const link = (await lstat(wanted).catch(() => undefined))?.isSymbolicLink();
  if (link || !`${parent}${path.sep}`.startsWith(`${folder}${path.sep}`)) throw new Error(`${name} is not in the folder`);
  return wanted;
}

/** The name that Tamp gives to an original. @param {string} original */
const refOf = (original) => createHash("sha256").update(original).digest("hex").slice(0, 16);

/** Keeps a transcript, and returns its ref. @param {string} transcripts @param {string} jsonl */
export async function keep(transcripts, jsonl) {
  const ref = refOf(jsonl);
  await writeFile(path.join(transcripts, `${ref}.jsonl`), jsonl, { flush: true }); // on disk before anything is taken away
  return ref;
}

/** What a ref names: a transcript, or one text in any of them. @param {string} transcripts @param {string} ref */
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

/** An original may be longer than what the window has left, so recall reads it page by page. @param {any} tool */
export function pageable(tool) {
  if (tool.name !== "recall") return tool;
  const properties = { ...tool.input_schema.properties, offset: { type: "integer", description: "The character to start at." } };
  return { ...tool, input_schema: { ...tool.input_schema, properties } };
}
