#!/usr/bin/env bash
# package: ai 7.0.173 with @ai-sdk/anthropic 4.0.105 (npm)
# ai 7.0.173 (npm): pruneMessages with reasoning "before-last-message" keeps the reasoning of the last *message*. In a loop of
# tools that is the message of the results, so the reasoning of the round that is still open goes as well.
# Seen: with Anthropic's manual thinking the second request ends with a call without its thinking block, which the API
# needs at the start of that turn.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund ai@7.0.173 @ai-sdk/anthropic@4.0.105 zod@4.6.7
cat <<'END'
field:    pruning within a loop of tools, AI SDK
package:  ai 7.0.173 with @ai-sdk/anthropic 4.0.105 (npm)
expected: the newest assistant message, whose call was just answered, keeps its thinking block
END
cat > finding.mjs <<'END'
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, isStepCount, pruneMessages, tool } from "ai";
import { z } from "zod";

const bodies = [];
const fetch = async (_, init) => {
  bodies.push(JSON.parse(init.body));
  const call = [
    { type: "thinking", thinking: "I read the file.", signature: "signed" },
    { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.txt" } },
  ];
  return Response.json({
    id: `msg_${bodies.length}`,
    type: "message",
    role: "assistant",
    model: "claude-opus-4-5",
    content: bodies.length === 1 ? call : [{ type: "text", text: "Done." }],
    stop_reason: bodies.length === 1 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
};
await generateText({
  model: createAnthropic({ apiKey: "none", fetch })("claude-opus-4-5"),
  prompt: "Read a.txt.",
  tools: { read: tool({ inputSchema: z.object({ path: z.string() }), execute: () => "text" }) },
  stopWhen: isStepCount(3),
  providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } },
  prepareStep: ({ messages }) => ({ messages: pruneMessages({ messages, reasoning: "before-last-message" }) }),
});
const types = bodies[1].messages.map(({ role, content }) => `${role} (${content.map(({ type }) => type)})`);
console.log(`seen:     thinking is ${bodies[1].thinking.type}, the second request has ${types.join(", ")}`);
process.exitCode = types[1] === "assistant (tool_use)" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
