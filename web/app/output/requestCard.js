// This file shows one summary request: its messages, the prompt, who answers it, the answer, and the outcome.

import { fill, h } from "../ui/dom.js";
import { LazyText } from "../reading/lazyText.js";
import { bytes, fromTo, number, plural, sentence } from "../ui/words.js";

/** @import { Answer, Asked, Served, Settled } from "../engine/types.js" */

/** @type {Record<string, string>} */
const BY = { extract: "Summarizer", server: "This server", hand: "By hand", fail: "Fail this one" };

export class RequestCard {
	/**
	 * @param {Asked} asked
	 * @param {string} name unique on the page
	 * @param {(answer: Answer | null) => void} changed
	 */
	constructor(asked, name, changed) {
		this.asked = asked;
		this.changed = changed;
		/** The typed answer, kept when another one is chosen. */
		this.typed = "";
		/** The server's answer, kept when another one is chosen. @type {Served | undefined} */
		this.served = undefined;
		this.choices = Object.entries(BY).map(([by, label]) => {
			const input = h("input", { type: "radio", name: `by-${name}`, value: by, on: { change: () => this.choose(by) } });
			return { by, input, label: h("label.choice", input, h("span", label)) };
		});
		this.size = h("span.hint");
		this.outcome = h("p.outcome", { role: "status" });
		this.field = h("textarea", {
			rows: "8",
			spellcheck: "false",
			"aria-label": "Answer by hand",
			hidden: true,
			on: { input: () => this.type() },
		});
		this.answer = h("pre", { tabindex: "0", "aria-label": "Answer of the summarizer" });
		this.answerTitle = h("summary");
		this.answerBox = h("details.fold", this.answerTitle, this.field, this.answer);
		this.root = h(
			"li.request",
			{ "data-id": asked.id },
			h("div.request-head", h("h4", span(asked)), this.size),
			h(
				"div.choices",
				{ role: "radiogroup", "aria-label": `Who answers: ${span(asked)}` },
				...this.choices.map(({ label }) => label),
			),
			this.outcome,
			this.answerBox,
			prompt(asked),
		);
	}

	/** @param {string} by */
	choose(by) {
		if (by === "hand") {
			// The present answer is the start of the typed one.
			this.field.value = this.typed || this.asked.text;
			this.answerBox.open = true;
			this.changed({ by: "hand", text: this.field.value });
		} else if (by === "server" && this.served) this.changed({ by, ...this.served });
		else this.changed(by === "fail" ? { by } : null);
		this.draw(by);
		if (by === "hand") this.field.focus({ preventScroll: true });
	}

	type() {
		this.typed = this.field.value;
		this.changed({ by: "hand", text: this.typed });
	}

	/**
	 * @param {Asked} asked
	 * @param {Settled} [settled] the outcome of its region
	 * @param {Served} [served] the answer of a server, used or not
	 */
	show(asked, settled, served) {
		this.asked = asked;
		this.served = served;
		if (asked.by === "hand" && document.activeElement !== this.field) this.field.value = asked.text;
		this.draw(asked.by);
		this.size.textContent = ` ${number(asked.tokens)} tokens → at most ${number(asked.maxTokens)}`;
		this.root.dataset.outcome = settled?.kind ?? "keep";
		fill(this.outcome, settled ? says(asked, settled) : "");
	}

	/** @param {string} by */
	draw(by) {
		const { asked } = this;
		for (const choice of this.choices) {
			choice.input.checked = choice.by === by;
			choice.label.hidden = choice.by === "server" && !this.served;
		}
		this.field.hidden = by !== "hand";
		this.answer.hidden = by === "hand";
		this.answer.setAttribute("aria-label", by === "server" ? "Answer of the server" : "Answer of the summarizer");
		this.answerBox.hidden = by === "fail" || (by === asked.by && asked.err !== "");
		if (by !== "hand" && asked.by === by && this.answer.textContent !== asked.text)
			this.answer.textContent = asked.text;
		this.answerTitle.textContent =
			asked.by === by
				? `Answer, ${plural(asked.used, "token")}${asked.used > asked.maxTokens ? `, cut to ${number(asked.maxTokens)}` : ""}`
				: "Answer";
	}
}

/** The messages that a request is about. @param {Pick<Asked, "span" | "level">} asked */
export function span({ span: { start, end }, level }) {
	const messages = end - start === 1 ? `Message ${number(start + 1)}` : `Messages ${number(start + 1)}–${number(end)}`;
	return level === 2 ? `Merging the summaries in ${messages.toLowerCase()}` : messages;
}

/** @param {Asked} asked @param {Settled} settled */
function says(asked, { region, kind, after, reason }) {
	const parts =
		(region.requests?.length ?? 0) > 1 ? ` (with ${plural((region.requests?.length ?? 1) - 1, "other part")})` : "";
	if (kind === "summarize") return `${fromTo(region.tokens, after)} tokens${parts}. ${sentence(reason)}.`;
	const why = asked.err && asked.by !== "fail" ? `${sentence(asked.err)}. ` : "";
	const stays = kind === "failed" ? ". The region stays unchanged: the target is met without it" : "";
	return `${why}${fromTo(region.tokens, kind === "failed" ? region.tokens : after)} tokens. ${sentence(reason)}${stays}.`;
}

/** The prompt, read from its Blob when it is unfolded. @param {Asked} asked */
function prompt({ system, user }) {
	const parts = /** @type {const} */ ([
		["System prompt", system],
		["User prompt", user],
	]).map(([title, blob]) => {
		const pre = h("pre", { tabindex: "0", "aria-label": title });
		return { title, blob, pre, lazy: new LazyText(pre) };
	});
	const toggle = () => {
		if (box.open) for (const { lazy, blob } of parts) lazy.show(blob);
	};
	const box = h(
		"details.fold.prompt",
		{ on: { toggle } },
		h("summary", `Prompt, ${bytes(system.size + user.size)}`),
		...parts.flatMap(({ title, pre }) => [h("h5", title), pre]),
	);
	return box;
}
