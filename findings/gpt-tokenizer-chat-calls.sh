#!/usr/bin/env bash
# package: gpt-tokenizer 4.0.0 (npm)
# gpt-tokenizer 4.0.0 (npm): countTokens of a list of chat messages reads role, name and content only. The tool_calls of an assistant
# message cost nothing, and `content: null`, which the API writes next to them, is a TypeError.
# Seen: a call with an argument of 5,000 words adds as many tokens as an empty message.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund gpt-tokenizer@4.0.0
cat <<'END'
field:    counting tokens of chats with tools
package:  gpt-tokenizer 4.0.0 (npm)
expected: a call with an argument of 5,000 words counts about 5,000 tokens, or is refused; content may be null
END
cat > finding.mjs <<'END'
import { countTokens } from "gpt-tokenizer/model/gpt-4o";

const prompt = { role: "user", content: "Write the file." };
const text = "word ".repeat(5000);
const tool_calls = [{ id: "call_1", type: "function", function: { name: "write", arguments: JSON.stringify({ text }) } }];
const empty = countTokens([prompt, { role: "assistant", content: "" }]);
const call = countTokens([prompt, { role: "assistant", content: "", tool_calls }]);
let error = "no error";
try {
  countTokens([prompt, { role: "assistant", content: null, tool_calls }]);
} catch (thrown) {
  error = thrown.constructor.name;
}
console.log(`seen:     ${countTokens(text)} tokens of text: ${call} tokens with the call, ${empty} with an empty message; content null: ${error}`);
process.exitCode = call === empty && error === "TypeError" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
