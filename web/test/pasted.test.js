// This file tests what is found in a pasted text that is no session by itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readLiteral } from "../app/session/literal.js";
import { sessionWithin } from "../app/session/pasted.js";
import { anthropic, openai } from "./sessions.js";

const text = JSON.stringify(anthropic(4));
const shell = `curl https://api.anthropic.com/v1/messages \\\n  -H 'content-type: application/json' \\\n  `;
const single = `'${text.replaceAll("'", "'\\''")}'`;

test("a session is found in what people copy, and named for what it was", () => {
	const small = { role: "user", content: 'He said "it\'s" €\\n' };
	for (const [what, input, was, want] of /** @type {[string, string, string, unknown][]} */ ([
		["curl, single quotes", `${shell}-d ${single}`, "a curl command", anthropic(4)],
		[
			"curl, $'…'",
			`$ curl x --data-raw $'{"messages":[{"role":"user","content":"it\\'s \\u0041"}]}' -s`,
			"a curl command",
			{ messages: [{ role: "user", content: "it's A" }] },
		],
		[
			"curl, double quotes",
			`curl x --json "{\\"messages\\":[{\\"role\\":\\"user\\",\\"content\\":\\"\\$5\\"}]}"`,
			"a curl command",
			{ messages: [{ role: "user", content: "$5" }] },
		],
		[
			"curl, --data=",
			`curl --data='[{"role":"user","content":"a"}]' x`,
			"a curl command",
			[{ role: "user", content: "a" }],
		],
		["curl, a literal", `curl -d '{messages: [{role: "user"}]}' x`, "a curl command", { messages: [{ role: "user" }] }],
		[
			"Python",
			`messages = [{'role': 'user', 'content': 'He said "it\\'s" €\\\\n', 'ok': True, 'no': None},]`,
			"a Python literal",
			[{ ...small, ok: true, no: null }],
		],
		[
			"Python, parts",
			`[{"role": "user", "content": ("one "\n  "two"), 'x': (1,), "n": 1_000}]  # all`,
			"a Python literal",
			[{ role: "user", content: "one two", x: [1], n: 1000 }],
		],
		[
			"Python, three quotes",
			`dict = {"messages": [{"role": r'user', "content": """a\n"b" \\x41"""}]}`,
			"a Python literal",
			{ messages: [{ role: "user", content: 'a\n"b" A' }] },
		],
		[
			"JavaScript",
			`const body = { // the body\n messages: [{ role: 'user', content: \`a\n\\u{1F600}\` }, /* end */],\n};`,
			"a JavaScript literal",
			{ messages: [{ role: "user", content: "a\n😀" }] },
		],
		[
			"commas at the end",
			`{"messages":[{"role":"user","content":"a",},],}`,
			"a JavaScript literal",
			{ messages: [{ role: "user", content: "a" }] },
		],
		["a fence", `Here it is:\n\n\`\`\`json\n${text}\n\`\`\`\nThat is all.`, "a fenced block", anthropic(4)],
		[
			"a literal in a fence",
			"~~~python\n[{'role': 'user', 'content': None}]\n~~~",
			"a Python literal, fenced",
			[{ role: "user", content: null }],
		],
		[
			"a HAR file",
			JSON.stringify({
				log: {
					entries: [
						{ request: { postData: { text: JSON.stringify(openai(1)) } } },
						{ request: { postData: { text } } },
						{ request: {} },
					],
				},
			}),
			"a HAR entry",
			anthropic(4),
		],
		[
			"a HAR entry",
			JSON.stringify({ request: { method: "POST", postData: { mimeType: "application/json", text } } }),
			"a HAR entry",
			anthropic(4),
		],
	])) {
		const found = sessionWithin(input);
		assert.ok(found, what);
		assert.deepEqual(JSON.parse(found.text), want, what);
		assert.equal(found.was, was, what);
	}
});

test("of a text that ends too early the complete messages are kept, wherever it ends", () => {
	for (const session of [anthropic(3), anthropic(3).messages, openai(3)]) {
		const whole = JSON.stringify(session);
		const all = Array.isArray(session) ? session : session.messages;
		let most = 0;
		for (let end = 1; end < whole.length; end++) {
			const found = sessionWithin(whole.slice(0, end));
			if (!found) continue;
			const read = JSON.parse(found.text);
			const messages = Array.isArray(read) ? read : read.messages;
			assert.deepEqual(messages, all.slice(0, messages.length));
			assert.ok(messages.length >= most);
			most = messages.length;
		}
		assert.equal(most, all.length, "also without what follows the messages");
	}
});

test("what has no session is left as it is", () => {
	for (const input of [
		"",
		"hello there",
		'{"messages": [\n  {"role": "user", "content": "Hello',
		'{"messages": [{"role": "user" "content": "a missing comma is not guessed"}]}',
		'{"name": "tamp"}',
		"curl https://example.com -d @body.json",
		"curl https://example.com",
		"[1, 2, {'a': 3}",
		"```\nno session\n```",
		`${"[".repeat(100_000)}`,
		`${"{'a':".repeat(100_000)}`,
		`[{"role":"user","content":\`\${secret}\`}]`,
		`"${"\\".repeat(100_000)}`,
		`'${"a".repeat(1_000_000)}`,
		`curl ${"'".repeat(99_999)}`,
	])
		assert.equal(sessionWithin(input), null, input.slice(0, 60));
});

test("a long literal is read in time that grows with its length", () => {
	const long = `[{'role': 'user', 'content': '${"word ".repeat(2_000_000)}\\n'}, ${"{'role': 'user', 'content': 'a'}, ".repeat(50_000)}]`;
	const { value } = /** @type {{value: any}} */ (readLiteral(long));
	assert.equal(value.length, 50_001);
});

test("literals of any value are read", () => {
	let seed = 7;
	const random = (/** @type {number} */ n) => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed % n;
	};
	/** @type {(depth: number) => unknown} */
	const draw = (depth) => {
		switch (random(depth > 3 ? 5 : 7)) {
			case 0:
				return random(2) === 0;
			case 1:
				return null;
			case 2:
				return (random(2_000_001) - 1_000_000) / [1, 4, 100][random(3)];
			case 5:
				return Array.from({ length: random(4) }, () => draw(depth + 1));
			case 6:
				return Object.fromEntries(Array.from({ length: random(4) }, (_, i) => [`k'"${i}`, draw(depth + 1)]));
			default:
				return Array.from({ length: random(12) }, () => `a'"\\\n\t😀\u2028\0é#/,:{}[]()\`$`.charAt(random(26))).join(
					"",
				);
		}
	};
	const quoted = (/** @type {string} */ s) =>
		`'${s.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\0", "\\x00")}'`;
	/** @type {(value: any) => string} */
	const python = (value) => {
		if (value === null) return "None";
		if (typeof value === "boolean") return value ? "True" : "False";
		if (typeof value === "string") return quoted(value);
		if (typeof value !== "object") return String(value);
		if (Array.isArray(value))
			return value.length === 1 ? `(${python(value[0])},)` : `[ ${value.map(python).join(" , ")} ]`;
		const members = Object.entries(value).map(([key, one]) => `${quoted(key)}: ${python(one)}, `);
		return `{${members.join("")}}`;
	};
	for (let n = 0; n < 2000; n++) {
		const value = [draw(0), "x"];
		assert.deepEqual(readLiteral(python(value))?.value, value, python(value));
	}
});
