#!/usr/bin/env bash
# package: ccusage 20.0.24 (npm)
# ccusage 20.0.24 (npm): of a message with `usage.iterations` only the top level of usage is counted. Anthropic writes the tokens of a
# compaction by its server only in the iteration of type compaction, and bills them.
# Seen: 10 input and 5 output tokens, for a call that is billed for 180,010 and 3,505.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund ccusage@20.0.24 @ccusage/ccusage-linux-x64@20.0.24
cat <<'END'
field:    costs of Claude Code's logs with compaction by Anthropic's server
package:  ccusage 20.0.24 (npm)
expected: 180,010 input and 3,505 output tokens, the sum of the iterations
END
mkdir -p home/.claude/projects/project
cat > home/.claude/projects/project/session.jsonl <<'END'
{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/project","sessionId":"session","version":"2.1.332","type":"assistant","uuid":"u1","timestamp":"2026-11-01T10:00:00.000Z","requestId":"req_1","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"iterations":[{"type":"compaction","input_tokens":180000,"output_tokens":3500,"cache_creation_input_tokens":0,"cache_read_input_tokens":0},{"type":"message","input_tokens":10,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}]}}}
END
env -i PATH="$PATH" HOME="$folder/home" node_modules/.bin/ccusage claude daily --json --offline > report.json
cat > finding.mjs <<'END'
import { readFileSync } from "node:fs";

const { inputTokens, outputTokens, totalCost } = JSON.parse(readFileSync("report.json", "utf8")).totals;
console.log(`seen:     ${inputTokens} input and ${outputTokens} output tokens, ${totalCost} USD`);
process.exitCode = inputTokens === 10 && outputTokens === 5 ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
