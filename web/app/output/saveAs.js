// This file saves the packed or the original session in the request format of another provider, and lists what that
// format cannot hold.

import { byId, fill, h } from "../ui/dom.js";
import { bytes, formatName, nameAs, number, plural, sentence } from "../ui/words.js";
import { save } from "./download.js";

/** @import { Loss } from "../../npm/wire.js" */
/** @typedef {{what: string, became: string, paths: string[]}} Group losses of one kind, in document order */
/** @typedef {{name: string, format: string, packed: Blob, original: Blob}} Session format: of both */

/** The formats of requests, which the engine can write. */
const TARGETS = /** @type {const} */ (["anthropic", "openai-chat", "openai-responses", "gemini", "ai-sdk"]);
const MAX_LOSSES = 1000; // the engine lists no more
const MAX_PLACES = 50; // of one kind that are shown

export class SaveAs {
	/**
	 * @param {{ask: (question: import("../engine/types.js").Question) => Promise<import("../engine/queries.js").Answer>}}
	 *   acts
	 */
	constructor(acts) {
		this.acts = acts;
		this.which = byId("save-as-which");
		this.to = byId("save-as-format");
		this.button = byId("save-as-button");
		this.report = byId("save-as-report");
		/** @type {Session | null} */
		this.session = null;
		byId("save-as").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
			event.preventDefault();
			void this.convert();
		});
	}

	/** Call when the session or the policy changed: the last report is not about the new result. */
	wait() {
		this.session = null;
		this.button.disabled = true;
		fill(this.report);
	}

	/** @param {Session} session */
	show(session) {
		this.session = session;
		this.button.disabled = false;
		const others = TARGETS.filter((format) => format !== session.format);
		const chosen = this.to.value;
		fill(this.to, ...others.map((format) => h("option", { value: format }, formatName(format))));
		if (others.some((format) => format === chosen)) this.to.value = chosen;
	}

	async convert() {
		const { session } = this;
		if (!session || this.button.disabled) return;
		const to = this.to.value;
		const which = this.which.value === "original" ? "original" : "packed";
		this.button.disabled = true;
		this.say("Converting …");
		const answer = await this.acts.ask({ kind: "convert", conversation: session[which], format: session.format, to });
		if (this.session !== session) return;
		this.button.disabled = false;
		if (!("converted" in answer))
			return this.say(
				`Not saved. ${sentence("failure" in answer ? answer.failure : "there is no answer")}.`,
				"refused",
			);
		const { blob, losses } = answer.converted;
		const name = nameAs(session.name, which, to);
		save(blob, name);
		this.tell(`Saved ${name}, ${bytes(blob.size)}.`, to, losses);
	}

	/** @param {string} text @param {string} [kind] */
	say(text, kind = "") {
		fill(this.report, h("p", { class: `hint ${kind}` }, text));
	}

	/** @param {string} saved @param {string} to @param {Loss[]} losses */
	tell(saved, to, losses) {
		if (losses.length === 0) return this.say(`${saved} Nothing was lost.`);
		const count = losses.length < MAX_LOSSES ? plural(losses.length, "part") : `${number(MAX_LOSSES)} or more parts`;
		fill(
			this.report,
			h(
				"details.fold.losses",
				{ "data-testid": "losses" },
				h("summary", `${saved} ${count} of the session could not be written as ${formatName(to)}`),
				h("ul", ...grouped(losses).map(groupItem)),
			),
		);
	}
}

/** @param {Loss[]} losses @returns {Group[]} */
export function grouped(losses) {
	/** @type {Map<string, Group>} */
	const groups = new Map();
	for (const { path, what, became } of losses) {
		const key = JSON.stringify([what, became]);
		const group = groups.get(key) ?? { what, became, paths: [] };
		group.paths.push(path);
		groups.set(key, group);
	}
	return [...groups.values()];
}

/** @param {Group} group */
function groupItem({ what, became, paths }) {
	const rest = paths.length - MAX_PLACES;
	return h(
		"li",
		h("strong", what),
		` ${became === "dropped" ? "was dropped" : `became ${became}`} in ${plural(paths.length, "place")}: `,
		h("span.hint.places-lost", paths.slice(0, MAX_PLACES).join(", "), rest > 0 ? ` and ${number(rest)} more` : ""),
	);
}
