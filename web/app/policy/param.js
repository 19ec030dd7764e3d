// This file makes the control of one parameter, by its type.

import { h } from "../ui/dom.js";
import { number, percent } from "../ui/words.js";

/** @import { Param } from "../engine/types.js" */
/**
 * @typedef {{param: Param, normal: unknown, value: unknown, tools: string[], change: (value: unknown) => void}} Setting
 */

const TOOLS_SHOWN = 8;

/** @type {Record<string, (setting: Setting, id: string) => (Node | string)[]>} */
const MAKERS = { int: whole, bool: toggle, string: words, strings: list };

/** The minimum for the upper end of a slider, by unit. @type {Record<string, number>} */
const MIN_SLIDER_MAX = { tokens: 50_000, characters: 2000, "‰": 1000 };

/** @param {Setting} setting */
export function control(setting) {
	const { param, normal } = setting;
	const id = `param-${param.path.replaceAll(".", "-")}`;
	const root = h("div", { class: `param param-${param.type}`, "data-path": param.path });
	const mark = (/** @type {unknown} */ value) =>
		(root.dataset.changed = String(JSON.stringify(tidy(value)) !== JSON.stringify(tidy(normal))));
	mark(setting.value);
	const change = (/** @type {unknown} */ value) => {
		mark(value);
		setting.change(value);
	};
	root.append(
		h("label", { for: id }, param.label),
		...makerOf(param)({ ...setting, change }, id),
		h(
			"p.about",
			{ id: `${id}-about` },
			param.description,
			normalText(normal, param.unit),
			h("span", { id: `${id}-now` }),
		),
	);
	return root;
}

/** @param {Param} param */
function makerOf(param) {
	return (param.choices ?? []).length > 0 ? choices : (MAKERS[param.type] ?? words);
}

/** The value for comparisons: absent, null and empty values are equal. @param {unknown} value */
export function tidy(value) {
	if (value === undefined || value === null || value === "") return null;
	return Array.isArray(value) && value.length === 0 ? null : value;
}

/** Reads a value out of a URL; undefined if it is invalid. @param {Param} param @param {string} text */
export function fromText(param, text) {
	if (param.type === "bool") return text === "true" ? true : text === "false" ? false : undefined;
	if (param.type === "strings") return names(text);
	if (param.choices && param.choices.length > 0) return param.choices.includes(text) ? text : undefined;
	if (param.type === "string") return text;
	return /^-?\d{1,15}$/.test(text) ? clamp(param, Number(text)) : undefined;
}

/** @param {unknown} normal @param {string} [unit] */
function normalText(normal, unit) {
	if (typeof normal === "number")
		return ` Default ${unit === "‰" ? percent(normal) : `${number(normal)}${unit ? ` ${unit}` : ""}`}.`;
	if (typeof normal === "boolean") return ` Default ${normal ? "on" : "off"}.`;
	if (Array.isArray(normal) && normal.length > 0) return ` Default ${normal.join(", ")}.`;
	return "";
}

/** @param {Param} param @param {number} n */
function clamp(param, n) {
	return Math.min(param.max || Number.MAX_SAFE_INTEGER, Math.max(param.min ?? 0, Math.trunc(n)));
}

/**
 * A whole number: a field and a slider. Shares are permille in the policy and percent on the page. An empty field is
 * the default, at once for the slider and the policy; a value out of range is marked and not applied.
 * @param {Setting} setting
 * @param {string} id
 */
