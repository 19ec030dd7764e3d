// This file is the entry point tamp/inline: the wasm and the worker are JavaScript modules, so that no other file is
// needed.

import { entryPoint } from "./api.js";
import { compile } from "./compile.js";
import { spawnText } from "./spawn.js";
import { insideModule } from "./source.js";

export { compact } from "./compact.js";
export { TampError } from "./error.js";

export const { load, loadInWorker, compactor } = /* @__PURE__ */ entryPoint({
	source: () => insideModule(),
	compile,
	spawn: [spawnText],
});
