// This file lists the violations of a provider's rules with their places, and offers the repair.

import { byId, fill, h } from "../ui/dom.js";
import { formatName, grouped, plural, sentence } from "../ui/words.js";

/** @import { Problem } from "../engine/types.js" */

const SHOWN = 100; // a session with more problems than this has a common cause

export class Problems {
	/** @param {import("../store.js").Store} store @param {import("./session.js").Session} session */
	constructor(store, session) {
		this.session = session;
		this.root = byId("problems");
		this.title = byId("problems-title");
		this.note = byId("problems-note");
		this.list = byId("problems-list");
		this.button = byId("repair");
		this.button.addEventListener("click", () => session.repair(true));
		store.watch(["shown", "repair"], (state) => this.show(state));
	}

	/** @param {import("../store.js").State} state */
	show({ shown, repair }) {
		if (repair?.is === "failed") return fill(this.note, sentence(repair.failure.message));
		if (!shown) return;
		const { problems, format, warnings } = shown.seen;
		const errors = problems.filter((p) => p.severity === "error").length;
		this.root.dataset.state = errors > 0 ? "error" : problems.length > 0 ? "warning" : "valid";
		this.title.textContent = problems.length > 0 ? plural(problems.length, "problem") : "No problems";
		this.button.hidden = problems.every((p) => !p.repair); // some violations have no repair that keeps the meaning
		this.button.textContent = problems.length === 1 ? "Repair it" : "Repair all";
		const valid = `The session follows every rule of its format, ${formatName(format)}.`;
		const refused =
			errors > 0
				? "The provider would refuse this session as it is."
				: "The provider accepts this session, but see the warnings below.";
		fill(
			this.note,
			repair?.is === "accepted" &&
				`Repaired ${plural(repair.problems.length, "problem")}: ${summary(repair.problems)}. `,
			problems.length === 0 ? valid : refused,
		);
		fill(
			this.list,
			...problems.slice(0, SHOWN).map((problem) => this.item(problem)),
			problems.length > SHOWN ? h("li.hint", `and ${plural(problems.length - SHOWN, "more", "more")}`) : null,
			...warnings.map((w) => h("li.severity-warning", h("p", sentence(grouped(w.message))))),
		);
	}

	/** @param {Problem} problem */
	item(problem) {
		return h(
			"li",
			{ class: `severity-${problem.severity}` },
			h(
				"button.jump",
				{ on: { click: () => this.session.jump(problem.path) } },
				h("span.what", sentence(problem.message)),
				h("span.rule", problem.rule),
				h("code.path", problem.path || "/"),
			),
			problem.providerError ? h("p.says", "The API says: ", h("q", problem.providerError)) : null,
			problem.repair ? h("p.repair-text", `Repair: ${problem.repair}`) : null,
		);
	}
}

/** @param {Problem[]} problems */
function summary(problems) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const { repair, rule } of problems) counts.set(repair || rule, (counts.get(repair || rule) ?? 0) + 1);
	return [...counts].map(([what, n]) => (n > 1 ? `${what} (${n} times)` : what)).join("; ");
}
