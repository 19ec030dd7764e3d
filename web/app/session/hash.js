// This file keeps the policy in the URL hash, and only the policy: the address shows how, never what. #preset=prune&force=true&clear.minSavings=5000
// A link that somebody made with the session in it (share.js) keeps it there for as long as that session is open.

/** @typedef {Record<string, unknown>} Values parameter path to value, only what differs from the preset */

/** Characters of a focus: a sentence or two. */
export const FOCUS = 500;

/** @typedef {boolean | "auto"} Force compact now, whatever the trigger says; "auto": where the policy would do nothing yet */

/** Where a link carries a session, what is compared (replay.js), and the counter; no parameter of a policy is called so. */
const OTHERS = ["session", "name", "compare", "as", "ttl", "counter"];

/** What stands in the hash beside the policy. @type {Record<string, string>} */
let beside = {};
/** @type {Record<string, string>} */
let compared = {};
let counter = "";

/** @param {Record<string, string>} parts the session of a link, while it is open; {} once it is not */
export function keepBeside(parts) {
	beside = parts;
}

/** @param {Record<string, string>} parts the presets that are compared and what they are counted as, where someone chose */
export function keepCompared(parts) {
	compared = parts;
}

/** @param {string} name of the counter; "" for the one that counts where nobody chose */
export function keepCounter(name) {
	counter = name;
}

/** The counter that an address names, or "". @param {string} hash */
export function counterIn(hash) {
	return new URLSearchParams(hash.slice(1)).get("counter") ?? "";
}

/** @returns {{preset: string, force: Force, focus: string, values: Record<string, string>}} values as text, for the preset's parameters to read */
export function readHash() {
	/** @type {Record<string, string>} */
	const values = {};
	let preset = "";
	let focus = "";
	// Whoever comes without a policy of their own should see what the default one does, not that it waits.
	/** @type {Force} */
	let force = location.hash.length > 1 ? false : "auto";
	for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
		if (OTHERS.includes(key)) continue;
		if (key === "preset") preset = value;
		else if (key === "focus") focus = value.slice(0, FOCUS);
		else if (key === "force") force = value === "auto" ? "auto" : value === "true";
		else values[key] = value;
	}
	return { preset, force, focus, values };
}

/**
 * @param {string} preset
 * @param {Values} values
 * @param {Force} force
 * @param {string} focus
 */
export function policyQuery(preset, values, force, focus) {
	const query = new URLSearchParams({ preset, ...(force ? { force: String(force) } : {}), ...(focus ? { focus } : {}), ...(counter ? { counter } : {}) });
	for (const [path, value] of Object.entries(values)) query.set(path, Array.isArray(value) ? value.join(",") : String(value));
	return query;
}

/**
 * @param {string} preset
 * @param {Values} values
 * @param {Force} force
 * @param {string} focus
 */
export function writeHash(preset, values, force, focus) {
	const query = policyQuery(preset, values, force, focus);
	for (const [key, value] of Object.entries({ ...compared, ...beside })) query.set(key, value);
	// Each step of a slider in the history would bury the way back.
	history.replaceState(null, "", `#${query}`);
}
