// This file is the policy form: the presets, and the parameters of the chosen preset as controls. The engine describes
// the parameters.

import { byId, fill, h } from "../ui/dom.js";
import { FOCUS, policyQuery, readHash, THINKING, writeHash } from "../session/hash.js";
import { control, fromText, tidy } from "./param.js";
import { triggerWords } from "./trigger.js";
import { unbroken } from "../ui/unbroken.js";
import { number, sentence } from "../ui/words.js";

/** @import { Preset, Param, PolicyPatch } from "../engine/types.js" */
/** @import { Values, Thinking } from "../session/hash.js" */
/** Presets that are shown first, each with its result on the session. */
export const RECOMMENDED = ["balanced", "prune", "hierarchical"];

/**
 * @typedef {{preset: string, set: [string, Values][], force: import("../session/hash.js").Force, focus: string,
 *   thinking: Thinking, counter?: string, blocks?: [string, import("../blocks/choices.js").Choice][]}} Chosen the choices of the user, as stored in the history
 */

export class PolicyForm {
	/**
	 * @param {(what: string, merge: string) => void} changed what: the change, in words; merge: successive changes of
	 *   this name are one step
	 */
	constructor(changed) {
		this.changed = changed;
		/** @type {import("../session/hash.js").Force} */
		this.force = readHash().force;
		this.switch = byId("force");
		this.focus = readHash().focus;
		this.focusField = byId("focus");
		this.focusField.maxLength = FOCUS;
		this.focusField.addEventListener("input", () => {
			this.focus = this.focusField.value.trim();
			this.commit("what to preserve", "focus");
		});
		this.thinking = readHash().thinking;
		this.thinkingField = byId("thinking");
		this.thinkingField.addEventListener("change", () => {
			this.thinking = THINKING.find((name) => name === this.thinkingField.value) ?? "";
			this.commit("bound thinking");
		});
		this.switch.addEventListener("change", () => this.compactNow(this.switch.checked));
		/** @type {Preset[]} */
		this.presets = [];
		/** @type {Map<string, string>} */
		this.results = new Map();
		this.preset = readHash().preset;
		/** The changed values of each preset, kept while another preset is chosen. @type {Map<string, Values>} */
		this.set = new Map();
		/** Tools of the session by tokens, as suggestions. @type {string[]} */
		this.tools = [];
		this.tuning = byId("tuning");
		this.window = 0; // of the last inspection, in tokens
		this.advised = ""; // the preset that is advised for the session
		byId("advice-take").addEventListener("click", () => this.radio(this.advised)?.click());
		/** Whether the parameters are to be drawn when they are opened. */
		this.paramsWait = false;
		// On a phone the open parameters would push the blocks below the first screen.
		if (matchMedia("(width < 900px)").matches) this.tuning.open = false;
		this.tuning.addEventListener("toggle", () => this.paramsWait && this.drawParams());
		this.reset = byId("defaults");
		this.reset.addEventListener("click", () => {
			this.set.delete(this.preset);
			this.draw();
			this.commit("reset to defaults");
		});
		// On a phone the policy is below the data: a button shows it over them.
		this.opener = byId("policy-open");
		this.opener.addEventListener("click", () => this.sheet(this.opener.getAttribute("aria-expanded") !== "true"));
		byId("policy").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
			if (event.key !== "Escape" || this.opener.getAttribute("aria-expanded") !== "true") return;
			this.sheet(false);
			this.opener.focus();
		});
		addEventListener("hashchange", () => {
			this.recall();
			this.draw();
			this.changed("the policy of a link", "");
		});
	}

	/**
	 * Says that the page shows a compaction although the trigger has not fired, and what the trigger waits for.
	 * @param {boolean} assumed
	 * @param {import("../engine/types.js").Trigger} waiting
	 */
	assume(assumed, waiting) {
		if (this.force !== "auto") return;
		this.switch.checked = assumed;
		if (assumed)
			byId("trigger").textContent = `${triggerWords(waiting, this.whole()).text}. Shown as if you compacted now.`;
	}

	/** @param {boolean} on */
	compactNow(on) {
		this.force = this.switch.checked = on;
		this.commit(`compact now ${on ? "on" : "off"}`);
	}

	/**
	 * Says which trigger fired, or which one is waited for, with size and limit.
	 * @param {import("../engine/types.js").Trigger} trigger
	 */
	trigger(trigger) {
		const { text, share } = triggerWords(trigger, this.whole());
		byId("trigger").textContent = `${text}.`;
		const bar = byId("trigger-share");
		bar.hidden = share === null;
		bar.firstElementChild.style.width = `${Math.round((share ?? 0) * 1000) / 10}%`;
		bar.dataset.fired = String(trigger.kind !== "none" && trigger.kind !== "every_turn");
	}

	/** @param {Preset[]} presets */
	offer(presets) {
		this.presets = presets;
		this.recall();
		this.draw();
	}

	/** Reads the policy from the URL. Unknown names and bad values are ignored. */
	recall() {
		const { preset, values, force, focus, thinking } = readHash();
		this.force = force;
		this.focus = this.focusField.value = focus;
		this.thinking = this.thinkingField.value = thinking;
		this.switch.checked = force === true;
		const chosen = this.presets.find((p) => p.name === preset) ?? this.presets[0];
		if (!chosen) return;
		this.preset = chosen.name;
		/** @type {Values} */
		const known = {};
		for (const param of chosen.params) {
			if (!(param.path in values)) continue;
			const value = fromText(param, values[param.path]);
			if (value !== undefined) known[param.path] = value;
		}
		this.set.set(chosen.name, known);
		if (Object.keys(known).length > 0) this.tuning.open = true;
	}

	/** The changes in the form of the engine. @returns {PolicyPatch} */
	patch(preset = this.preset) {
		/** @type {any} */
		const patch = {};
		for (const [path, value] of Object.entries(this.values(preset))) {
			const keys = path.split(".");
			const last = /** @type {string} */ (keys.pop());
			let at = patch;
			for (const key of keys) at = at[key] ??= {};
			at[last] = value;
		}
		return patch;
	}

	values(preset = this.preset) {
		return this.set.get(preset) ?? {};
	}

	/** The complete policy: the preset's values with the changes. @returns {any} */
	whole() {
		/** @type {any} */
		const policy = structuredClone(this.presets.find((p) => p.name === this.preset)?.policy ?? {});
		for (const [part, values] of Object.entries(this.patch())) policy[part] = { ...policy[part], ...values };
		return policy;
	}

	/** @param {import("../blocks/rows.js").Row[]} rows */
	accept(rows) {
		byId("policy-error").replaceChildren();
		/** @type {Map<string, number>} */
		const sums = new Map();
		for (const { block } of rows)
			if (block.kind === "tool_result" && block.tool) sums.set(block.tool, (sums.get(block.tool) ?? 0) + block.tokens);
		const tools = [...sums].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
		if (tools.join() === this.tools.join()) return;
		this.tools = tools;
		this.drawParams();
	}

	/** @param {import("../engine/types.js").Failure} failure */
	fail(failure) {
		fill(byId("policy-error"), h("p", sentence(failure.message)));
		this.tuning.open = true;
		if (this.paramsWait) this.drawParams();
		const field = document.getElementById(`param-${failure.path.split("/").filter(Boolean).slice(-2).join("-")}`);
		field?.setAttribute("aria-invalid", "true");
	}

	draw() {
		const first = this.presets.filter(({ name }) => RECOMMENDED.includes(name));
		const others = this.presets.filter(({ name }) => !RECOMMENDED.includes(name));
		fill(
			byId("presets"),
			...first.map((preset) => this.radioOf(preset, true)),
			h(
				"details.more-presets",
				{ id: "more-presets", open: others.some(({ name }) => name === this.preset) },
				h("summary", "More presets"),
				h("div.presets", ...others.map((preset) => this.radioOf(preset, false))),
			),
		);
		this.drawResults();
		this.markAdvised();
		this.about(this.preset);
		this.drawParams();
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
				checked: name === this.preset,
				"aria-labelledby": `title-${name}`,
				"aria-describedby": recommended ? `result-${name} preset-about` : "preset-about",
				on: { change: () => this.choose(name) },
			}),
			h(
				"span.title",
				h("span", { id: `title-${name}` }, title),
				" ",
				h("span.advised", { id: `advised-${name}`, hidden: name !== this.advised }, "advised"),
			),
			recommended ? h("span.result", { id: `result-${name}` }) : null,
		);
	}

	/**
	 * Shows what the recommended presets do to this session.
	 * @param {Map<string, string>} results by the preset's name
	 */
	showResults(results) {
		this.results = results;
		this.drawResults();
	}

	drawResults() {
		for (const name of RECOMMENDED) {
			const place = document.getElementById(`result-${name}`);
			const text = this.results.get(name) ?? "";
			if (place && place.textContent !== text) fill(place, ...unbroken(text));
		}
	}

	/**
	 * Says which preset is advised for the session, and why, and marks it; a button takes it.
	 * @param {{name: string, title: string, why: string}} advised name: "" until it is known, "none" for no compaction
	 */
	advise({ name, title, why }) {
		this.advised = name;
		const says = byId("advice-says");
		const text = why ? `Advised for this session: ${title} – ${why}.` : "";
		if (says.textContent !== text) fill(says, ...unbroken(text));
		byId("advice-take").textContent = `Use ${title}`;
		byId("advice").hidden = !text;
		this.markAdvised();
	}

	/** @param {boolean} open */
	sheet(open) {
		this.opener.setAttribute("aria-expanded", String(open));
		byId("workspace").dataset.sheet = String(open);
		this.nameOpener();
		if (open) this.radio(this.preset)?.focus();
	}

	nameOpener() {
		const title = this.presets.find(({ name }) => name === this.preset)?.title ?? "";
		this.opener.textContent = this.opener.getAttribute("aria-expanded") === "true" ? "Close" : `Policy: ${title}`;
	}

	markAdvised() {
		this.nameOpener();
		const isPreset = this.presets.some(({ name }) => name === this.advised);
		byId("advice-take").hidden = !isPreset || this.advised === this.preset;
		for (const { name } of this.presets) {
			const tag = document.getElementById(`advised-${name}`);
			if (tag) tag.hidden = name !== this.advised;
		}
	}

	/** @param {string} name of the preset chosen, or pointed at */
	about(name) {
		const description = this.presets.find((p) => p.name === name)?.description ?? "";
		byId("preset-about").textContent = description && `${description} In commands and code: ${name}.`;
	}

	drawParams() {
		this.paramsWait = !this.tuning.open;
		if (this.paramsWait) return;
		const preset = this.presets.find((p) => p.name === this.preset);
		const values = this.values();
		fill(
			byId("params"),
			...(preset?.params ?? []).map((param) => {
				const normal = lookUp(preset?.policy, param.path);
				return control({
					param,
					normal,
					value: values[param.path] ?? normal,
					tools: this.tools,
					change: (value) => this.put(param, value, normal),
				});
			}),
		);
		this.drawWindow();
		this.reset.disabled = Object.keys(values).length === 0;
	}

	/** @param {string} name */
	choose(name) {
		this.preset = name;
		if (!RECOMMENDED.includes(name)) byId("more-presets").open = true;
		this.markAdvised();
		this.about(name);
		this.drawParams();
		this.commit(`preset ${this.presets.find((p) => p.name === name)?.title ?? name}`, "preset");
	}

	/** @returns {Chosen} */
	chosen() {
		return {
			preset: this.preset,
			set: [...this.set].filter(([, values]) => Object.keys(values).length > 0),
			force: this.force,
			focus: this.focus,
			thinking: this.thinking,
		};
	}

	/**
	 * Shows the model's window, and the choice for thinking if it has an effect.
	 * @param {import("../engine/types.js").Inspection} seen
	 */
	ofModel({ bindsThinking, window }) {
		byId("thinking-choice").hidden = !bindsThinking;
		this.window = window;
		this.drawWindow();
	}

	/** Says how large the window is if the policy does not set one. */
	drawWindow() {
		const place = document.getElementById("param-trigger-window-now");
		if (!place) return;
		const own = this.window > 0 && !this.whole().trigger.window;
		place.textContent = own ? ` The model’s own has ${number(this.window)} tokens.` : "";
	}

	/** Sets the choices without calling changed; the focus stays where it is. @param {Chosen} chosen */
	restore({ preset, set, force, focus, thinking }) {
		const { activeElement } = document;
		this.preset = preset;
		this.set = new Map(set);
		this.force = force;
		this.switch.checked = force === true;
		this.focus = this.focusField.value = focus;
		this.thinking = this.thinkingField.value = thinking;
		this.draw();
		if (activeElement instanceof HTMLInputElement && activeElement.name === "preset") this.radio(preset)?.focus();
		else if (activeElement?.id.startsWith("param-")) document.getElementById(activeElement.id)?.focus();
		this.write();
	}

	/** @param {string} preset @returns {HTMLInputElement | null} */
	radio(preset) {
		return byId("presets").querySelector(`input[value="${preset}"]`);
	}

	/** Puts the policy into the address. */
	write() {
		if (this.presets.length === 0) return; // the policy of the address is not read yet
		writeHash(this.preset, this.values(), this.force, this.focus, this.thinking);
	}

	/** The policy as URL parameters. */
	query() {
		return policyQuery(this.preset, this.values(), this.force, this.focus, this.thinking);
	}

	/**
	 * @param {Param} param
	 * @param {unknown} value
	 * @param {unknown} normal
	 */
	put(param, value, normal) {
		const values = { ...this.values() };
		if (JSON.stringify(tidy(value)) === JSON.stringify(tidy(normal))) delete values[param.path];
		else values[param.path] = value;
		this.set.set(this.preset, values);
		this.reset.disabled = Object.keys(values).length === 0;
		this.commit(param.label, param.path);
	}

	/** @param {string} what @param {string} [merge] */
	commit(what, merge = "") {
		this.write();
		this.changed(what, merge);
	}
}

/**
 * @param {any} policy
 * @param {string} path
 */
function lookUp(policy, path) {
	return path.split(".").reduce((at, key) => at?.[key], policy);
}
