// This file is the comparison: what the whole session would have sent and cost under up to four presets, and without
// compaction.

import { lineOf, places, sawtooth, thin } from "./chart.js";
import { dollars } from "./callText.js";
import { byId, fill, h } from "../ui/dom.js";
import { Missing } from "./missing.js";
import { bestOf, change, FIGURES } from "./metrics.js";
import { ofIt } from "./baseline.js";
import { svg } from "./svg.js";
import { unbroken } from "../ui/unbroken.js";
import { number, percent } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */
/** @import { ReplayStatus } from "./replays.js" */
/**
 * @typedef {{name: string, title: string, chosen: boolean, changed: boolean, status: ReplayStatus}} Column name: of the
 *   preset; "none" for no compaction
 */

export const MAX_PRESETS = 4;
const [WIDE, HIGH] = [120, 34]; // px, of the small pictures

export class Compare {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session @param {(call: number) => void} look shows a call with the chosen policy */
	constructor(store, session, look) {
		this.store = store;
		this.session = session;
		this.root = byId("compare");
		this.picks = "";
		this.drawn = "";
		this.missing = new Missing(look);
		store.watch(["advised"], () => this.markAdvised());
	}

	/** @param {{name: string, title: string, description: string}[]} presets @param {string[]} picked */
	offer(presets, picked) {
		const now = JSON.stringify([presets.map(({ name }) => name), picked]);
		if (now === this.picks) return;
		this.picks = now;
		const focused =
			document.activeElement instanceof HTMLInputElement && document.activeElement.name === "compare"
				? document.activeElement.value
				: "";
		fill(
			byId("compare-picks"),
			...presets.map(({ name, title, description }) => {
				const checked = picked.includes(name);
				const change = (/** @type {Event & {currentTarget: HTMLInputElement}} */ { currentTarget: box }) =>
					this.store.put({ picked: box.checked ? [...picked, name] : picked.filter((one) => one !== name) });
				return h(
					"label.compare-pick",
					{ title: description },
					h("input", {
						type: "checkbox",
						name: "compare",
						value: name,
						checked,
						disabled: !checked && picked.length >= MAX_PRESETS,
						on: { change },
					}),
					h("span", title),
				);
			}),
		);
		byId("compare-most").textContent =
			picked.length >= MAX_PRESETS ? "Four are compared, the maximum: remove one to add another." : "Up to four.";
		if (focused) byId("compare-picks").querySelector(`input[value="${focused}"]`)?.focus();
	}

	/** @param {Column[]} columns no compaction first */
	show(columns) {
		const reports = columns.map(({ status: { settled } }) => (settled && "report" in settled ? settled.report : null));
		const [base] = reports;
		const failure = columns
			.map(({ status: { settled } }) => (settled && "failure" in settled ? settled.failure : null))
			.find(Boolean);
		const done = columns.every(({ status }) => status.settled);
		const empty = base?.totals.calls === 0;
		this.root.dataset.state = empty ? "empty" : failure ? "failed" : done ? "ready" : "computing";
		const under = columns.find(({ status }) => status.running);
		const left = columns.filter(({ status }) => !status.settled).length;
		byId("compare-state").textContent = empty
			? ""
			: failure
				? `A preset cannot be replayed: ${failure.message}.`
				: done
					? `Over ${number(base?.totals.calls ?? 0)} model calls`
					: `Replaying ${under?.title ?? "the session"}, ${left} to go…`;
		const about = byId("compare-prices");
		about.textContent = base && !empty ? prices(base) : "";
		if (empty) {
			this.drawn = "";
			fill(byId("compare-table"));
			byId("compare-verdict").textContent = "No model call yet: there is nothing to compare.";
			return;
		}
		// Progress arrives many times a second; the table is drawn again only for other changes.
		const now = JSON.stringify(
			columns.map(({ name, title, chosen, changed, status }, i) => [
				name,
				title,
				chosen,
				changed,
				reports[i]?.totals,
				reports[i]?.model,
				reports[i]?.misses,
				status.settled === undefined,
			]),
		);
		if (now !== this.drawn) this.draw(columns, reports);
		const chosen = columns.findIndex((column) => column.chosen);
		this.missing.show(columns[chosen]?.title ?? "", reports[chosen] ?? null);
		this.drawn = now;
		for (const { name, status } of columns) {
			const bar = document.getElementById(`compare-bar-${name}`);
			if (!(bar instanceof HTMLProgressElement)) continue;
			if (status.of > 0) {
				bar.max = status.of;
				bar.value = status.done;
			}
			const says = bar.nextElementSibling;
			if (says)
				says.textContent = status.running
					? status.of > 0
						? `call ${number(status.done)} of ${number(status.of)}`
						: "starting…"
					: "waits";
		}
	}

