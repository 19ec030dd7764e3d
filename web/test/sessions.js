// This file makes sessions for the tests of the page: our own words, the shapes of the real formats.

const FILLER = "func Fold(r rune) rune { return unicode.SimpleFold(r) } // one line of a file that the agent read\n";

/**
 * An Anthropic request body: a prompt, then rounds of one call and its result, then an answer.
 * @param {number} rounds
 * @param {number} [size] characters of each result
 */
export function anthropic(rounds, size = 1200) {
	/** @type {any[]} */
	const messages = [{ role: "user", content: "Make the tests of the strings package pass. Keep the API small." }];
	for (let i = 0; i < rounds; i++) {
		const tool = i % 3 === 0 ? "grep" : "bash";
		messages.push({
			role: "assistant",
			content: [
				{ type: "text", text: `Step ${i + 1}: I look at file ${i}.` },
				{ type: "tool_use", id: `toolu_${i}`, name: tool, input: { path: `strings/file_${i}.go` } },
			],
		});
		messages.push({
			role: "user",
			content: [
				{
					type: "tool_result",
					tool_use_id: `toolu_${i}`,
					content: `result ${i}: ${FILLER.repeat(Math.ceil(size / FILLER.length))}`,
				},
			],
		});
	}
	messages.push({ role: "assistant", content: [{ type: "text", text: "All tests pass." }] });
	return { model: "claude-sonnet-4-5", max_tokens: 1024, system: "You are a careful engineer.", messages };
}

/** One call without a result, one result without a call. */
export function broken() {
	const body = anthropic(8);
	body.messages[5].content[1].id = "toolu_lost";
	return body;
}

/** @param {number} rounds */
export function openai(rounds) {
	/** @type {any[]} */
	const messages = [
		{ role: "system", content: "You are a careful engineer." },
		{ role: "user", content: "Make the tests pass." },
	];
	for (let i = 0; i < rounds; i++) {
		messages.push({
			role: "assistant",
			content: null,
			tool_calls: [
				{
					id: `call_${i}`,
					type: "function",
					function: { name: "bash", arguments: JSON.stringify({ command: `go test ./p${i}` }) },
				},
			],
		});
		messages.push({ role: "tool", tool_call_id: `call_${i}`, content: `ok p${i}\n${FILLER.repeat(10)}` });
	}
	messages.push({ role: "assistant", content: "Done." });
	return { model: "gpt-4o", messages };
}

/** A Claude Code log, one line an entry. @param {number} rounds */
export function claudeCode(rounds) {
	let parent = /** @type {string | null} */ (null);
	const line = (/** @type {string} */ type, /** @type {object} */ message, /** @type {number} */ n) => {
		const uuid = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
		const entry = {
			parentUuid: parent,
			isSidechain: false,
			userType: "external",
			cwd: "/project",
			sessionId: "s-1",
			version: "2.0.0",
			type,
			message,
			uuid,
			timestamp: new Date(1_760_000_000_000 + n * 1000).toISOString(),
		};
		parent = uuid;
		return JSON.stringify(entry);
	};
	return `${anthropic(rounds)
		.messages.map((m, i) =>
			line(
				m.role,
				m.role === "assistant" ? { id: `msg_${i}`, type: "message", model: "claude-sonnet-4-5", ...m } : m,
				i,
			),
		)
		.join("\n")}\n`;
}
