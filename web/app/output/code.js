// This file writes code that repeats the compaction of the page: the same preset, policy, force, focus and thinking, on
// the same file.
// Rule: every user input is a quoted string of that language, so that it is never code.

import { extension } from "../ui/words.js";

/** @import { PolicyPatch } from "../engine/types.js" */
/**
 * @typedef {{preset: string, policy: PolicyPatch, force: boolean, focus: string, thinking?: "keep" | "drop_block",
 *   counter: string}} Choice thinking: absent for the default, and if the model does not bind it; counter: "estimate", a
 *   rule of thumb, or a vocabulary
 */
/**
 * @typedef {{session: string, packed: string, archive: string, log: boolean}} Files names of files; log: the session is
 *   JSONL rather than JSON
 */

/** @param {Choice} choice @param {Files} files */
export function javascript(choice, files) {
	const settings = [
		`conversation: await readFile(${quoted(files.session)}),`,
		`preset: ${quoted(choice.preset)},`,
		...(empty(choice.policy) ? [] : [`policy: ${indented(JSON.stringify(choice.policy, null, 2), "  ")},`]),
		...(choice.force ? ["force: true, // whatever the trigger says"] : []),
		...(choice.focus ? [`focus: ${quoted(choice.focus)},`] : []),
		...(choice.thinking ? [`thinking: ${quoted(choice.thinking)}, // of what is bound to changed text`] : []),
		...(isDefaultCounter(choice) ? [] : [`counter: ${quoted(choice.counter)},`]),
	];
	const exact = RULES.includes(choice.counter)
		? ""
		: `tamp.loadVocabulary(${quoted(choice.counter)}, await readFile(new URL(import.meta.resolve("tamp/vocab/${choice.counter}.bin"))));\n`;
	return `import { appendFile, readFile, writeFile } from "node:fs/promises";
import { compact, load } from "tamp";

const tamp = await load();
${exact}const input = {
${settings.map((line) => `  ${line}\n`).join("")}};
const done = await compact(tamp, input, {
  // Awaited before anything is removed.
  save: (jsonl) => appendFile(${quoted(files.archive)}, jsonl),
  // Without this, Tamp writes the summaries, and needs no model.
  // summarize: ({ system, user, maxTokens }, signal) => yourModel(…),
});
// Store done.state with it, for the next call. Before each model call of an agent, use compactor() of "tamp" instead.
await writeFile(${quoted(files.packed)}, done.conversation);
console.log(\`\${done.before} -> \${done.after} tokens\`);
`;
}

/** @param {Choice} choice @param {Files} files */
export function go(choice, files) {
	const rule = !isDefaultCounter(choice) && RULES.includes(choice.counter);
	const exact = !RULES.includes(choice.counter);
	const count = rule
		? `	count, _ := tokens.Lookup(${quoted(choice.counter)})\n`
		: exact
			? `	// The file is in wasm/npm/vocab of Tamp.\n	count := must(bpe.Load(must(os.ReadFile("${choice.counter}.bin")))).Counter()\n`
			: "";
	const env = [
		count ? "Count: count" : "",
		choice.force ? "Force: true" : "",
		choice.focus ? `Focus: ${quoted(choice.focus)}` : "",
		choice.thinking ? `Thinking: core.${{ keep: "KeepThinking", drop_block: "DropBlock" }[choice.thinking]}` : "",
	]
		.filter(Boolean)
		.join(", ");
	const patch = empty(choice.policy) ? "nil" : `[]byte(${raw(JSON.stringify(choice.policy))})`;
	return `package main

import (
	"fmt"
	"log"
	"os"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"${rule ? '\n	"tamp/core/tokens"' : exact ? '\n	"tamp/core/tokens/bpe"' : ""}
)

func main() {
	session := must(os.ReadFile(${quoted(files.session)}))
	c := must(format.Parse(session, ""))
	rules := must(policy.Parse(${quoted(choice.preset)}, ${patch}))
${count}	env := core.Env{${env}}
	archive := must(os.Create(${quoted(files.archive)}))

	// Store it with the conversation, for the next call.
	var state core.State
	plan := must(core.NewPlan(c, state, rules, env))
	before := plan.Before
	for plan != nil {
		// First save the originals.
		must(archive.Write(core.Archive(c, plan)))
		// The built-in summarizer needs no model. To use yours, answer each of plan.Requests.
		answers := must(core.Summarize(c, state, rules, env, plan, nil))
		out := must(core.Apply(c, state, rules, env, plan, answers))
		c, state, plan = out.Conversation, out.State, out.Next
		fmt.Println(before, "->", out.After, "tokens")
	}
	must(0, archive.Close())
	must(0, os.WriteFile(${quoted(files.packed)}, must(format.Render(c)), 0o644))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
`;
}

/** @param {Choice} choice @param {Files} files @param {string} server such as http://127.0.0.1:8787 */
export function curl(choice, files, server) {
	const settings = JSON.stringify({
		preset: choice.preset,
		...(empty(choice.policy) ? {} : { policy: choice.policy }),
		...(choice.force ? { force: true } : {}),
		...(choice.focus ? { focus: choice.focus } : {}),
		...(choice.thinking ? { thinking: choice.thinking } : {}),
		...(isDefaultCounter(choice) ? {} : { counter: choice.counter }),
	});
	// A log is not a JSON value, so it is sent as a string.
	const body = files.log
		? `  printf '"'
  sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g; s/$/\\\\n/' < ${shell(files.session)} | tr -d '\\r\\n'
  printf '"'`
		: `  cat < ${shell(files.session)}`;
	return `#!/bin/sh
set -eu
{
  printf '%s,"conversation":' ${shell(settings.slice(0, -1))}
${body}
  printf '}'
} | curl -sS --fail-with-body ${shell(`${server}/v1/compact`)} \\
  -H 'content-type: application/json' --data-binary @- > ${shell(`${files.packed.replace(/\.jsonl?$/, "")}.answer.json`)}
# In the answer: "conversation", "state" for the next call, "before" and "after" in tokens, and where the originals are.
`;
}

/** The names of the files that the code reads and writes. @param {string} name of the session @param {string} format */
export function filesOf(name, format) {
	const end = extension(name, format);
	const log = end === "jsonl";
	const base = /\.(json|jsonl|ndjson|txt)$/i.test(name) ? name.replace(/\.[a-z]+$/i, "") : "session";
	const session = /\.(json|jsonl|ndjson|txt)$/i.test(name) ? name : `session.${end}`;
	return { session, packed: `${base}.compacted.${end}`, archive: `${base}.archive.jsonl`, log };
}

/** A JSON string is one of JavaScript and of Go as well. @param {string} text */
function quoted(text) {
	return JSON.stringify(text.toWellFormed());
}

/** @param {string} json */
function raw(json) {
	return /[`\r]/.test(json) ? quoted(json) : `\`${json}\``;
}

/** @param {string} text */
function shell(text) {
	return `'${text.replaceAll("\0", "").replaceAll("'", "'\\''")}'`;
}

/** @param {string} text @param {string} by */
function indented(text, by) {
	return text.replaceAll("\n", `\n${by}`);
}

/** Counters that need no vocabulary. */
const RULES = ["estimate", "chars4", "chars3", "cjk"];

/** Whether the counter is the default, which code need not name. @param {Choice} choice */
function isDefaultCounter({ counter }) {
	return counter === RULES[0];
}

/** @param {PolicyPatch} policy */
function empty(policy) {
	return Object.keys(policy).length === 0;
}
