// This file is the assumptions of the replays: the model, the prices, the cache and the hidden tokens that they are
// counted with. Each is the session's own until the user sets it, and all are kept in the address.

import { byId, fill, h } from "../ui/dom.js";

/** @typedef {import("./replays.js").Report} Report */
/** @typedef {import("./replays.js").Ask} Ask */
/** @typedef {Pick<Ask, "model" | "ttl" | "breakpoints" | "hidden" | "prices">} Assumed absent: the session's own */

/** Models to choose from for the prices; their prices are in core. */
const MODELS = [
	"claude-opus-5-5",
	"claude-sonnet-5-5",
	"claude-haiku-5-5",
	"claude-opus-4-5",
	"claude-sonnet-4-5",
	"claude-haiku-4-5",
	"gpt-5-5",
	"gpt-5",
	"gpt-5-mini",
	"gpt-4-1",
	"o4-mini",
	"gemini-2-5-pro",
	"gemini-2-5-flash",
];
const TTLS = /** @type {const} */ (["5m", "1h"]);
const PLACES = /** @type {const} */ (["automatic", "request"]);

/** The greatest hidden tokens and prices that the engine takes. */
const MAX_HIDDEN = 10_000_000;
const MAX_PRICE = 1_000_000;

/** @param {string | null} text @param {number} max @returns {number | undefined} */
function whole(text, max) {
	const value = text ? Number(text) : Number.NaN;
	return Number.isInteger(value) && value >= 0 && value <= max ? value : undefined;
}

/** What an address says. Values that the engine would refuse are ignored. @param {URLSearchParams} query */
export function assumedIn(query) {
	/** @type {Assumed} */
	const assumed = {};
	const hidden = whole(query.get("hidden"), MAX_HIDDEN);
	const prices = (query.get("prices") ?? "").split(",").map((text) => whole(text, MAX_PRICE));
	const [input, output, read, write5m, write1h] = prices;
	const model = MODELS.find((name) => name === query.get("as"));
	const ttl = TTLS.find((name) => name === query.get("ttl"));
	const breakpoints = PLACES.find((name) => name === query.get("breakpoints"));
	if (model) assumed.model = model;
	if (ttl) assumed.ttl = ttl;
	if (breakpoints) assumed.breakpoints = breakpoints;
	if (hidden !== undefined) assumed.hidden = hidden;
	if (
		input !== undefined &&
		output !== undefined &&
		read !== undefined &&
		write5m !== undefined &&
		write1h !== undefined
	)
		assumed.prices = { input, output, read, write5m, write1h };
	return assumed;
}

/** The inverse of assumedIn. @param {Assumed} assumed @returns {Record<string, string>} */
export function assumedInHash({ model, ttl, breakpoints, hidden, prices }) {
	return {
		...(model ? { as: model } : {}),
		...(ttl ? { ttl } : {}),
		...(breakpoints ? { breakpoints } : {}),
		...(hidden === undefined ? {} : { hidden: String(hidden) }),
		...(prices ? { prices: [prices.input, prices.output, prices.read, prices.write5m, prices.write1h].join(",") } : {}),
	};
}

export class Assumptions {
	/** @param {(assumed: Assumed) => void} change the user set one */
	constructor(change) {
		this.model = byId("compare-model");
		this.ttl = byId("compare-ttl");
		this.places = byId("compare-breakpoints");
		this.hidden = byId("compare-hidden");
		this.input = byId("compare-input");
		this.output = byId("compare-output");
		/** The prices of the last report. @type {Report["price"] | undefined} */
		this.price = undefined;
		for (const field of [this.model, this.ttl, this.places, this.hidden, this.input, this.output])
			field.addEventListener("change", () => change(this.read()));
	}

	/** The fields. A number that the engine would refuse counts as not set, and its field is marked. */
	read() {
		const [input, output] = [dollarsOf(this.input), dollarsOf(this.output)];
		const known = this.price ?? { input: 3000, output: 15_000, read: 100, write5m: 1250, write1h: 2000 };
		const hidden = whole(this.hidden.value, MAX_HIDDEN);
		mark(this.hidden, hidden);
		/** @type {Assumed} */
		const assumed = {
			...assumedIn(new URLSearchParams({ as: this.model.value, ttl: this.ttl.value, breakpoints: this.places.value })),
			...(hidden === undefined ? {} : { hidden }),
		};
		if (input !== undefined || output !== undefined) {
			const { read, write5m, write1h } = known; // permille of the input's price
			assumed.prices = { input: input ?? known.input, output: output ?? known.output, read, write5m, write1h };
		}
		return assumed;
	}

	/** @param {string} own the session's own model @param {Assumed} assumed @param {Report | null} base */
	show(own, assumed, base) {
		if (this.model.dataset.for !== own) {
			this.model.dataset.for = own;
			fill(
				this.model,
				h("option", { value: "" }, own ? `the session’s own: ${own}` : "the session’s own (not named)"),
				...MODELS.map((name) => h("option", { value: name }, name)),
			);
		}
		this.model.value = assumed.model ?? "";
		this.ttl.value = assumed.ttl ?? "";
		this.places.value = assumed.breakpoints ?? "";
		put(this.hidden, assumed.hidden);
		put(this.input, assumed.prices && assumed.prices.input / 1000);
		put(this.output, assumed.prices && assumed.prices.output / 1000);
		if (!base) return;
		this.price = base.price;
		this.hidden.placeholder = String(base.hidden);
		this.input.placeholder = String(base.price.input / 1000);
		this.output.placeholder = String(base.price.output / 1000);
	}
}

/** Shows a value, but not in the field that the user is in. @param {HTMLInputElement} field @param {number} [value] */
function put(field, value) {
	if (field === document.activeElement || field.getAttribute("aria-invalid") === "true") return;
	field.value = value === undefined ? "" : String(value);
}

/** A price in dollars as the engine's. @param {HTMLInputElement} field */
function dollarsOf(field) {
	const price = field.value ? whole(String(Math.round(Number(field.value) * 1000)), MAX_PRICE) : undefined;
	mark(field, price);
	return price;
}

/** @param {HTMLInputElement} field @param {number | undefined} value */
function mark(field, value) {
	const wrong = value === undefined && (field.value !== "" || field.validity.badInput);
	if (wrong) field.setAttribute("aria-invalid", "true");
	else field.removeAttribute("aria-invalid");
}
