// This file is the choice of the counter: the estimate, a rule of thumb, or an exact one, whose vocabulary is fetched
// when it is chosen. Until it is loaded, and if it cannot be loaded, the page keeps the previous counter.

import { usageText, rangeText, countText } from "./counterText.js";
import { byId, fill, h } from "../ui/dom.js";
import { isVocabulary, nearest, Vocabularies, VOCABULARIES } from "../engine/vocabulary.js";
import { bytes } from "../ui/words.js";

/** @import { Counting, Size } from "../engine/queries.js" */
/** @typedef {{value: string, text: string, title?: string}} Choice */
/**
 * The counter in use. counted: that of the last result, with its vocabulary; certain: whether it is the exact one of the
 * model; own: the one that "auto" uses for the model, a vocabulary or the estimate; progress: of a download, in words.
 * @typedef {{counting: Counting, counted: string, learned: import("../engine/vocabulary.js").Vocabulary[], certain: boolean, own: string,
 *   progress: string}} Count
 */

const ESTIMATE = "estimate";
const AUTO = "auto";

/** @type {[string, Choice[]][]} */
const CHOICES = [
	[
		"",
		[
			{ value: ESTIMATE, text: "the estimate" },
			{ value: AUTO, text: "the model’s own" },
		],
	],
	[
		"Exact",
		VOCABULARIES.map(({ name, title, of, size }) => ({ value: name, text: `${title} · ${of}, ${bytes(size)}` })),
	],
	[
		"Rules of thumb",
		[
			{ value: "chars4", text: "characters ÷ 4" },
			{ value: "chars3", text: "characters ÷ 3" },
			{ value: "cjk", text: "characters ÷ 4, Chinese × 1.5" },
		],
	],
];
const KNOWN = CHOICES.flatMap(([, choices]) => choices.map(({ value }) => value));

