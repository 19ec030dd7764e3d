#!/usr/bin/env bash
# package: openai 7.59.0 (npm)
# openai 7.59.0 (npm): responses.parse and chat.completions.parse add members to the objects of the answer (parsed, parsed_arguments).
# They are ordinary enumerable members, so a history made of these objects sends them to the API, whose items have no such members.
# Seen: "parsed" and "parsed_arguments" are in the body of the next request; without parse it is as the API wrote it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund openai@7.59.0 zod@4.6.7
cat <<'END'
field:    histories made of answers, OpenAI's SDK
package:  openai 7.59.0 (npm)
expected: an answer that is put into the next request has the members that the API wrote
END
cat > finding.mjs <<'END'
import OpenAI from "openai";
import { zodFunction, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";

const response = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "gpt-5.5",
  output: [
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}", status: "completed" },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: '{"sum":4}', annotations: [] }],
    },
  ],
};
const calls = [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } }];
const message = { role: "assistant", content: null, refusal: null, tool_calls: calls };
const completion = { id: "c", object: "chat.completion", created: 1, model: "gpt-5.5", choices: [{ index: 0, finish_reason: "tool_calls", message }] };
let body;
const fetch = async (url, init) => {
  body = init.body;
  return Response.json(String(url).includes("chat") ? completion : response);
};
const client = new OpenAI({ apiKey: "none", fetch });
const members = () => [...new Set(body.match(/"parsed(_arguments)?":/g))].sort().join(" ") || "none";
const model = "gpt-5.5";

const created = await client.responses.create({ model, input: "2 + 2?" });
await client.responses.create({ model, input: [...created.output] });
const plain = members();
const format = zodTextFormat(z.object({ sum: z.number() }), "sum");
const parsed = await client.responses.parse({ model, input: "2 + 2?", text: { format } });
await client.responses.create({ model, input: [...parsed.output] });
const responses = members();
const prompt = { role: "user", content: "Read a.txt." };
const tools = [zodFunction({ name: "read", parameters: z.object({ path: z.string() }) })];
const chat = await client.chat.completions.parse({ model, messages: [prompt], tools });
await client.chat.completions.create({ model, messages: [prompt, chat.choices[0].message] });
const completions = members();
console.log(`seen:     added members after create: ${plain}; after responses.parse: ${responses}; after chat.completions.parse: ${completions}`);
const both = '"parsed": "parsed_arguments":';
process.exitCode = plain === "none" && responses === both && completions === both ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
