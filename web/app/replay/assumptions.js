// This file is the assumptions of the replays: the model, the prices, the cache and the hidden tokens that they are
// counted with. Each is the session's own until the user sets it, and all are kept in the address.

import { byId, fill, h } from "../ui/dom.js";

/** @import { Replay as Report } from "../../npm/wire.js" */
/** @import { Ask } from "./replays.js" */
/** @typedef {Pick<Ask, "model" | "ttl" | "breakpoints" | "hidden" | "prices">} Assumed absent: the session's own */

/** The limits of the engine: hidden tokens; a price, in thousandths of a dollar for a million tokens or permille. */
export const MAX_HIDDEN = 10_000_000;
export const MAX_PRICE = 1_000_000;

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

const HIDDEN = "Tokens of each call that the session does not show: system prompt, tools, reminders";
/** Assumed without a report: the price of a mid-range model. The shares are permille of the input's price. */
const USUAL = { input: 3000, output: 15_000, read: 100, write5m: 1250, write1h: 2000 };

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

/** The fields for the cache, the hidden tokens and the prices; an empty one is the session's own. */
export class AssumedFields {
	/**
	 * @param {HTMLElement} root gets the fields
	 * @param {string} place where they are; their ids begin with it
	 * @param {() => void} change the user set one
	 */
	constructor(root, place, change) {
		const own = ["", "the session’s own"];
		this.ttl = select(`${place}-ttl`, [own, ["5m", "five minutes"], ["1h", "an hour"]]);
		this.breakpoints = select(`${place}-breakpoints`, [
			["", "where they pay"],
			["automatic", "one at the end"],
			["request", "those of the session"],
		]);
		this.hidden = amount(`${place}-hidden`, MAX_HIDDEN, "1");
		this.input = amount(`${place}-input`, MAX_PRICE / 1000, "any");
		this.output = amount(`${place}-output`, MAX_PRICE / 1000, "any");
		root.append(
			h("label", "Cache TTL ", this.ttl),
			h("label", "Breakpoints ", this.breakpoints),
			h("label", { title: HIDDEN }, "Hidden tokens ", this.hidden),
			h("label", { title: "Dollars for a million tokens, in calls of any length" }, "$ in ", this.input),
			h("label", { title: "Dollars for a million tokens of answers" }, "$ out ", this.output),
		);
		for (const field of [this.ttl, this.breakpoints, this.hidden, this.input, this.output])
			field.addEventListener("change", change);
	}

	/**
	 * The values of the fields. A number that the engine would refuse counts as not set, and its field is marked.
	 * @param {Report["price"]} [known] the prices of the session; without them a price counts only with the other
	 * @returns {Assumed}
	 */
	read(known) {
		const [input, output] = [dollarsOf(this.input), dollarsOf(this.output)];
		const hidden = whole(this.hidden.value, MAX_HIDDEN);
		mark(this.hidden, hidden);
		/** @type {Assumed} */
		const assumed = {
			...assumedIn(new URLSearchParams({ ttl: this.ttl.value, breakpoints: this.breakpoints.value })),
			...(hidden === undefined ? {} : { hidden }),
		};
		const set = known ? input !== undefined || output !== undefined : input !== undefined && output !== undefined;
		if (set) {
			const { read, write5m, write1h, ...own } = known ?? USUAL;
			assumed.prices = { input: input ?? own.input, output: output ?? own.output, read, write5m, write1h };
		}
		return assumed;
	}

	/** @param {Assumed} assumed @param {Report | null} base */
	show(assumed, base) {
		this.ttl.value = assumed.ttl ?? "";
		this.breakpoints.value = assumed.breakpoints ?? "";
		put(this.hidden, assumed.hidden);
		put(this.input, assumed.prices && assumed.prices.input / 1000);
		put(this.output, assumed.prices && assumed.prices.output / 1000);
		if (!base) return;
		this.hidden.placeholder = String(base.hidden);
		this.input.placeholder = String(base.price.input / 1000);
		this.output.placeholder = String(base.price.output / 1000);
	}
}

export class Assumptions {
	/** @param {(assumed: Assumed) => void} change the user set one */
	constructor(change) {
		this.model = byId("compare-model");
		/** The prices of the last report. @type {Report["price"] | undefined} */
		this.price = undefined;
		const changed = () => change(this.read());
		this.fields = new AssumedFields(byId("compare-count"), "compare", changed);
		this.model.addEventListener("change", changed);
	}

	/** @returns {Assumed} */
	read() {
		return { ...assumedIn(new URLSearchParams({ as: this.model.value })), ...this.fields.read(this.price ?? USUAL) };
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
		this.fields.show(assumed, base);
		if (base) this.price = base.price;
	}
}

/** @param {string} id @param {string[][]} options value and text of each */
export function select(id, options) {
	return h("select", { id }, ...options.map(([value, text]) => h("option", { value }, text)));
}

/** A field for a number. @param {string} id @param {number} max @param {string} step */
function amount(id, max, step) {
	const inputmode = step === "1" ? "numeric" : "decimal";
	return h("input", { id, type: "number", min: 0, max, step, inputmode });
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
