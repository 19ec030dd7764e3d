// This file is the package's entry point; index.d.ts documents it. The wasm is next to this file, or inside of a module
// if a bundler has left the file behind.

import { entryPoint } from "./api.js";
import { compile } from "./compile.js";
import { spawnFile, spawnText } from "./spawn.js";
import { nextToThisFile } from "./source.js";

export { compact } from "./compact.js";
export { TampError } from "./error.js";

export const { load, loadInWorker, compactor } = /* @__PURE__ */ entryPoint({
	source: nextToThisFile,
	compile,
	spawn: [spawnFile, spawnText],
});
