// This file tests that the documents and the page have the same names of the presets, and the same colors of the fates.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../../wasm/npm/index.js";

const read = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

test("each preset has its title and its name in how.html and in the README", async () => {
	const presets = (await load()).presets();
	const [how, readme] = [read("how.html"), read("../README.md")];
	for (const { name, title } of presets) {
		assert.ok(how.includes(`<h2>${title} <code>${name}</code></h2>`), name);
		assert.ok(how.includes(`<a href="#${name}">${title}</a>`), name);
		assert.ok(readme.includes(`\n| ${title} \`${name}\` | `), name);
	}
});

test("the pictures of how.html have the colors of the page", () => {
	const style = read("style.css");
	for (const file of readdirSync(new URL("../how/", import.meta.url))) {
		const [light = "", dark = ""] = read(`how/${file}`).split("prefers-color-scheme:dark");
		const fates = [...light.matchAll(/\.(kept|pinned|cleared|truncated|summarized|dropped)\{fill:(#\w+)\}/g)];
		assert.ok(fates.length > 0, file);
		for (const [, fate, color] of fates) {
			const [, other] = new RegExp(`\\.${fate}\\{fill:(#\\w+)\\}`).exec(dark) ?? [];
			const name = fate === "truncated" ? "cleared" : fate;
			assert.ok(style.includes(`--${name}: light-dark(${color}, ${other});`), `${file}: ${fate}`);
		}
	}
});
