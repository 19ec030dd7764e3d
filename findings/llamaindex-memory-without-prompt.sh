#!/usr/bin/env bash
# package: @llamaindex/core 0.6.23 (npm)
# @llamaindex/core 0.6.23 (npm): if the messages of a Memory with a memory block exceed its limit, `add` hands all of them to the block, and
# also the one that was just added: the prompt that the model should answer. `getLLM`, the messages for the model, then has none of them.
# Seen: the fourth request is the facts of the memory block alone, without a user message.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund @llamaindex/core@0.6.23
cat <<'END'
field:    memory in LlamaIndex.TS
package:  @llamaindex/core 0.6.23 (npm)
expected: each request ends with the prompt that was added last
END
cat > finding.mjs <<'END'
import { Settings } from "@llamaindex/core/global";
import { createMemory, factExtractionBlock } from "@llamaindex/core/memory";

Settings.tokenizer = { encode: (text) => text.split(" "), decode: (words) => words.join(" ") };
const llm = { complete: async () => ({ text: '{ "facts": ["The user asks."] }' }) };
const facts = factExtractionBlock({ id: "facts", priority: 1, llm, maxFacts: 5 });
const memory = createMemory({ tokenLimit: 100, memoryBlocks: [facts] });
const ends = [];
for (let i = 1; i <= 4; i++) {
  await memory.add({ role: "user", content: `Question ${i}: ${"word ".repeat(15)}` });
  const request = await memory.getLLM();
  ends.push(request.map(({ role }) => role).join(" "));
  await memory.add({ role: "assistant", content: `Answer ${i}.` });
}
console.log(`seen:     the third request: ${ends[2]}; the fourth: ${ends[3]}`);
process.exitCode = ends[2] === "memory user assistant user assistant user" && ends[3] === "memory" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
