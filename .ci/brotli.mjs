// This file compresses a file with brotli: node .ci/brotli.mjs FROM TO. That halves the size of a wasm; the best level
// takes a minute more and saves a tenth.

import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const [from = "", to = ""] = process.argv.slice(2);
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(to, brotliCompressSync(readFileSync(from), { params }));
