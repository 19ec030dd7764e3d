#!/usr/bin/env bash
# package: @anthropic-ai/sdk 1.14.0 (npm)
# @anthropic-ai/sdk 1.14.0 (npm): the tool runner begins a message thread without being asked, with any base URL, and sends only new
# messages afterwards. Whatever reads its requests, such as a proxy, a log or a token counter, sees the conversation only once.
# Seen: three requests with one message each, the later ones without tools, although runner.params has six messages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund @anthropic-ai/sdk@1.14.0
cat <<'END'
field:    loops of tools, Anthropic's SDK
package:  @anthropic-ai/sdk 1.14.0 (npm)
expected: each request of the loop has the whole history and the tools, as with messages.create
END
cat > finding.mjs <<'END'
import Anthropic from "@anthropic-ai/sdk";

const bodies = [];
const fetch = async (_, init) => {
  bodies.push(JSON.parse(init.body));
  const n = bodies.length;
  return Response.json({
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: "claude-opus-4-6",
    content: n < 3 ? [{ type: "tool_use", id: `toolu_${n}`, name: "read", input: {} }] : [{ type: "text", text: "Done." }],
    stop_reason: n < 3 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
};
const client = new Anthropic({ apiKey: "none", baseURL: "http://proxy.invalid", fetch });
const runner = client.beta.messages.toolRunner({
  model: "claude-opus-4-6",
  max_tokens: 100,
  messages: [{ role: "user", content: "Read both files." }],
  tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" }, run: async () => "text", parse: (x) => x }],
});
await runner;
const requests = bodies.map(({ thread, messages, tools }) => `${thread?.type} (messages: ${messages.length}, tools: ${tools?.length ?? 0})`);
console.log(`seen:     threads: ${requests.join(", ")}; runner.params.messages: ${runner.params.messages.length}`);
process.exitCode =
  requests.join() === "create (messages: 1, tools: 1),continue (messages: 1, tools: 0),continue (messages: 1, tools: 0)" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