export class CounterChoice {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.session = session;
		this.select = byId("counter");
		this.says = byId("counter-says");
		this.state = byId("counter-state");
		this.spoken = byId("counter-spoken");
		this.api = byId("counter-api");
		this.bar = h("progress", { max: 1, "aria-label": "Vocabulary" });
		this.amount = h("span.counter-amount");
		fill(
			this.select,
			...CHOICES.flatMap(([label, choices]) =>
				label ? h("optgroup", { label }, ...choices.map(option)) : choices.map(option),
			),
		);
		this.select.addEventListener("change", () => session.count(this.select.value));
		/** The counter in use. */
		this.using = isVocabulary(this.chosen) ? ESTIMATE : this.chosen;
		/** The counter of the last result. */
		this.counted = ESTIMATE;
		/** Whether that is the exact counter of the model. */
		this.certain = false;
		/**
		 * The counter that "auto" uses for the model of the session: a vocabulary or the estimate; the estimate also until
		 * a model is known.
		 */
		this.own = ESTIMATE;
		/** The progress of the running download in words; "" for none. */
		this.progress = "";
		/** The vocabulary that could not be loaded. */
		this.failed = "";
		this.vocabularies = new Vocabularies(({ name, done, total }) => this.showProgress(name, done, total));
		store.watch(["counter"], () => {
			this.restore();
			if (!isVocabulary(this.chosen)) session.packLater(0);
		});
		store.watch(["unlearned"], ({ unlearned }) => unlearned && this.refuse(unlearned.message));
		store.watch(["size"], ({ size, seen }) => size && this.show(size, seen?.model));
		store.watchInPieces("shown", ({ shown, counted }) => {
			if (shown) this.show({ ...shown.seen, total: (counted ?? shown.seen).before }, shown.seen.model);
		});
		this.restore();
	}

	/** The chosen counter. */
	get chosen() {
		return this.store.state.counter;
	}

	/** Starts to use the chosen counter. */
	restore() {
		const name = this.chosen;
		this.select.value = name;
		this.failed = "";
		if (isVocabulary(name)) return void this.fetch(name);
		this.vocabularies.stop();
		this.using = name;
		this.idle();
		if (name === AUTO && this.counted !== this.own) this.fetchOwn();
	}

	/** Shows the count of the engine. @param {Size} size @param {string} [model] */
	show(size, model) {
		this.says.textContent = countText(size, model ?? "", this.chosen);
		this.says.title = rangeText(size);
		const api = usageText(size);
		this.api.textContent = api;
		this.api.hidden = api === "";
		this.counted = size.counter;
		this.certain = size.exact;
		// A rule of thumb has no profile; the vocabulary of the last known profile stays.
		if (size.profile !== "bare") this.own = nearest(size.profile);
		if (this.chosen === AUTO && this.failed !== this.own && !this.vocabularies.held.has(this.own)) this.fetchOwn();
		this.put();
	}

	/** Fetches the vocabulary of the session's model, if it has a public one. */
	fetchOwn() {
		if (isVocabulary(this.own)) void this.fetch(this.own);
	}

	/** @param {string} name @param {boolean} [reload] */
	async fetch(name, reload = false) {
		try {
			const before = this.using;
			if (!(await this.vocabularies.load(name, reload))) return;
			if (this.chosen === name || this.chosen === AUTO) this.using = this.chosen;
			this.idle();
			if (this.using !== before || this.chosen === AUTO) this.session.packLater(0);
		} catch (cause) {
			this.fail(name, /** @type {Error} */ (cause).message);
		}
	}

	/** The engine refused a vocabulary. @param {string} message */
	refuse(message) {
		const name = this.using === AUTO ? this.own : this.using;
		this.vocabularies.forget(name);
		this.using = this.chosen === AUTO ? AUTO : ESTIMATE;
		this.fail(name, message.replace(/^cannot load vocabulary[^:]*: /, ""));
	}

	/** @param {string} name @param {string} message */
	fail(name, message) {
		this.progress = "";
		this.failed = name;
		const says = `${name} cannot be loaded: ${message}.`;
		this.spoken.textContent = says;
		this.state.dataset.state = "failed";
		this.state.hidden = false;
		fill(
			this.state,
			h("span", says, " The previous counter stays in use. "),
			h("button", { on: { click: () => this.retry(name) } }, "Try again"),
		);
		this.put();
	}

	/** @param {string} name */
	retry(name) {
		this.failed = "";
		this.select.focus(); // the focused button is about to be removed
		void this.fetch(name, true);
	}

	/** @param {string} name @param {number} done @param {number} total */
	showProgress(name, done, total) {
		this.progress =
			done === 0 ? `Loading ${name}` : `Loading ${name}, ${bytes(done)}${total ? ` of ${bytes(total)}` : ""}`;
		this.amount.textContent = `${this.progress}…`;
		if (total) this.bar.value = done / total;
		else this.bar.removeAttribute("value");
		if (!this.bar.isConnected) {
			this.spoken.textContent = `Loading ${name}`;
			this.state.dataset.state = "loading";
			this.state.hidden = false;
			fill(this.state, this.bar, this.amount);
		}
		this.put();
	}

	idle() {
		this.progress = this.spoken.textContent = "";
		this.state.hidden = true;
		this.state.dataset.state = "idle";
		fill(this.state);
		this.put();
	}

	/** Puts the counter in use into the state. */
	put() {
		const { using, counted, certain, own, progress, vocabularies } = this;
		const counting = { counter: using, vocabularies: vocabularies.of(using === AUTO ? own : using) };
		this.store.put({ count: { counting, counted, learned: vocabularies.of(counted), certain, own, progress } });
	}
}

/** The exact counter of the last result; "" if it is not exact. @param {Count} count */
export const exactIn = ({ counted, learned }) => (learned.length > 0 ? counted : "");

/** @param {Choice} choice */
function option({ value, text }) {
	return h("option", { value }, text);
}

/** The name if this version has such a counter, else the default. @param {string} name */
export function known(name) {
	return KNOWN.includes(name) ? name : ESTIMATE;
}