	/** @param {Column[]} columns @param {(Report | null)[]} reports */
	draw(columns, reports) {
		const [base, ...others] = reports;
		const focused = document.activeElement?.id ?? "";
		const top = Math.max(
			1,
			...reports.map(
				(report) => report?.calls.reduce((max, { sent, freed = 0 }) => Math.max(max, sent + freed), 0) ?? 0,
			),
		);
		const head = columns.map(({ name, title, chosen, changed, status }, i) =>
			h(
				"th",
				{ scope: "col", "data-preset": name, "data-chosen": String(chosen) },
				name === "none"
					? h("span.compare-name", title)
					: h(
							"button.link.compare-name",
							{
								id: `compare-prefer-${name}`,
								"aria-pressed": String(chosen),
								title: chosen ? "This is the chosen policy" : `Make ${title} the chosen policy`,
								on: { click: () => this.prefer(name) },
							},
							title,
						),
				h("span.advised", { "data-of": name, hidden: name !== this.store.state.advised.name }, "advised"),
				h("span.compare-tag", [chosen && "chosen", changed && "with your changes"].filter(Boolean).join(", ") || " "),
				reports[i]
					? small(reports[i], top)
					: h(
							"span.compare-wait",
							...(status.settled
								? ["failed"]
								: [
										h("progress", { id: `compare-bar-${name}`, max: 1, value: 0, "aria-label": `Replay of ${title}` }),
										h("span.hint", "waits"),
									]),
						),
			),
		);
		fill(
			byId("compare-table"),
			h("thead", h("tr", h("td"), ...head)),
			h(
				"tbody",
				...FIGURES.map((figure) => {
					const best = bestOf(figure, others);
					const known = !(figure.name === "cost" && base && !base.priced);
					return h(
						"tr",
						{ "data-figure": figure.name },
						h("th", { scope: "row" }, h("span", figure.title), h("span.hint", figure.about)),
						...columns.map(({ name }, i) => {
							const report = reports[i];
							if (!report) return h("td.waits", { "data-preset": name }, "…");
							const note =
								i > 0 && base && figure.change
									? changeOf(figure.of(report), figure.of(base), base)
									: (figure.also?.(report) ?? "");
							const isBest = best.has(i - 1);
							return h(
								"td",
								{
									"data-preset": name,
									"data-value": figure.name === "cacheRead" ? report.totals.cacheRead : figure.of(report),
									"data-best": String(isBest),
								},
								h("span", { class: known ? "amount" : "hint" }, figure.text(report)),
								note || !isBest ? h("span.hint", note || " ") : null,
								isBest ? h("span.best", "best") : null,
							);
						}),
					);
				}),
			),
		);
		if (focused.startsWith("compare-prefer-")) document.getElementById(focused)?.focus({ preventScroll: true });
	}

	/** Makes a compared preset the chosen policy; the columns stay. @param {string} name */
	prefer(name) {
		this.store.put({ picked: JSON.parse(this.picks)[1] });
		this.session.choosePreset(name);
	}

	/** @param {string} text the verdict */
	verdict(text) {
		fill(byId("compare-verdict"), ...unbroken(text));
	}

	markAdvised() {
		const { name } = this.store.state.advised;
		for (const tag of byId("compare-table").querySelectorAll(".advised")) tag.hidden = tag.dataset.of !== name;
	}
}

/** @param {number} value @param {number} was @param {Report} base */
const changeOf = (value, was, base) => change(value, was) + (value === was ? "" : ofIt(base));

/** The line of one report; all reports share one scale. @param {Report | null} report @param {number} top */
function small(report, top) {
	const calls = report?.calls ?? [];
	const xs = places(calls, "calls").map((x) => x * WIDE);
	const points = thin(sawtooth(calls, xs, (tokens) => HIGH - 1 - (tokens / top) * (HIGH - 3)));
	return svg(
		"svg",
		{
			class: "course small",
			viewBox: `0 0 ${WIDE} ${HIGH}`,
			width: WIDE,
			height: HIGH,
			"aria-hidden": "true",
			preserveAspectRatio: "none",
		},
		svg("line", { class: "base-line", x1: 0, x2: WIDE, y1: HIGH - 0.5, y2: HIGH - 0.5 }),
		svg("path", { class: report?.preset === "none" ? "base-line" : "policy-line", d: lineOf(points) }),
	);
}

/** @param {Report} report */
function prices({ model, price, window }) {
	const writes =
		price.write5m > 0
			? `, writing to it ${percent(price.write5m)}${price.write1h !== price.write5m ? ` (for an hour ${percent(price.write1h)})` : ""}`
			: ", writing to it nothing more";
	const assumed = `${model || "The session names no model"}: assumed is the price of a mid-range model, `;
	const whose = price.assumed ? assumed : price.source ? `${model}: ` : "Your prices: ";
	const ask = price.assumed ? " Set the prices below if you know them." : "";
	const { long } = price;
	const longer =
		long && long.above < window
			? ` A call of more than ${number(long.above)} tokens costs ${long.input / 1000} times as much, its answer ${long.output / 1000} times.`
			: "";
	const source = price.source ? ` Source: ${price.source}, ${price.date}.` : "";
	return `${whose}${dollars(price.input)} for a million tokens in, ${dollars(price.output)} out; reading from the cache costs ${percent(price.read)} of that${writes}.${longer}${source}${ask}`;
}
