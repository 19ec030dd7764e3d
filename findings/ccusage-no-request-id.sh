#!/usr/bin/env bash
# package: ccusage 20.0.24 (npm)
# ccusage 20.0.24 (npm): Claude Code writes a line for each block of an answer, all with the same message id and the same usage. ccusage
# counts such lines once only if they also have a requestId. Logs of sessions with another server of Anthropic's API may have none, and
# then each line counts.
# Seen: 1,100 tokens for an answer of three lines with a requestId, 3,300 tokens for the same three lines without it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund ccusage@20.0.24 @ccusage/ccusage-linux-x64@20.0.24
cat <<'END'
field:    costs of Claude Code's logs
package:  ccusage 20.0.24 (npm)
expected: lines with one message id count once, with and without a requestId
END
cat > finding.mjs <<'END'
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const blocks = [
  { type: "thinking", thinking: "I should read it.", signature: "c2lnbmF0dXJl" },
  { type: "text", text: "I read it now." },
  { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "/project/a.txt" } },
];
const usage = { input_tokens: 1000, output_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const answer = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-4-6", stop_reason: "tool_use", usage };
function total(request) {
  const home = `${process.cwd()}/home`;
  mkdirSync(`${home}/.claude/projects/project`, { recursive: true });
  const lines = blocks.map((block, i) => ({
    parentUuid: i === 0 ? null : `u${i}`,
    sessionId: "session",
    version: "2.1.332",
    type: "assistant",
    uuid: `u${i + 1}`,
    timestamp: `2026-11-01T10:00:0${i}.000Z`,
    ...request,
    message: { ...answer, content: [block] },
  }));
  writeFileSync(`${home}/.claude/projects/project/session.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const env = { PATH: process.env.PATH, HOME: home };
  const report = execFileSync("node_modules/.bin/ccusage", ["claude", "daily", "--json", "--offline"], { env });
  return JSON.parse(report).totals.totalTokens;
}
const once = total({ requestId: "req_1" });
const thrice = total({});
console.log(`seen:     ${once} tokens with a requestId, ${thrice} without`);
process.exitCode = once === 1100 && thrice === 3300 ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
