// This file keeps the policy in the URL hash, and only the policy: a link shows how, never what. #preset=prune&force=true&clear.minSavings=5000

/** @typedef {Record<string, unknown>} Values parameter path to value, only what differs from the preset */

/** @typedef {boolean | "auto"} Force compact now, whatever the trigger says; "auto": where the policy would do nothing yet */

/** @returns {{preset: string, force: Force, values: Record<string, string>}} values as text, for the preset's parameters to read */
export function readHash() {
	/** @type {Record<string, string>} */
	const values = {};
	let preset = "";
	// Whoever comes without a policy of their own should see what the default one does, not that it waits.
	/** @type {Force} */
	let force = location.hash.length > 1 ? false : "auto";
	for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
		if (key === "preset") preset = value;
		else if (key === "force") force = value === "auto" ? "auto" : value === "true";
		else values[key] = value;
	}
	return { preset, force, values };
}

/**
 * @param {string} preset
 * @param {Values} values
 * @param {Force} force
 */
export function writeHash(preset, values, force) {
	const query = new URLSearchParams({ preset, ...(force ? { force: String(force) } : {}) });
	for (const [path, value] of Object.entries(values)) query.set(path, Array.isArray(value) ? value.join(",") : String(value));
	// Each step of a slider in the history would bury the way back.
	history.replaceState(null, "", `#${query}`);
}
