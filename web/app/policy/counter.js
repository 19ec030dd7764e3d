// This file is the choice of the counter: the estimate, a rule of thumb, or an exact one, whose vocabulary is fetched
// when it is chosen. Until it is loaded, and if it cannot be loaded, the page keeps the previous counter.

import { usageText, rangeText, countText } from "./counterText.js";
import { byId, fill, h } from "../ui/dom.js";
import { counterIn, keepCounter, sessionHash } from "../session/hash.js";
import { isVocabulary, nearest, Vocabularies, VOCABULARIES } from "../engine/vocabulary.js";
import { bytes } from "../ui/words.js";

/** @import { Counting, Size } from "../engine/queries.js" */
/** @typedef {{value: string, text: string, title?: string}} Choice */

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
	/**
	 * @param {{changed: () => void, ready: () => void}} acts changed: the user chose another counter; ready: the page
	 *   must be counted again
	 */
	constructor(acts) {
		this.acts = acts;
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
		this.select.addEventListener("change", () => this.choose(this.select.value));
		/** The chosen counter. */
		this.chosen = known(counterIn(sessionHash()));
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
		/** @type {(() => void)[]} called when the state of a download changes */
		this.watchers = [];
		/** The progress of the running download in words; "" for none. */
		this.progress = "";
		/** The vocabulary that could not be loaded. */
		this.failed = "";
		this.vocabularies = new Vocabularies(({ name, done, total }) => this.showProgress(name, done, total));
		this.restore(this.chosen);
		addEventListener("hashchange", () => this.choose(known(counterIn(location.hash))));
	}

	/** The counter and its vocabularies, as part of a message to a worker. @returns {Counting} */
	counting() {
		return { counter: this.using, vocabularies: this.vocabularies.of(this.using === AUTO ? this.own : this.using) };
	}

	/** The exact counter in use; "" if it is not exact. */
	exact() {
		return isVocabulary(this.counted) && this.vocabularies.held.has(this.counted) ? this.counted : "";
	}

	/** @param {string} name */
	choose(name) {
		if (name === this.chosen) return;
		this.restore(name);
		this.acts.changed();
		if (!isVocabulary(name)) this.acts.ready();
	}

	/** Sets the chosen counter without calling changed. @param {string} name */
	restore(name) {
		this.chosen = name;
		this.select.value = name;
		keepCounter(name === ESTIMATE ? "" : name);
		this.failed = "";
		if (isVocabulary(name)) void this.fetch(name);
		else {
			this.vocabularies.stop();
			this.idle();
			this.using = name;
			if (name === AUTO && this.counted !== this.own) this.fetchOwn();
		}
	}

	/**
	 * Shows the count of the engine.
	 * @param {Size} size
	 * @param {string} [model]
	 */
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
		this.watch();
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
			this.idle();
			if (this.chosen === name || this.chosen === AUTO) this.using = this.chosen;
			if (this.using !== before || this.chosen === AUTO) this.acts.ready();
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
		this.watch();
	}

	/** @param {string} name */
	retry(name) {
		this.failed = "";
		this.select.focus(); // the focused button is about to be removed
		void this.fetch(name, true);
	}

	/** @param {string} name @param {number} done @param {number} total */
	showProgress(name, done, total) {
		const fresh = this.progress === "";
		this.progress =
			done === 0 ? `Loading ${name}` : `Loading ${name}, ${bytes(done)}${total ? ` of ${bytes(total)}` : ""}`;
		this.amount.textContent = `${this.progress}…`;
		if (total) this.bar.value = done / total;
		else this.bar.removeAttribute("value");
		if (fresh || this.state.dataset.state !== "loading" || this.state.hidden) {
			this.spoken.textContent = `Loading ${name}`;
			this.state.dataset.state = "loading";
			this.state.hidden = false;
			fill(this.state, this.bar, this.amount);
		}
		this.watch();
	}

	idle() {
		this.progress = this.spoken.textContent = "";
		this.state.hidden = true;
		this.state.dataset.state = "idle";
		fill(this.state);
		this.watch();
	}

	watch() {
		for (const look of this.watchers ?? []) look();
	}
}

/** @param {Choice} choice */
function option({ value, text }) {
	return h("option", { value }, text);
}

/** The name if this version has such a counter, else the default. @param {string} name */
function known(name) {
	return KNOWN.includes(name) ? name : ESTIMATE;
}
