// This file is the entry point for the edge runtime of Next.js and Vercel, which compiles wasm only at build time.

import { entryPoint } from "./api.js";
import { onlyModule } from "./module.js";
import wasm from "./tamp.wasm?module";

export { compact } from "./compact.js";
export { TampError } from "./error.js";

export const { load, loadInWorker, compactor } = /* @__PURE__ */ entryPoint({
	source: async () => wasm,
	compile: onlyModule,
	spawn: [],
});
