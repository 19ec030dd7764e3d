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

/** As anthropic, with short results and long texts of the agent, so that only summaries free much. @param {number} rounds */
export function talkative(rounds) {
	const body = anthropic(rounds, 300);
	body.messages.slice(0, -1).forEach(({ role, content }, i) => {
		if (role !== "assistant") return;
		for (let n = 0; n < 20; n++) content[0].text += ` It calls fold_${i}_${n} in line ${i * 20 + n} of the file.`;
	});
	return body;
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

/** The rounds of `anthropic`, for the logs of other agents. @param {number} count */
function rounds(count) {
	const { messages } = anthropic(count);
	return Array.from({ length: count }, (_, i) => {
		const [text, call] = messages[2 * i + 1].content;
		return { text: text.text, call, output: messages[2 * i + 2].content[0].content };
	});
}

const ASKED = "Make the tests of the strings package pass. Keep the API small.";

/** A rollout of Codex, one line an item. @param {number} count rounds */
export function codex(count) {
	const line = (/** @type {string} */ type, /** @type {object} */ payload, n = 0) =>
		JSON.stringify({ timestamp: new Date(1_760_000_000_000 + n * 1000).toISOString(), type, payload });
	const said = (/** @type {string} */ role, /** @type {string} */ text) => ({
		type: "message",
		role,
		content: [{ type: role === "user" ? "input_text" : "output_text", text }],
	});
	return `${[
		line("session_meta", { id: "0199c0de-0000-7000-8000-000000000001", cwd: "/project", cli_version: "0.60.1" }),
		line("turn_context", { model: "gpt-5-codex" }),
		line("response_item", said("user", ASKED)),
		...rounds(count).flatMap(({ text, call, output }, i) => [
			line("response_item", said("assistant", text), i),
			line(
				"response_item",
				{ type: "function_call", name: call.name, arguments: JSON.stringify(call.input), call_id: call.id },
				i,
			),
			line("event_msg", { type: "token_count", info: null }, i),
			line("response_item", { type: "function_call_output", call_id: call.id, output }, i),
		]),
		line("response_item", said("assistant", "All tests pass."), count),
	].join("\n")}\n`;
}

/** A session of pi, one line an entry. @param {number} count rounds */
export function pi(count) {
	let parentId = /** @type {string | null} */ (null);
	let n = 0;
	const entry = (/** @type {string} */ type, /** @type {object} */ members) => {
		const id = (0xa0000000 + n++).toString(16);
		const line = JSON.stringify({
			type,
			id,
			parentId,
			timestamp: new Date(1_760_000_000_000 + n * 1000).toISOString(),
			...members,
		});
		parentId = id;
		return line;
	};
	const message = (/** @type {object} */ members) => entry("message", { message: members });
	const assistant = (/** @type {object[]} */ content) =>
		message({ role: "assistant", provider: "anthropic", model: "claude-sonnet-4-5", stopReason: "toolUse", content });
	return `${[
		JSON.stringify({ type: "session", version: 3, id: "0199c0de-0000-7000-8000-000000000002", cwd: "/project" }),
		entry("model_change", { provider: "anthropic", modelId: "claude-sonnet-4-5" }),
		message({ role: "user", content: [{ type: "text", text: ASKED }] }),
		...rounds(count).flatMap(({ text, call, output }) => [
			assistant([
				{ type: "text", text },
				{ type: "toolCall", id: call.id, name: call.name, arguments: call.input },
			]),
			message({
				role: "toolResult",
				toolCallId: call.id,
				toolName: call.name,
				isError: false,
				content: [{ type: "text", text: output }],
			}),
		]),
		assistant([{ type: "text", text: "All tests pass." }]),
	].join("\n")}\n`;
}

/** An export of opencode. @param {number} count rounds */
export function opencode(count) {
	const sessionID = "ses_0199c0de0001aaaaaaaaaaaaaa";
	const id = (/** @type {string} */ kind, /** @type {number} */ n) =>
		`${kind}_0199c0de${String(n).padStart(4, "0")}aaaaaaaaaaaaaa`;
	let n = 0;
	const message = (/** @type {object} */ info, /** @type {object[]} */ parts) => {
		const messageID = id("msg", ++n);
		return {
			info: { id: messageID, sessionID, time: { created: 1_760_000_000_000 + n * 1000 }, ...info },
			parts: parts.map((part) => ({ id: id("prt", ++n), sessionID, messageID, ...part })),
		};
	};
	const assistant = { role: "assistant", providerID: "anthropic", modelID: "claude-sonnet-4-5" };
	const model = { providerID: "anthropic", modelID: "claude-sonnet-4-5" };
	return JSON.stringify(
		{
			info: { id: sessionID, directory: "/project", title: "Tests" },
			messages: [
				message({ role: "user", agent: "build", model }, [{ type: "text", text: ASKED }]),
				...rounds(count).map(({ text, call, output }) =>
					message(assistant, [
						{ type: "step-start" },
						{ type: "text", text },
						{
							type: "tool",
							callID: call.id,
							tool: call.name,
							state: { status: "completed", input: call.input, output },
						},
					]),
				),
				message(assistant, [{ type: "text", text: "All tests pass." }]),
			],
		},
		null,
		2,
	);
}
