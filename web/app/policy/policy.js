// This file is the policy form: the presets, and the parameters of the chosen preset as controls. The engine describes
// the parameters.

import { byId, fill, h } from "../ui/dom.js";
import { FOCUS, THINKING } from "../session/address.js";
import { valuesOf, wholeOf } from "./chosen.js";
import { control, tidy } from "./param.js";
import { triggerWords } from "./trigger.js";
import { unbroken } from "../ui/unbroken.js";
import { number, sentence } from "../ui/words.js";

/** @import { Preset, Param } from "../engine/types.js" */
/** @import { State } from "../store.js" */
/** Presets that are shown first, each with its result on the session. */
export const RECOMMENDED = ["balanced", "prune", "hierarchical"];

export class PolicyForm {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.session = session;
		this.switch = byId("force");
		this.focusField = byId("focus");
		this.focusField.maxLength = FOCUS;
		this.focusField.addEventListener("input", () =>
			session.choose({ focus: this.focusField.value.trim() }, "what to preserve", "focus"),
		);
		this.thinkingField = byId("thinking");
		this.thinkingField.addEventListener("change", () => {
			const { value } = this.thinkingField;
			session.choose({ thinking: THINKING.find((name) => name === value) ?? "" }, "bound thinking");
		});
		this.switch.addEventListener("change", () => session.compactNow(this.switch.checked));
		/** Tools of the session by tokens, as suggestions. @type {string[]} */
		this.tools = [];
		this.tuning = byId("tuning");
		byId("advice-take").addEventListener("click", () => session.choosePreset(store.state.advised.name));
		/** Whether the parameters are to be drawn when they are opened. */
		this.paramsWait = false;
		/** The values that the controls of the parameters show. */
		this.drawn = "";
		// On a phone the open parameters would push the blocks below the first screen.
		if (matchMedia("(width < 900px)").matches) this.tuning.open = false;
		this.tuning.addEventListener("toggle", () => this.paramsWait && this.drawParams());
		this.reset = byId("defaults");
		this.reset.addEventListener("click", () => this.put({}, "reset to defaults"));
		// On a phone the policy is below the data: a button shows it over them.
		this.opener = byId("policy-open");
		this.isSheet = false;
		this.opener.addEventListener("click", () => this.sheet(!this.isSheet));
		byId("policy").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
			if (event.key !== "Escape" || !this.isSheet) return;
			this.sheet(false);
			this.opener.focus();
		});
		store.watch(["presets"], () => this.drawPresets());
		store.watch(["presets", "policy"], () => this.draw());
		store.watch(["trigger", "waiting", "policy"], (state) => this.trigger(state));
		store.watch(["advised"], () => this.advise());
		store.watch(["results"], () => this.drawResults());
		store.watch(["refused"], ({ refused }) => this.fail(refused));
		store.watchInPieces("shown", ({ shown }) => shown && this.accept(shown));
		this.draw();
	}

	get preset() {
		return this.store.state.policy.preset;
	}

	/** The chosen preset, once it is known. @returns {Preset | undefined} */
	get chosen() {
		return this.store.state.presets.find(({ name }) => name === this.preset);
	}

	/**
	 * Says which trigger fired, or which one is waited for, with size and limit; and, if the page shows a compaction although
	 * the trigger has not fired, what it waits for.
	 * @param {State} state
	 */
	trigger(state) {
		const { trigger, waiting, policy } = state;
		this.switch.checked = policy.force === "auto" ? waiting !== null : policy.force;
		if (!trigger || !this.chosen) return;
		const assumed = policy.force === "auto" ? waiting : null;
		const { text, share } = triggerWords(trigger, wholeOf(state));
		byId("trigger").textContent = assumed
			? `${triggerWords(assumed, wholeOf(state)).text}. Shown as if you compacted now.`
			: `${text}.`;
		const bar = byId("trigger-share");
		bar.hidden = share === null;
		bar.firstElementChild.style.width = `${Math.round((share ?? 0) * 1000) / 10}%`;
		bar.dataset.fired = String(trigger.kind !== "none" && trigger.kind !== "every_turn");
	}

	/** Shows what depends on the session: its tools, its model's window, and the choice for thinking if it has an effect. @param {import("../store.js").Shown} shown */
	accept({ laid, seen }) {
		byId("thinking-choice").hidden = !seen.bindsThinking;
		/** @type {Map<string, number>} */
		const sums = new Map();
		for (const { block } of laid.rows)
			if (block.kind === "tool_result" && block.tool) sums.set(block.tool, (sums.get(block.tool) ?? 0) + block.tokens);
		const tools = [...sums].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
		const same = tools.join() === this.tools.join();
		this.tools = tools;
		if (same) this.drawWindow();
		else this.drawParams();
	}

	/** @param {State["refused"]} failure null: none */
	fail(failure) {
		fill(byId("policy-error"), failure && h("p", sentence(failure.message)));
		if (!failure) return;
		this.tuning.open = true;
		if (this.paramsWait) this.drawParams();
		const field = document.getElementById(`param-${failure.path.split("/").filter(Boolean).slice(-2).join("-")}`);
		field?.setAttribute("aria-invalid", "true");
	}

	drawPresets() {
		const { presets } = this.store.state;
		const first = presets.filter(({ name }) => RECOMMENDED.includes(name));
		const others = presets.filter(({ name }) => !RECOMMENDED.includes(name));
		fill(
			byId("presets"),
			...first.map((preset) => this.radioOf(preset, true)),
			h(
				"details.more-presets",
				{ id: "more-presets" },
				h("summary", "More presets"),
				h("div.presets", ...others.map((preset) => this.radioOf(preset, false))),
			),
		);
		this.drawResults();
	}

	/** Shows what the user chose; the focus stays where it is. */
	draw() {
		const { focus, thinking } = this.store.state.policy;
		if (this.focusField.value.trim() !== focus) this.focusField.value = focus;
		this.thinkingField.value = thinking;
		if (!this.chosen) return;
		const radio = byId("presets").querySelector(`input[value="${this.preset}"]`);
		if (document.activeElement instanceof HTMLInputElement && document.activeElement.name === "preset") radio.focus();
		radio.checked = true;
		if (!RECOMMENDED.includes(this.preset)) byId("more-presets").open = true;
		this.markAdvised();
		this.about(this.preset);
		const values = valuesOf(this.store.state.policy);
		if (!this.drawn && Object.keys(values).length > 0) this.tuning.open = true;
		this.reset.disabled = Object.keys(values).length === 0;
		if (JSON.stringify([this.preset, values]) === this.drawn) return;
		const focused = document.activeElement?.id ?? "";
		this.drawParams();
		if (focused.startsWith("param-")) document.getElementById(focused)?.focus();
	}

	/** @param {Preset} preset @param {boolean} recommended with its result */
	radioOf({ name, title, description }, recommended) {
		return h(
			"label",
			{
				class: `preset${recommended ? " recommended" : ""}`,
				title: description,
				on: { mouseenter: () => this.about(name), mouseleave: () => this.about(this.preset) },
			},
			h("input", {
				type: "radio",
				name: "preset",
				value: name,
				"aria-labelledby": `title-${name}`,
				"aria-describedby": recommended ? `result-${name} preset-about` : "preset-about",
				on: { change: () => this.session.choosePreset(name) },
			}),
			h(
				"span.title",
				h("span", { id: `title-${name}` }, title),
				" ",
				h("span.advised", { id: `advised-${name}`, hidden: true }, "advised"),
			),
			recommended ? h("span.result", { id: `result-${name}` }) : null,
		);
	}

	drawResults() {
		for (const name of RECOMMENDED) {
			const place = document.getElementById(`result-${name}`);
			const text = this.store.state.results.get(name) ?? "";
			if (place && place.textContent !== text) fill(place, ...unbroken(text));
		}
	}

	/** Says which preset is advised for the session, and why, and marks it; a button takes it. */
	advise() {
		const { title, why } = this.store.state.advised;
		const says = byId("advice-says");
		const text = why ? `Advised for this session: ${title} – ${why}.` : "";
		if (says.textContent !== text) fill(says, ...unbroken(text));
		byId("advice-take").textContent = `Use ${title}`;
		this.markAdvised();
	}

	/** @param {boolean} open */
	sheet(open) {
		this.isSheet = open;
		this.opener.setAttribute("aria-expanded", String(open));
		byId("workspace").dataset.sheet = String(open);
		this.markAdvised();
		if (open) byId("presets").querySelector("input:checked")?.focus();
	}

	markAdvised() {
		const { presets, advised } = this.store.state;
		this.opener.textContent = this.isSheet ? "Close" : `Policy: ${this.chosen?.title ?? ""}`;
		const isPreset = presets.some(({ name }) => name === advised.name);
		byId("advice-take").hidden = !isPreset || advised.name === this.preset;
		for (const { name } of presets) byId(`advised-${name}`).hidden = name !== advised.name;
	}

	/** @param {string} of the preset chosen, or pointed at */
	about(of) {
		const description = this.store.state.presets.find(({ name }) => name === of)?.description ?? "";
		byId("preset-about").textContent = description && `${description} In commands and code: ${of}.`;
	}

	drawParams() {
		this.paramsWait = !this.tuning.open;
		const values = valuesOf(this.store.state.policy);
		this.drawn = JSON.stringify([this.preset, values]);
		if (this.paramsWait) return;
		const { params = [], policy } = this.chosen ?? {};
		fill(
			byId("params"),
			...params.map((param) => {
				const normal = lookUp(policy, param.path);
				const change = (/** @type {unknown} */ value) => this.change(param, value, normal);
				return control({ param, normal, value: values[param.path] ?? normal, tools: this.tools, change });
			}),
		);
		this.drawWindow();
	}

	/** Says how large the window is if the policy does not set one. */
	drawWindow() {
		const place = document.getElementById("param-trigger-window-now");
		if (!place) return;
		const { window = 0 } = this.store.state.seen ?? {};
		const own = window > 0 && !wholeOf(this.store.state).trigger.window;
		place.textContent = own ? ` The model’s own has ${number(window)} tokens.` : "";
	}

	/** @param {Param} param @param {unknown} value @param {unknown} normal */
	change(param, value, normal) {
		const values = { ...valuesOf(this.store.state.policy) };
		if (JSON.stringify(tidy(value)) === JSON.stringify(tidy(normal))) delete values[param.path];
		else values[param.path] = value;
		this.drawn = JSON.stringify([this.preset, values]); // its control shows it
		this.put(values, param.label, param.path);
	}

	/** @param {import("../session/address.js").Values} values @param {string} what @param {string} [merge] */
	put(values, what, merge) {
		const { [this.preset]: _, ...set } = this.store.state.policy.set;
		if (Object.keys(values).length > 0) set[this.preset] = values;
		this.session.choose({ set }, what, merge);
	}
}

/**
 * @param {any} policy
 * @param {string} path
 */
function lookUp(policy, path) {
	return path.split(".").reduce((at, key) => at?.[key], policy);
}
