#!/usr/bin/env bash
# package: gpt-tokenizer 4.0.0, tiktoken 1.0.22 (npm)
# gpt-tokenizer 4.0.0 (npm): o200k_base gives other tokens than tiktoken 1.0.22 in two cases: U+FEFF, which begins many files on Windows
# and is a token of its own, is split into bytes; after U+0085, a space for tiktoken only, a text may be cut elsewhere.
# Counts differ by one, so a cut by tokens, or a cache of counts, is not the same with both. `decode` loses U+FEFF at the start.
# Seen: three tokens for U+FEFF and "hi" (tiktoken: two), which are decoded to "hi"; five for a text with U+0085 (tiktoken: four).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund gpt-tokenizer@4.0.0 tiktoken@1.0.22
cat <<'END'
field:    counting tokens of tool results
package:  gpt-tokenizer 4.0.0, tiktoken 1.0.22 (npm)
expected: the same tokens for the same vocabulary, and decode(encode(text)) is text
END
cat > finding.mjs <<'END'
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import { get_encoding } from "tiktoken";

const tiktoken = get_encoding("o200k_base");
const lengths = (text) => `${encode(text).length} and ${tiktoken.encode(text).length}`;
const mark = lengths("\ufeffhi");
const line = lengths("\u0085'llx");
const back = decode(encode("\ufeffhi"));
const kept = new TextDecoder("utf-8", { ignoreBOM: true }).decode(tiktoken.decode(tiktoken.encode("\ufeffhi")));
console.log(`seen:     U+FEFF: ${mark} tokens; U+0085: ${line}; decoded: ${back.length} characters, tiktoken ${kept.length}`);
process.exitCode = mark === "3 and 2" && line === "5 and 4" && back === "hi" && kept === "\ufeffhi" ? 0 : 1;
END
node finding.mjs || { echo "changed:  not what was seen before"; exit 1; }
