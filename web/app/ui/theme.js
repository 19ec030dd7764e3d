// This file lets the user choose the light or the dark theme instead of the system's.

import { byId } from "./dom.js";
import { keepIn, keptIn } from "./storage.js";

const KEY = "tamp-theme";
const THEMES = ["system", "light", "dark"];

/** @param {() => void} changed called after each change of colors, to repaint the canvas */
export function startTheme(changed) {
	const button = byId("theme");
	let theme = THEMES.find((name) => name === keptIn(KEY, "localStorage")) ?? "system";
	const put = () => {
		if (theme === "system") delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = theme;
		button.textContent = `Theme: ${theme}`;
		changed();
	};
	button.addEventListener("click", () => {
		theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
		keepIn(KEY, theme, "localStorage");
		put();
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
	put();
}
