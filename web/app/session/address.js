// This file is the address of the page. It holds the policy, and where the user is; of the session it holds nothing,
// except the name of an example and the session of a link (share.js) as long as that is open.
// #preset=prune&force=true&clear.minSavings=5000&tab=compare

import { known as knownPolicy } from "../policy/chosen.js";
import { known as knownCounter } from "../policy/counter.js";
import { assumedIn, assumedInHash } from "../replay/assumptions.js";
import { notionOf, PANES } from "../ui/panes.js";
import { keepIn, keptIn } from "../ui/storage.js";

/** @import { State, Store } from "../store.js" */
/** @typedef {Record<string, unknown>} Values parameter path to value, only what differs from the preset */
/**
 * @typedef {boolean | "auto"} Force compact now, whatever the trigger says; "auto": where the policy would do nothing
 *   yet
 */

/** Characters of a focus: a sentence or two. */
export const FOCUS = 500;
/** What becomes of bound thinking; "" is the default of the engine: it is removed. */
export const THINKING = /** @type {const} */ (["", "keep", "drop_block"]);
/** @typedef {typeof THINKING[number]} Thinking */
/** @typedef {"session" | "folder" | "live"} PlaceName */

const NOTIONS = /** @type {const} */ (["now", "start"]);
const KEY = "tamp-address";
const PAUSE = 300; // ms after the last selected block or call, or the last zoom, before the address names it
/** The keys that are none of the policy's. No parameter has one of these names. */
const OTHERS =
	"session name compare as ttl breakpoints hidden prices counter example call block tab show zoom place".split(" ");

/** The place of the page that an address names. @param {string} hash @returns {PlaceName} */
export function placeIn(hash) {
	const place = new URLSearchParams(hash.slice(1)).get("place");
	return place === "folder" || place === "live" ? place : "session";
}

/**
 * The address of the session: the present one; if it names another place, or nothing, the last one that this tab had, so
 * that a reload and a look at another page lose no choice.
 */
export function sessionHash() {
	if (location.hash.length > 1 && placeIn(location.hash) === "session") return location.hash;
	return keptIn(KEY) ?? "";
}

/** What an address says of the policy; its values are texts. @param {URLSearchParams} query @returns {State["policy"]} */
function policyIn(query) {
	const own = [...query].filter(([key]) => !OTHERS.includes(key));
	const { preset = "", focus = "", thinking, force, ...values } = Object.fromEntries(own);
	return {
		preset,
		set: { [preset]: values },
		// Without a policy in the address, the page shows the effect of the default policy, not that its trigger waits.
		force: own.length === 0 || force === "auto" ? "auto" : force === "true",
		focus: focus.slice(0, FOCUS),
		thinking: THINKING.find((name) => name === thinking) ?? "",
	};
}

/** The members of the state that an address names. @param {string} hash @param {State["presets"]} presets */
export function stateIn(hash, presets) {
	const query = new URLSearchParams(hash.slice(1));
	const text = (/** @type {string} */ name) => query.get(name)?.slice(0, 200) ?? "";
	const pane = PANES.find((name) => name === text("tab")) ?? "blocks";
	const [from, to] = text("zoom").split("-").map(Number);
	return {
		policy: knownPolicy(policyIn(query), presets),
		counter: knownCounter(text("counter")),
		example: text("example"),
		pane,
		notion: NOTIONS.find((name) => name === text("show")) ?? notionOf(pane),
		call: /^\d{1,6}$/.test(text("call")) ? Math.max(1, Number(text("call"))) : 0,
		block: text("block"),
		zoom: from >= 0 && from < to && to <= 1 ? { from, to } : { from: 0, to: 1 },
		picked: query.get("compare")?.split(",").filter(Boolean) ?? null,
		assumed: assumedIn(query),
	};
}

/** The policy as parts of an address. @param {State} state */
export function policyQuery({ policy: { preset, set, force, focus, thinking }, counter }) {
	const query = new URLSearchParams(preset ? { preset } : {});
	const own = { force: force || "", focus, thinking, counter: counter === "estimate" ? "" : counter };
	for (const [key, value] of Object.entries(own)) if (value) query.set(key, String(value));
	for (const [path, value] of Object.entries(set[preset] ?? {}))
		query.set(path, Array.isArray(value) ? value.join(",") : String(value));
	return query;
}

/**
 * The inverse of stateIn. A selected call or block is named for examples only: for another session it means nothing to the
 * person who opens the link.
 * @param {State} state
 */
function hashOf(state) {
	const { source, example, pane, notion, call, block, zoom, picked, assumed } = state;
	const query = policyQuery(state);
	/** @type {Record<string, string | false | undefined>} */
	const others = {
		compare: picked?.join(","),
		...assumedInHash(assumed),
		example: example || false,
		tab: pane !== "blocks" && pane,
		show: notion !== notionOf(pane) && notion,
		zoom: pane === "timeline" && zoom.to - zoom.from < 1 && [zoom.from, zoom.to].map((at) => at.toFixed(4)).join("-"),
		call: example && pane === "timeline" && call > 0 && String(call),
		block: example && pane === "blocks" && (block || false),
		name: source?.link && source.name,
		session: source?.link,
	};
	for (const [key, value] of Object.entries(others))
		if (value !== undefined && value !== false && (value || key === "compare")) query.set(key, value);
	return `#${query}`;
}

/** Keeps the address equal to the state. */
export class Address {
	/** @param {Store} store whose state is that of the address */
	constructor(store) {
		this.store = store;
		this.timer = 0;
		this.last = hashOf(store.state);
		if (location.hash.length > 1 && placeIn(location.hash) === "session") keepIn(KEY, location.hash);
		store.watch(["presets"], () => (this.last = hashOf(store.state))); // it says the same as before
		const now = /** @type {const} */ ([
			"policy",
			"counter",
			"source",
			"example",
			"pane",
			"notion",
			"picked",
			"assumed",
		]);
		store.watch([...now], () => this.write());
		store.watch(["call", "block", "zoom"], () => {
			clearTimeout(this.timer);
			this.timer = +setTimeout(() => this.write(), PAUSE);
		});
	}

	get hash() {
		return hashOf(this.store.state);
	}

	/** Takes the state that a changed address names; the address stays as it is. */
	read() {
		const { presets } = this.store.state;
		this.last = "";
		this.store.put(stateIn(location.hash, presets));
		this.last = this.hash;
		keepIn(KEY, location.hash);
	}

	write() {
		const { hash } = this;
		if (hash === this.last || this.last === "") return;
		this.last = hash;
		keepIn(KEY, hash);
		// Replaced, not pushed: each step of a slider would otherwise be an entry of the browser history. The other places
		// have addresses of their own.
		if (placeIn(location.hash) === "session") history.replaceState(null, "", hash);
	}
}
