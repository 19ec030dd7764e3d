#!/usr/bin/env bash
# package: ccusage 20.0.24 (npm)
# ccusage 20.0.24 (npm): lines of a log of Claude Code count only if their JSON has no space after a colon. A log that was written again
# with another serializer, such as json.dumps of Python, is valid JSON Lines and counts as nothing, without a warning.
# Seen: 1,100 tokens for the line as Claude Code writes it, 0 tokens for the same line with spaces.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund ccusage@20.0.24 @ccusage/ccusage-linux-x64@20.0.24
cat <<'END'
field:    costs of Claude Code's logs
package:  ccusage 20.0.24 (npm)
expected: the same line of JSON counts the same with and without spaces
END
cat > finding.mjs <<'END'
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const usage = { input_tokens: 1000, output_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-4-6", content: [{ type: "text", text: "Done." }], usage };
const line = { sessionId: "session", version: "2.1.332", type: "assistant", uuid: "u1", timestamp: "2026-11-01T10:00:00.000Z", requestId: "req_1", message };
function total(text) {
  const home = `${process.cwd()}/home`;
  mkdirSync(`${home}/.claude/projects/project`, { recursive: true });
  writeFileSync(`${home}/.claude/projects/project/session.jsonl`, `${text}\n`);
  const env = { PATH: process.env.PATH, HOME: home };
  const report = execFileSync("node_modules/.bin/ccusage", ["claude", "daily", "--json", "--offline"], { env });
  return JSON.parse(report).totals.totalTokens;
}
const compact = total(JSON.stringify(line));
const spaced = total(JSON.stringify(line, null, 1).replace(/\n */g, " "));
console.log(`seen:     ${compact} tokens without spaces, ${spaced} with spaces`);
process.exitCode = compact === 1100 && spaced === 0 ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
