// This file has the protocol of `tamp mcp`, on the official SDK. bundle.mjs writes it, with the SDK, to mcp/server.js.
//
// Nothing of a message is written to stderr: errors of the SDK quote what they cannot read.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { fromJSONSchema } from "zod";

/**
 * Serves tools over stdin and stdout until stdin ends.
 * @param {string} version
 * @param {Awaited<ReturnType<typeof import("./mcp.js").toolsOf>>} tools
 */
export function serve(version, tools) {
	const make = () => {
		const server = new McpServer({ name: "tamp", version });
		for (const { name, description, properties, required, writes = false, run } of tools) {
			const inputSchema = fromJSONSchema({ type: "object", properties, required, additionalProperties: false });
			const annotations = { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false };
			server.registerTool(name, { description, inputSchema, annotations }, async (input, { mcpReq }) => ({
				content: [{ type: "text", text: await run(input, mcpReq.signal) }],
			}));
		}
		return server;
	};
	return new Promise((resolve) => {
		process.stdin.once("close", resolve);
		process.stdin.once("end", resolve);
		serveStdio(make, { onerror: ({ name }) => process.stderr.write(`tamp: a message was not answered: ${name}\n`) });
	});
}
