// This file imports modules of Node in a way that bundlers do not follow.

/**
 * @param {string} name such as node:fs
 * @returns {Promise<any>}
 */
export async function builtin(name) {
	// Test runners with their own module system, such as Jest, refuse import().
	const { process } = /** @type {any} */ (globalThis);
	return process?.getBuiltinModule?.(name) ?? import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}
