// This file keeps the policy in the URL hash, and nothing of the session:
// #preset=prune&force=true&clear.minSavings=5000 A link that holds a session (share.js) keeps it in the hash as long as
// that session is open.

import { keepIn, keptIn } from "../ui/storage.js";

/** @typedef {Record<string, unknown>} Values parameter path to value, only what differs from the preset */

/** Characters of a focus: a sentence or two. */
export const FOCUS = 500;

/**
 * @typedef {boolean | "auto"} Force compact now, whatever the trigger says; "auto": where the policy would do nothing
 *   yet
 */

/**
 * Keys of the session of a link, the comparison (replay.js), the counter, and the open place. No policy parameter has
 * one of these names.
 */
const OTHERS = [
	"session",
	"name",
	"compare",
	"as",
	"ttl",
	"breakpoints",
	"hidden",
	"prices",
	"counter",
	"example",
	"call",
	"block",
	"tab",
	"show",
	"zoom",
	"place",
];

const KEY = "tamp-address";

/**
 * The address of the session: the present one; if it names another place, or nothing, the last one that this tab had, so
 * that a reload and a look at another page lose no choice.
 */
export function sessionHash() {
	if (location.hash.length > 1 && placeIn(location.hash) === "session") return location.hash;
	return keptIn(KEY) ?? "";
}

/** Names an example in the address at once, before it is loaded. @param {string} name */
export function nameExample(name) {
	if (placeIn(location.hash) !== "session") return;
	const query = new URLSearchParams(location.hash.slice(1));
	query.set("example", name);
	history.replaceState(null, "", `#${query}`);
}

/** What becomes of bound thinking; "" is the default of the engine: it is removed. */
export const THINKING = /** @type {const} */ (["", "keep", "drop_block"]);
/** @typedef {typeof THINKING[number]} Thinking */

/** @typedef {"session" | "folder" | "live"} PlaceName */

/** The place of the page that an address names. @param {string} hash @returns {PlaceName} */
export function placeIn(hash) {
	const place = new URLSearchParams(hash.slice(1)).get("place");
	return place === "folder" || place === "live" ? place : "session";
}

/** Further keys of the hash: the session of a link. @type {Record<string, string>} */
let kept = {};
/** @type {Record<string, string>} */
let compared = {};
/** @type {() => Record<string, string>} */
let placeOf = () => ({});
let counter = "";

/** Whether the parts of the page are reading an address that has changed, so that none may replace it. */
let reading = false;
addEventListener("hashchange", () => {
	reading = true;
	setTimeout(() => (reading = false)); // after the other listeners, which were added later
});

/** @param {Record<string, string>} parts the session of a link, while it is open; {} once it is not */
export function keepInHash(parts) {
	kept = parts;
}

/**
 * @param {Record<string, string>} parts the compared presets and what they are counted with, if the user chose them
 */
export function keepCompared(parts) {
	compared = parts;
}

/** @param {() => Record<string, string>} read the open state: the example, the tab, the call and the block */
export function keepPlace(read) {
	placeOf = read;
}

/** @param {string} name of the counter; "" for the default */
export function keepCounter(name) {
	counter = name;
}

/** The counter that an address names, or "". @param {string} hash */
export function counterIn(hash) {
	return new URLSearchParams(hash.slice(1)).get("counter") ?? "";
}

/**
 * @returns {{preset: string, force: Force, focus: string, thinking: Thinking, values: Record<string, string>}} values as
 *   text, for the preset's parameters to read
 */
export function readHash() {
	/** @type {Record<string, string>} */
	const values = {};
	let preset = "";
	let focus = "";
	/** @type {Thinking} */
	let thinking = "";
	// Without a policy in the address, the page shows the effect of the default policy, not that its trigger waits.
	/** @type {Force} */
	let force = "auto";
	let isPolicy = false;
	for (const [key, value] of new URLSearchParams(sessionHash().slice(1))) {
		if (OTHERS.includes(key)) continue;
		if (!isPolicy) force = false;
		isPolicy = true;
		if (key === "preset") preset = value;
		else if (key === "focus") focus = value.slice(0, FOCUS);
		else if (key === "thinking") thinking = THINKING.find((name) => name === value) ?? "";
		else if (key === "force") force = value === "auto" ? "auto" : value === "true";
		else values[key] = value;
	}
	return { preset, force, focus, thinking, values };
}

/**
 * @param {string} preset
 * @param {Values} values
 * @param {Force} force
 * @param {string} focus
 * @param {Thinking} thinking
 */
export function policyQuery(preset, values, force, focus, thinking) {
	const query = new URLSearchParams({
		preset,
		...(force ? { force: String(force) } : {}),
		...(focus ? { focus } : {}),
		...(thinking ? { thinking } : {}),
		...(counter ? { counter } : {}),
	});
	for (const [path, value] of Object.entries(values))
		query.set(path, Array.isArray(value) ? value.join(",") : String(value));
	return query;
}

/**
 * @param {string} preset
 * @param {Values} values
 * @param {Force} force
 * @param {string} focus
 * @param {Thinking} thinking
 */
export function writeHash(preset, values, force, focus, thinking) {
	if (reading || placeIn(location.hash) !== "session") return; // the other places have addresses of their own
	const query = policyQuery(preset, values, force, focus, thinking);
	for (const [key, value] of Object.entries({ ...compared, ...placeOf(), ...kept })) query.set(key, value);
	// Replaced, not pushed: each step of a slider would otherwise be an entry of the browser history.
	history.replaceState(null, "", `#${query}`);
	keepIn(KEY, `#${query}`);
}

/**
 * What the address names: the tab, the figures of the bar, the call, the block, and the zoom of the timeline.
 * @returns {Record<string, string | undefined>}
 */
export function readPlace() {
	const query = new URLSearchParams(sessionHash().slice(1));
	const names = ["tab", "show", "call", "block", "zoom"];
	return Object.fromEntries(names.map((name) => [name, query.get(name)?.slice(0, 200)]));
}
