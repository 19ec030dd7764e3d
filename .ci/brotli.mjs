// This file prints the size of a file with brotli, quality 11 and a window of 16 MB: node .ci/brotli.mjs FILE.

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
console.log(brotliCompressSync(readFileSync(process.argv[2] ?? ""), { params }).length);
