#!/usr/bin/env bash
# package: langchain 1.5.14 (npm), with @langchain/core 1.4.0
# langchain 1.5.14 (npm): summarizationMiddleware replaces all messages but the kept ones, but its model reads only the last 4,000
# tokens of them (trimTokensToSummarize, by default). What is earlier is neither in the summary nor in the history.
# Seen: 75 messages are replaced; the model reads the last 5 of their 37 rounds and not the task, which no later request has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund langchain@1.5.14 @langchain/core@1.4.0
cat <<'END'
field:    compaction in agents of LangChain
package:  langchain 1.5.14 (npm), with @langchain/core 1.4.0
expected: the model that summarizes reads what the summary replaces, or the rest stays
END
cat > finding.mjs <<'END'
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createAgent, summarizationMiddleware } from "langchain";

let prompt;
class Summarizer extends FakeListChatModel {
  async _generate(messages, ...rest) {
    prompt = messages.map(({ content }) => content).join("\n");
    return super._generate(messages, ...rest);
  }
}
const messages = [new HumanMessage("TASK: port the parser, and keep the names.")];
for (let i = 0; i < 40; i++) {
  const calls = [{ id: `call_${i}`, name: "read", args: { path: `f${i}` } }];
  messages.push(new AIMessage({ content: `step ${i}.`, tool_calls: calls }));
  messages.push(new ToolMessage({ tool_call_id: `call_${i}`, name: "read", content: "line of code\n".repeat(200) }));
}
messages.push(new HumanMessage("Go on."));
const model = new Summarizer({ responses: ["The summary."] });
const middleware = [summarizationMiddleware({ model, trigger: { tokens: 10000 }, keep: { messages: 6 } })];
const agent = createAgent({ model: new FakeListChatModel({ responses: ["Done."] }), tools: [], middleware });
const { messages: after } = await agent.invoke({ messages });

const read = [...prompt.matchAll(/step (\d+)\./g)].map((match) => Number(match[1]));
const replaced = messages.findIndex(({ content }) => content === after[1].content);
const lost = !prompt.includes("TASK") && !after.some(({ content }) => content.includes("TASK"));
console.log(`seen:     the summary replaces ${replaced} messages, the task and steps 0 to ${(replaced - 3) / 2}`);
console.log(`          its model read steps ${read[0]} to ${read.at(-1)}; the task is ${lost ? "in no prompt any more" : "kept"}`);
process.exitCode = replaced === 75 && read[0] > 20 && lost ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
