// This file is the policy: the presets, and the parameters of the chosen one as controls. What each may hold comes from the engine.

import { byId, fill, h } from "./dom.js";
import { readHash, writeHash } from "./hash.js";
import { control, fromText, tidy } from "./param.js";
import { sentence } from "./words.js";

/** @typedef {import("./types.js").Preset} Preset */
/** @typedef {import("./types.js").Param} Param */
/** @typedef {import("./types.js").PolicyPatch} PolicyPatch */
/** @typedef {import("./hash.js").Values} Values */

export class PolicyForm {
	/** @param {() => void} changed */
	constructor(changed) {
		this.changed = changed;
		/** @type {Preset[]} */
		this.presets = [];
		this.preset = readHash().preset;
		/** What each preset was set to, so that trying another and coming back loses nothing. @type {Map<string, Values>} */
		this.set = new Map();
		/** Tools of the session by tokens, as suggestions. @type {string[]} */
		this.tools = [];
		// On a phone the parameters would stand between the numbers and the blocks.
		if (matchMedia("(width < 860px)").matches) byId("tuning").open = false;
		this.reset = byId("defaults");
		this.reset.addEventListener("click", () => {
			this.set.delete(this.preset);
			this.draw();
			this.tell();
		});
		addEventListener("hashchange", () => {
			this.recall();
			this.draw();
			this.changed();
		});
	}

	/** @param {Preset[]} presets */
	offer(presets) {
		this.presets = presets;
		this.recall();
		this.draw();
	}

	/** Takes the policy from the URL. Names that this version does not know are left out rather than refused. */
	recall() {
		const { preset, values } = readHash();
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
	}

	/** The changes as the engine takes them. @returns {PolicyPatch} */
	patch() {
		/** @type {any} */
		const patch = {};
		for (const [path, value] of Object.entries(this.values())) {
			const keys = path.split(".");
			const last = /** @type {string} */ (keys.pop());
			let at = patch;
			for (const key of keys) at = at[key] ??= {};
			at[last] = value;
		}
		return patch;
	}

	values() {
		return this.set.get(this.preset) ?? {};
	}

	/** @param {import("./rows.js").Row[]} rows */
	accept(rows) {
		byId("policy-error").replaceChildren();
		/** @type {Map<string, number>} */
		const sums = new Map();
		for (const { block } of rows) if (block.kind === "tool_result" && block.tool) sums.set(block.tool, (sums.get(block.tool) ?? 0) + block.tokens);
		const tools = [...sums].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
		if (tools.join() === this.tools.join()) return;
		this.tools = tools;
		this.drawParams();
	}

	/** @param {import("./types.js").Failure} failure */
	fail(failure) {
		fill(byId("policy-error"), h("p", {}, sentence(failure.message)));
	}

	draw() {
		fill(
			byId("presets"),
			...this.presets.map((preset) =>
				h(
					"label",
					{ class: "preset", title: preset.description },
					h("input", { type: "radio", name: "preset", value: preset.name, checked: preset.name === this.preset, "aria-labelledby": `title-${preset.name}`, "aria-describedby": `about-${preset.name}`, on: { change: () => this.choose(preset.name) } }),
					h("span", { class: "title", id: `title-${preset.name}` }, preset.title),
					h("span", { class: "about", id: `about-${preset.name}` }, preset.description),
				),
			),
		);
		this.drawParams();
	}

	drawParams() {
		const preset = this.presets.find((p) => p.name === this.preset);
		const values = this.values();
		fill(
			byId("params"),
			...(preset?.params ?? []).map((param) => {
				const normal = lookUp(preset?.policy, param.path);
				return control({ param, normal, value: values[param.path] ?? normal, tools: this.tools, change: (value) => this.put(param, value, normal) });
			}),
		);
		this.reset.disabled = Object.keys(values).length === 0;
	}

	/** @param {string} name */
	choose(name) {
		this.preset = name;
		this.drawParams();
		this.tell();
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
		this.tell();
	}

	tell() {
		writeHash(this.preset, this.values());
		this.changed();
	}
}

/**
 * @param {any} policy
 * @param {string} path
 */
function lookUp(policy, path) {
	return path.split(".").reduce((at, key) => at?.[key], policy);
}
