#!/usr/bin/env bash
# package: @langchain/core 1.4.0 (npm)
# @langchain/core 1.4.0 (npm): trimMessages with strategy "first" and allowPartial shortens the text of a message of the caller,
# also if the result does not contain that message. With strategy "last" the input stays as it was.
# Seen: a text of three lines has only its first one after the call; the result is empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund @langchain/core@1.4.0
cat <<'END'
field:    histories of LangChain
package:  @langchain/core 1.4.0 (npm)
expected: trimMessages returns a new list and leaves the messages of the caller as they are
END
cat > finding.mjs <<'END'
import { AIMessage, HumanMessage, trimMessages } from "@langchain/core/messages";
const text = "First: read the file.\nSecond: fix the test.\nThird: write the changelog.";
const history = [new HumanMessage(text), new AIMessage("I start.")];
const tokenCounter = (messages) => messages.reduce((sum, { content }) => sum + content.length, 0);
const trimmed = await trimMessages(history, { maxTokens: 10, tokenCounter, strategy: "first", allowPartial: true });
const left = history[0].content;
console.log(`seen:     ${trimmed.length} messages returned; the caller's message was ${text.length} characters, and is ${left.length}: ${JSON.stringify(left)}`);
process.exitCode = trimmed.length === 0 && left === "First: read the file.\n" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
