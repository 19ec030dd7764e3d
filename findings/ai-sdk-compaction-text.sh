#!/usr/bin/env bash
# package: ai 7.0.173 with @ai-sdk/anthropic 4.0.105 (npm)
# ai 7.0.173 with @ai-sdk/anthropic 4.0.105 (npm): the summary that Anthropic's server writes when it compacts is a part of
# `result.text`, before the answer. Only providerOptions of the part in `response.messages` tell that it is a summary.
# Seen: text is "<summary>Notes of the model.</summary>The answer is 4."
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund ai@7.0.173 @ai-sdk/anthropic@4.0.105 zod@4.6.7
cat <<'END'
field:    compaction by Anthropic's server, AI SDK
package:  ai 7.0.173 with @ai-sdk/anthropic 4.0.105 (npm)
expected: result.text is the answer of the model: "The answer is 4."
END
cat > finding.mjs <<'END'
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText } from "ai";

const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-6",
  content: [
    { type: "compaction", content: "<summary>Notes of the model.</summary>", encrypted_content: null },
    { type: "text", text: "The answer is 4." },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
};
const fetch = async () => Response.json(answer);
const { text, response } = await generateText({
  model: createAnthropic({ apiKey: "none", fetch })("claude-opus-4-6"),
  prompt: "2 + 2?",
  providerOptions: { anthropic: { contextManagement: { edits: [{ type: "compact_20260112" }] } } },
});
console.log(`seen:     ${JSON.stringify(text)}`);
console.log(`          its first part: ${JSON.stringify(response.messages[0].content[0])}`);
process.exitCode = text === "<summary>Notes of the model.</summary>The answer is 4." ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
