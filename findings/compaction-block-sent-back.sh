#!/usr/bin/env bash
# package: @ai-sdk/anthropic 4.0.105 (with ai 7.0.173), @langchain/anthropic 1.5.11 (npm)
# @ai-sdk/anthropic 4.0.105 and @langchain/anthropic 1.5.11 (npm): a compaction block of Anthropic does not come back whole with
# the next request. The type of @anthropic-ai/sdk 1.14.0 says of encrypted_content and of signature: to be sent back verbatim.
# Seen: the AI SDK sends content and signature, LangChain only content.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund ai@7.0.173 @ai-sdk/anthropic@4.0.105 zod@4.6.7 \
  @langchain/anthropic@1.5.11 @langchain/core@1.4.0
cat <<'END'
field:    compaction by Anthropic's server
package:  @ai-sdk/anthropic 4.0.105 (with ai 7.0.173), @langchain/anthropic 1.5.11 (npm)
expected: the next request has the block with type, content, encrypted_content and signature
END
cat > finding.mjs <<'END'
import { createAnthropic } from "@ai-sdk/anthropic";
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage } from "@langchain/core/messages";
import { generateText } from "ai";

const block = { type: "compaction", content: "The summary.", encrypted_content: "opaque", signature: "signed" };
const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-6",
  content: [block, { type: "text", text: "Done." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
};
let body;
const fetch = async (_, init) => {
  body = JSON.parse(init.body);
  return Response.json(answer);
};
const members = () => Object.keys(body.messages.find(({ role }) => role === "assistant").content[0]).sort().join(", ");

const model = createAnthropic({ apiKey: "none", fetch })("claude-opus-4-6");
const messages = [{ role: "user", content: "Begin." }];
const { response } = await generateText({ model, messages });
await generateText({ model, messages: [...messages, ...response.messages, { role: "user", content: "Go on." }] });
const aiSDK = members();

const chat = new ChatAnthropic({ model: "claude-opus-4-6", apiKey: "none", clientOptions: { fetch } });
const first = await chat.invoke([new HumanMessage("Begin.")]);
await chat.invoke([new HumanMessage("Begin."), first, new HumanMessage("Go on.")]);
const langChain = members();

console.log(`seen:     @ai-sdk/anthropic sends ${aiSDK}; @langchain/anthropic sends ${langChain}`);
process.exitCode = aiSDK === "content, signature, type" && langChain === "content, type" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
