// This file names the owners of the tokens of a request (core/replay).

/** @type {Record<string, {name: string, means: string}>} */
export const OWNERS = {
	hidden: {
		name: "Not in the log",
		means: "system prompt, tools and reminders that the log does not show; their size follows from the usage",
	},
	system: { name: "System prompt", means: "the instructions at the start of each request" },
	tools: { name: "Own tools", means: "definitions of the agent's own tools" },
	server: { name: "Tool servers", means: "definitions of the tools of MCP servers" },
	notes: { name: "Notes", means: "text that the agent inserts: reminders, memory files" },
	prompts: { name: "Prompts", means: "what the user wrote, with images and files" },
	answers: { name: "Answers", means: "what the model wrote: text, and calls of tools" },
	thinking: { name: "Thinking", means: "the model's thinking" },
	results: { name: "Results", means: "what tools returned" },
	summaries: { name: "Summaries", means: "what compaction wrote in place of removed messages" },
	other: { name: "Other", means: "blocks of unknown types" },
};

/** @param {string} owner @param {string} name of a tool or a tool server */
export function ownerName(owner, name) {
	const known = OWNERS[owner]?.name ?? owner;
	if (owner === "server") return `Tool server ${name}`;
	return name ? `${known}: ${name}` : known;
}
