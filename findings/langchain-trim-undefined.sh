#!/usr/bin/env bash
# package: @langchain/core 1.4.0 (npm)
# @langchain/core 1.4.0 (npm): trimMessages with strategy "last", includeSystem and startOn returns [undefined] if the budget ends
# within the last exchange: the walk back to the message that startOn names also passes the system message.
# Seen: [undefined] for a system message, a prompt, a call, its result and an answer, with room for four messages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund @langchain/core@1.4.0
cat <<'END'
field:    histories of LangChain
package:  @langchain/core 1.4.0 (npm)
expected: the system message, which includeSystem keeps, or an empty list
END
cat > finding.mjs <<'END'
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from "@langchain/core/messages";
const history = [
  new SystemMessage("You are a programmer."),
  new HumanMessage("Read the file."),
  new AIMessage({ content: "", tool_calls: [{ id: "call_1", name: "read", args: {} }] }),
  new ToolMessage({ tool_call_id: "call_1", content: "package main" }),
  new AIMessage("It is a program."),
];
const trimmed = await trimMessages(history, {
  maxTokens: 4,
  tokenCounter: (messages) => messages.length,
  strategy: "last",
  includeSystem: true,
  startOn: "human",
});
console.log("seen:    ", trimmed);
process.exitCode = trimmed.length === 1 && trimmed[0] === undefined ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
