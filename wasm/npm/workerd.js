// This file is the entry point for Cloudflare Workers, which compile wasm only when they are deployed.

import { entryPoint } from "./api.js";
import { onlyModule } from "./module.js";
import wasm from "./tamp.wasm";

export { compact } from "./compact.js";
export { TampError } from "./error.js";

export const { load, loadInWorker, compactor } = /* @__PURE__ */ entryPoint({
	source: async () => wasm,
	compile: onlyModule,
	spawn: [],
});
