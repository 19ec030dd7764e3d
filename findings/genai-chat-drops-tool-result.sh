#!/usr/bin/env bash
# package: @google/genai 3.3.0 (npm)
# @google/genai 3.3.0 (npm): if an answer has no parts, for instance because thinking used all of maxOutputTokens, the chat also leaves
# out the message before it. After a call of a function that is its response, so the call is left without one.
# google-genai for Python (3.6.1) has the same rule in its source.
# Seen: the third request is a prompt, a functionCall, a prompt. The API wants the functionResponse right after the functionCall.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund @google/genai@3.3.0
cat <<'END'
field:    chats with functions, Gemini
package:  @google/genai 3.3.0 (npm)
expected: the third request has the functionCall and its functionResponse, or neither
END
cat > finding.mjs <<'END'
import http from "node:http";
import { GoogleGenAI } from "@google/genai";

const answers = [
  { content: { role: "model", parts: [{ functionCall: { name: "read", args: { path: "a.txt" } } }] }, finishReason: "STOP" },
  { content: { role: "model" }, finishReason: "MAX_TOKENS" },
  { content: { role: "model", parts: [{ text: "Done." }] }, finishReason: "STOP" },
];
const bodies = [];
const server = http.createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  bodies.push(JSON.parse(text));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ candidates: [answers[bodies.length - 1]] }));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: `http://127.0.0.1:${server.address().port}` } });
const chat = client.chats.create({ model: "gemini-2.5-flash" });
await chat.sendMessage({ message: "Read a.txt." });
await chat.sendMessage({ message: [{ functionResponse: { name: "read", response: { output: "text" } } }] });
await chat.sendMessage({ message: "Go on." });
server.close();
const kinds = bodies[2].contents.map(({ role, parts }) => `${role} ${Object.keys(parts[0])[0]}`).join(", ");
console.log(`seen:     ${kinds}`);
process.exitCode = kinds === "user text, model functionCall, user text" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
