// This file recognizes runtimes that run no WebAssembly, whatever the source, and says what helps there.

import { TampError } from "./error.js";

/**
 * @param {string} [why] the message of an error, which names a Content-Security-Policy if that is the cause
 * @returns {TampError | undefined} undefined if the runtime runs WebAssembly
 */
export function refused(why = "") {
	const cause =
		typeof WebAssembly === "undefined"
			? "this runtime has no WebAssembly (React Native, browsers in lockdown mode); call a Tamp server over HTTP instead " +
				"(POST /v1/plan, /v1/apply …), or in React Native load it in a WebView"
			: /Content.Security.Policy|\bCSP\b/i.test(why) && /wasm|WebAssembly/i.test(why)
				? "the Content-Security-Policy refuses WebAssembly; add 'wasm-unsafe-eval' to its script-src"
				: undefined;
	return cause === undefined ? undefined : new TampError("load_failed", "", `cannot load tamp.wasm: ${cause}`);
}
