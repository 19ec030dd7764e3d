// This file makes sessions for the tests of reading: every kind of block, what comes twice, and what means harm.

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const PROSE = `# What I found

The parser in \`fold.go\` drops the **last** rune; see [the notes](https://evil.example/notes) and ![a picture](https://evil.example/p.png).

- first, the loop
  - it ends *early*
- second, the table

1. repair it
2. test it

| case | before | after |
| --- | --- | --- |
| \`ß\` | lost | kept |

> Keep the API small.

\`\`\`go
func Fold(r rune) rune { return r } // a * b * c
\`\`\`

snake_case_name and 2 * 3 * 4 stay as they are.`;

const HOSTILE = `<script>window.pwned = 1</script><img src="https://evil.example/x.png" onerror="window.pwned = 1">
[click](javascript:window.pwned=1) <a href="javascript:window.pwned=1">here</a>
${"[".repeat(5000)}${"*".repeat(5000)}${"`".repeat(3000)}${"_a".repeat(3000)}
invoice \u202egpj.exe`;

const result = (/** @type {string} */ id, /** @type {any} */ content, more = {}) => ({
	type: "tool_result",
	tool_use_id: id,
	content,
	...more,
});
const call = (/** @type {string} */ id, /** @type {string} */ name, /** @type {any} */ input) => ({
	type: "tool_use",
	id,
	name,
	input,
});

/** One of everything that a block may be. */
export function everything() {
	const rows = Array.from({ length: 250 }, (_, i) => ({ id: 9007199254740993n, name: `row ${i}` }));
	const json = `{"rows":${JSON.stringify(rows, (_, v) => (typeof v === "bigint" ? `@${v}@` : v)).replace(/"@(\d+)@"/g, "$1")},"constructor":{"__proto__":"shown"}}`;
	return {
		model: "claude-sonnet-4-5",
		max_tokens: 1024,
		system: "You are a careful engineer.",
		tools: [
			{
				name: "bash",
				description: "Runs a command.",
				input_schema: { type: "object", properties: { command: { type: "string" } } },
			},
		],
		messages: [
			{
				role: "user",
				content: [
					{ type: "text", text: "Look at this picture." },
					{ type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
					{ type: "image", source: { type: "url", url: "https://evil.example/p.png" } },
				],
			},
			{
				role: "assistant",
				content: [
					{ type: "thinking", thinking: "I **wonder** about the loop.", signature: "c2ln" },
					{ type: "text", text: PROSE },
					call("t1", "bash", {
						command: "go test ./...\necho done",
						timeout: 30,
						nested: { deep: [1, 2, { flag: true }] },
					}),
				],
			},
			{
				role: "user",
				content: [result("t1", `\u001b[31mFAIL\u001b[0m fold_test.go\r\n 10%\r 55%\r100%\n`, { is_error: true })],
			},
			{ role: "assistant", content: [call("t2", "query", { sql: "select *" })] },
			{ role: "user", content: [result("t2", json)] },
			{ role: "assistant", content: [call("t3", "bash", { command: "git diff" })] },
			{
				role: "user",
				content: [
					result("t3", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n context line\n-old line\n+new line\n"),
				],
			},
			{ role: "assistant", content: [call("t4", "bash", {})] },
			{
				role: "user",
				content: [
					result("t4", [
						{ type: "text", text: "two parts" },
						{ type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
					]),
					{ type: "text", text: HOSTILE },
				],
			},
			{ role: "assistant", content: [{ type: "text", text: "All done." }] },
		],
	};
}

/** Files read again, calls made again, results that come again. */
export function repeating() {
	/** @type {any[]} */
	const messages = [{ role: "user", content: "Repair the parser." }];
	let n = 0;
	const round = (/** @type {string} */ name, /** @type {any} */ input, /** @type {string} */ content, more = {}) => {
		n++;
		messages.push(
			{ role: "assistant", content: [call(`r${n}`, name, input)] },
			{ role: "user", content: [result(`r${n}`, content, more)] },
		);
	};
	const file = (/** @type {number} */ version) =>
		`package fold // version ${version}\n${"func line() {}\n".repeat(40)}`;
	for (let i = 0; i < 5; i++) round("Read", { file_path: "src/fold.go", offset: i }, file(i));
	for (let i = 0; i < 3; i++)
		round("Bash", { command: "go test ./..." }, `FAIL: TestFold\n${"expected kept, got lost\n".repeat(30)}`, {
			is_error: true,
		});
	round("Grep", { pattern: "Fold" }, "src/fold.go:1: package fold\n".repeat(30));
	round("Grep", { pattern: "Fold(" }, "src/fold.go:1: package fold\n".repeat(30));
	round("Bash", { command: "ls" }, "src\n");
	messages.push({ role: "assistant", content: [{ type: "text", text: "The parser is repaired." }] });
	return { model: "claude-sonnet-4-5", messages };
}
