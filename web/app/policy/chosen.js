// This file computes from what the user chose: the policy for the engine, and how the session on the page is compacted.

import { given } from "../blocks/choices.js";
import { fromText } from "./param.js";

/** @import { Chosen, State } from "../store.js" */
/** @import { PolicyPatch, Preset } from "../engine/types.js" */

/** The changed values of a preset. @param {Chosen} policy */
export const valuesOf = ({ set, preset }, of = preset) => set[of] ?? {};

/** The changes in the form of the engine. @param {Chosen} policy @param {string} [of] preset @returns {PolicyPatch} */
export function patchOf(policy, of) {
	/** @type {any} */
	const patch = {};
	for (const [path, value] of Object.entries(valuesOf(policy, of))) {
		const keys = path.split(".");
		const last = /** @type {string} */ (keys.pop());
		let at = patch;
		for (const key of keys) at = at[key] ??= {};
		at[last] = value;
	}
	return patch;
}

/** The complete policy: the preset's values with the changes. @param {State} state @returns {any} */
export function wholeOf({ presets, policy }) {
	/** @type {any} */
	const whole = structuredClone(presets.find(({ name }) => name === policy.preset)?.policy ?? {});
	for (const [part, values] of Object.entries(patchOf(policy))) whole[part] = { ...whole[part], ...values };
	return whole;
}

/** The policy of an address, once the presets are known. Unknown names and bad values are ignored. @param {Chosen} policy @param {Preset[]} presets */
export function known(policy, presets) {
	const chosen = presets.find(({ name }) => name === policy.preset) ?? presets[0];
	if (!chosen) return policy;
	const texts = /** @type {Record<string, string>} */ (valuesOf(policy));
	const values = chosen.params
		.filter(({ path }) => path in texts)
		.map((param) => [param.path, fromText(param, texts[param.path])])
		.filter(([, value]) => value !== undefined);
	return { ...policy, preset: chosen.name, set: { [chosen.name]: Object.fromEntries(values) } };
}

/** How the session on the page is compacted. @param {State} state */
export function choiceOf({ policy, waiting, blocks, seen }) {
	return {
		preset: policy.preset,
		policy: patchOf(policy),
		force: policy.force === true || waiting !== null,
		focus: policy.focus,
		...given(blocks),
		...(policy.thinking && seen?.bindsThinking ? { thinking: policy.thinking } : {}),
	};
}
