// This file is the choice of the counter: the estimate, a rule of thumb, or an exact one, whose vocabulary is fetched when it is chosen.
// Until that is here, and where it cannot be had, the page goes on counting as before.

import { anchored, odds, sure } from "./counterText.js";
import { byId, fill, h } from "../ui/dom.js";
import { counterIn, keepCounter } from "../session/hash.js";
import { isVocabulary, nearest, Vocabularies, VOCABULARIES } from "../engine/vocabulary.js";
import { bytes } from "../ui/words.js";

/** @typedef {import("../engine/queries.js").Counting} Counting */
/** @typedef {import("../engine/queries.js").Size} Size */
/** @typedef {{value: string, text: string, title?: string}} Choice */

export const ESTIMATE = "estimate";
const AUTO = "auto";

/** @type {[string, Choice[]][]} */
const CHOICES = [
	["", [{ value: ESTIMATE, text: "the estimate" }, { value: AUTO, text: "the model’s own" }]],
	["Exact", VOCABULARIES.map(({ name, title, of, size }) => ({ value: name, text: `${title} · ${of}, ${bytes(size)}` }))],
	["Rules of thumb", [{ value: "chars4", text: "characters ÷ 4" }, { value: "chars3", text: "characters ÷ 3" }, { value: "cjk", text: "characters ÷ 4, Chinese × 1.5" }]],
];
const KNOWN = CHOICES.flatMap(([, choices]) => choices.map(({ value }) => value));

export class CounterChoice {
	/** @param {{changed: () => void, ready: () => void}} acts changed: someone chose another counter; ready: from now on the page is to be counted anew */
	constructor(acts) {
		this.acts = acts;
		this.select = byId("counter");
		this.says = byId("counter-says");
		this.state = byId("counter-state");
		this.spoken = byId("counter-spoken");
		this.api = byId("counter-api");
		this.bar = h("progress", { max: 1, "aria-label": "Vocabulary" });
		this.far = h("span", { class: "counter-far" });
		fill(this.select, ...CHOICES.map(([label, choices]) => (label ? h("optgroup", { label }, ...choices.map(option)) : choices.map(option))).flat());
		this.select.addEventListener("change", () => this.choose(this.select.value));
		/** What someone wants. */
		this.chosen = known(counterIn(location.hash));
		/** What the page counts with. */
		this.using = isVocabulary(this.chosen) ? ESTIMATE : this.chosen;
		/** What the engine counted with at last. */
		this.counted = ESTIMATE;
		/** Whether that is what the model itself counts. */
		this.certain = false;
		/** The counter that "auto" takes for the model of the session: a vocabulary or the estimate, which it also is until a model is known. */
		this.own = ESTIMATE;
		/** @type {(() => void)[]} who wants to know how a vocabulary comes along */
		this.watchers = [];
		/** How far the vocabulary is that is under way; "" where none is. */
		this.progress = "";
		/** The vocabulary that could not be had. */
		this.failed = "";
		this.vocabularies = new Vocabularies(({ name, done, total }) => this.tell(name, done, total));
		this.restore(this.chosen);
		addEventListener("hashchange", () => this.choose(known(counterIn(location.hash))));
	}

	/** What a message to a worker has to say of counting. @returns {Counting} */
	counting() {
		return { counter: this.using, vocabularies: this.vocabularies.of(this.using === AUTO ? this.own : this.using) };
	}

	/** The exact counter that the page counts with now; "" where it is none. */
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

	/** Puts back what was chosen, without telling anyone. @param {string} name */
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
	 * Takes what the engine counted.
	 * @param {Size} size
	 * @param {string} [model]
	 */
	show(size, model) {
		this.says.textContent = sure(size, model ?? "", this.chosen);
		this.says.title = odds(size);
		const api = anchored(size);
		this.api.textContent = api;
		this.api.hidden = api === "";
		this.counted = size.counter;
		this.certain = size.exact;
		// A rule of thumb has no profile; what is known of the model stays.
		if (size.profile !== "bare") this.own = nearest(size.profile);
		if (this.chosen === AUTO && this.failed !== this.own && !this.vocabularies.held.has(this.own)) this.fetchOwn();
		this.watch();
	}

	/** Fetches the vocabulary of the session's model, if it has a public one. */
	fetchOwn() {
		if (isVocabulary(this.own)) void this.fetch(this.own);
	}

	/** @param {string} name @param {boolean} [anew] */
	async fetch(name, anew = false) {
		try {
			const before = this.using;
			if (!(await this.vocabularies.load(name, anew))) return;
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
		fill(this.state, h("span", {}, says, " The count stays as it was. "), h("button", { type: "button", on: { click: () => this.again(name) } }, "Try again"));
		this.watch();
	}

	/** @param {string} name */
	again(name) {
		this.failed = "";
		this.select.focus(); // the button under the hand is about to go
		void this.fetch(name, true);
	}

	/** @param {string} name @param {number} done @param {number} total */
	tell(name, done, total) {
		const fresh = this.progress === "";
		this.progress = done === 0 ? `Loading ${name}` : `Loading ${name}, ${bytes(done)}${total ? ` of ${bytes(total)}` : ""}`;
		this.far.textContent = `${this.progress}…`;
		if (total) this.bar.value = done / total;
		else this.bar.removeAttribute("value");
		if (fresh || this.state.dataset.state !== "loading" || this.state.hidden) {
			this.spoken.textContent = `Loading ${name}`;
			this.state.dataset.state = "loading";
			this.state.hidden = false;
			fill(this.state, this.bar, this.far);
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

/** Of an address that names what this version does not know, the default. @param {string} name */
function known(name) {
	return KNOWN.includes(name) ? name : ESTIMATE;
}
