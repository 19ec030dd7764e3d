// This file lists the violations of a provider's rules with their places, and offers the repair.

import { byId, fill, h } from "../ui/dom.js";
import { formatName, grouped, plural, sentence } from "../ui/words.js";

/** @import { Problem } from "../engine/types.js" */

const SHOWN = 100; // a session with more problems than this has a common cause

export class Problems {
	/** @param {{jump: (path: string) => void, repair: () => void}} acts */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("problems");
		this.title = byId("problems-title");
		this.note = byId("problems-note");
		this.list = byId("problems-list");
		this.button = byId("repair");
		this.button.addEventListener("click", () => acts.repair());
		/** @type {Problem[] | null} the problems that the last repair removed, until the next session */
		this.repaired = null;
	}

	/** @param {import("../engine/types.js").Inspection} inspection */
	show({ problems, format, warnings }) {
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
			this.repaired ? `Repaired ${plural(this.repaired.length, "problem")}: ${summary(this.repaired)}. ` : "",
			problems.length === 0 ? valid : refused,
		);
		this.repaired = null;
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
				{ on: { click: () => this.acts.jump(problem.path) } },
				h("span.what", sentence(problem.message)),
				h("span.rule", problem.rule),
				h("code.path", problem.path || "/"),
			),
			problem.providerError ? h("p.says", "The API says: ", h("q", problem.providerError)) : null,
			problem.repair ? h("p.repair-text", `Repair: ${problem.repair}`) : null,
		);
	}

	/** Reports the repaired problems when the repaired session is shown. @param {Problem[]} repaired */
	report(repaired) {
		this.repaired = repaired;
	}

	/** @param {import("../engine/types.js").Failure} failure */
	fail(failure) {
		fill(this.note, sentence(failure.message));
	}
}

/** @param {Problem[]} problems */
function summary(problems) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const { repair, rule } of problems) counts.set(repair || rule, (counts.get(repair || rule) ?? 0) + 1);
	return [...counts].map(([what, n]) => (n > 1 ? `${what} (${n} times)` : what)).join("; ");
}
