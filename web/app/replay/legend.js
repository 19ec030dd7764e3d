// This file describes the timeline in words: its legend, its progress, and its summary for screen readers.

import { causeName, CAUSES, layersOf, trackWords } from "./bands.js";
import { without } from "./baseline.js";
import { short } from "./chart.js";
import { byId, fill, h } from "../ui/dom.js";
import { number, plural, sentence } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */
/** @import { ReplayStatus } from "./replays.js" */

/** Shows the parts of the legend that depend on the session. @param {Report} report @param {Report} base */
export function showLegend(report, base) {
	const ink = (/** @type {string} */ kind) => h("span", { class: `ink ink-${kind}` });
	const seen = base.totals.peak / 200; // one that is less high is not seen in the chart
	const layers = layersOf(report)
		.filter(({ tokens }) => tokens > seen)
		.map(({ kind, name, tokens }) =>
			h(
				"li",
				{ title: `${number(tokens)} tokens ${kind === "notes" ? "at most" : "of each request"}` },
				ink(`fixed-${kind}`),
				`${name} ${short(tokens)}`,
			),
		);
	const causes = [...new Set(report.calls.flatMap(({ breaks = [] }) => breaks.map(({ cause }) => cause)))];
	const breaks = h(
		"li",
		{ title: causes.map((cause) => `${causeName(cause)}: ${CAUSES[cause]?.means ?? ""}`).join("; ") },
		ink("break"),
		`cache break${causes.length > 0 ? `: ${causes.map(causeName).join(", ")}` : ""}`,
	);
	const misses = base.cacheMisses ?? [];
	const tracks = base.others?.tracks ?? [];
	const agent = base.agent && agentWords(base.agent);
	fill(
		byId("timeline-owners"),
		...layers,
		causes.length > 0 ? breaks : null,
		misses.length > 0
			? h(
					"li",
					{ title: "What the provider said about calls whose prompt its cache did not have in whole" },
					`provider: ${misses.map(({ reason, calls }) => `${reason.replaceAll("_", " ")} (${plural(calls, "call")})`).join(", ")}`,
				)
			: null,
		tracks.length > 0
			? h(
					"li",
					{ title: tracks.slice(0, 12).map(trackWords).join("; ") },
					ink("track"),
					plural(tracks.length, "subagent or branch", "subagents and branches"),
				)
			: null,
		agent ? h("li", { title: agent.title }, agent.text) : null,
	);
}

/**
 * What the log says about its agent, which compacts by itself and may use less than the model's window.
 * @param {NonNullable<Report["agent"]>} agent
 */
function agentWords({ window, compactions }) {
	const text = [
		window && `window ${number(window)}`,
		compactions.length > 0 && plural(compactions.length, "compaction"),
	];
	const title = compactions
		.slice(0, 12)
		.map(({ name, trigger, calls = 0, before }) =>
			[`${name} after call ${number(calls)}`, trigger, before && `${number(before)} tokens before`]
				.filter(Boolean)
				.join(", "),
		);
	return { text: `The agent’s own: ${text.filter(Boolean).join(", ")}`, title: title.join("; ") };
}

/** @param {ReplayStatus} status @param {string} what */
export function progressOf({ running, done, of }, what) {
	return running && of > 0 ? `Replaying ${what}: call ${number(done)} of ${number(of)}…` : `Replaying ${what}…`;
}

/** @param {Report} base @param {Report | null} report @param {string} title */
export function summary(base, report, title) {
	const lines = [
		`window ${number(base.window)}`,
		report?.soft && `soft limit ${number(report.soft)}`,
		report?.hard && `hard limit ${number(report.hard)}`,
	]
		.filter(Boolean)
		.join(", ");
	const under = report
		? ` With ${title} it stays at or below ${number(report.totals.peak)}, with ${plural(report.totals.compactions, "compaction")}.`
		: "";
	return `Size of the context at each of ${plural(base.totals.calls, "model call")}, in tokens. ${sentence(without(base))} it grows to ${number(base.totals.peak)}.${under} ${sentence(lines)} tokens.`;
}