function whole({ param, normal, value, change }, id) {
	const { min = 0, unit } = param;
	const factor = unit === "‰" ? 10 : 1;
	const max = param.max || Number.MAX_SAFE_INTEGER;
	const usual = Number(normal ?? min);
	const start = Number(value ?? usual);
	const field = h("input", {
		id,
		type: "number",
		inputmode: factor === 1 ? "numeric" : "decimal",
		min: min / factor,
		max: param.max ? param.max / factor : null,
		step: 1 / factor,
		value: start / factor,
		placeholder: usual / factor,
		"aria-describedby": `${id}-about ${id}-wrong`,
	});
	// A slider over the whole range of a token count would be too coarse; it goes to four times the default.
	const sliderMax = Math.min(max, Math.max(4 * usual, MIN_SLIDER_MAX[unit ?? ""] ?? 12));
	const slider = h("input", {
		type: "range",
		min,
		max: sliderMax,
		step: sliderMax >= 20_000 ? 500 : sliderMax >= 1000 ? 20 : 1,
		value: start,
		tabindex: "-1",
		"aria-hidden": "true",
	});
	const hint = h("output.reads", { for: id }, unitName(unit));
	const wrong = h("p.wrong", { id: `${id}-wrong`, role: "alert" });
	const put = () => {
		const typed =
			field.value.trim() === "" && !field.validity.badInput ? usual : Math.round(field.valueAsNumber * factor);
		const valid = typed >= min && typed <= max;
		field.setAttribute("aria-invalid", String(!valid));
		wrong.textContent = valid ? "" : rangeText(param, factor);
		if (!valid) return;
		slider.value = String(typed);
		change(typed);
	};
	field.addEventListener("input", put);
	field.addEventListener("change", () => {
		if (field.value === "" && !field.validity.badInput) field.value = String(usual / factor);
	});
	slider.addEventListener("input", () => {
		field.value = String(Number(slider.value) / factor);
		put();
	});
	return [slider, field, hint, wrong];
}

/** @param {string} [unit] as the engine names it */
function unitName(unit = "") {
	return unit === "‰" ? "%" : unit;
}

/** @param {Param} param @param {number} factor */
function rangeText({ min = 0, max, unit }, factor) {
	const whole = factor === 1 ? "A whole number" : "A number";
	const to = max ? `from ${number(min / factor)} to ${number(max / factor)}` : `of at least ${number(min / factor)}`;
	return `${whole} ${to}${unit ? ` ${unitName(unit)}` : ""} is needed. The value before it is still used.`;
}

/** @param {Setting} setting @param {string} id */
function toggle({ value, change }, id) {
	const box = h("input", {
		id,
		type: "checkbox",
		role: "switch",
		checked: Boolean(value),
		"aria-describedby": `${id}-about`,
	});
	box.addEventListener("change", () => change(box.checked));
	return [box];
}

/** @param {Setting} setting @param {string} id */
function choices({ param, value, change }, id) {
	const field = h(
		"select",
		{ id, "aria-describedby": `${id}-about` },
		...(param.choices ?? []).map((choice) =>
			h("option", { value: choice, selected: choice === value }, choice || "none"),
		),
	);
	field.addEventListener("change", () => change(field.value));
	return [field];
}

/** @param {Setting} setting @param {string} id */
function words({ value, change }, id) {
	const field = h("input", {
		id,
		type: "text",
		value: value ?? "",
		spellcheck: "false",
		autocomplete: "off",
		"aria-describedby": `${id}-about`,
	});
	field.addEventListener("input", () => change(field.value));
	return [field];
}

/** Names, typed or picked from the tools of this session. @param {Setting} setting @param {string} id */
function list({ value, tools, change }, id) {
	const now = Array.isArray(value) ? value : [];
	const field = h("input", {
		id,
		type: "text",
		value: now.join(", "),
		spellcheck: "false",
		autocomplete: "off",
		placeholder: "none",
		"aria-describedby": `${id}-about`,
	});
	const picks = h(
		"div.picks",
		{ role: "group", "aria-label": "Tools of this session" },
		...tools
			.slice(0, TOOLS_SHOWN)
			.map((tool) =>
				h(
					"button.pick",
					{ "aria-pressed": String(now.includes(tool)), "data-tool": tool, on: { click: () => flip(tool) } },
					tool,
				),
			),
	);
	const put = () => {
		const chosen = names(field.value);
		for (const pick of picks.children)
			pick.setAttribute("aria-pressed", String(chosen.includes(pick.getAttribute("data-tool") ?? "")));
		change(chosen);
	};
	const flip = (/** @type {string} */ tool) => {
		const chosen = names(field.value);
		field.value = (chosen.includes(tool) ? chosen.filter((name) => name !== tool) : [...chosen, tool]).join(", ");
		put();
	};
	field.addEventListener("input", put);
	return [field, tools.length > 0 ? picks : ""];
}

/** @param {string} text */
function names(text) {
	return text
		.split(",")
		.map((name) => name.trim())
		.filter(Boolean);
}
