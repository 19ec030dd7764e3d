// This file lets the user choose the light or the dark theme instead of the system's.

import { byId } from "./dom.js";

const THEMES = ["system", "light", "dark"];

/** @param {() => void} changed called after each change of colors, to repaint the canvas */
export function startTheme(changed) {
	const button = byId("theme");
	let theme = recall();
	const put = () => {
		if (theme === "system") delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = theme;
		button.textContent = `Theme: ${theme}`;
		changed();
	};
	button.addEventListener("click", () => {
		theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
		try {
			localStorage.setItem("tamp-theme", theme);
		} catch {
			// Storage may be forbidden; the choice then lasts as long as the page.
		}
		put();
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
	put();
}

function recall() {
	try {
		const kept = localStorage.getItem("tamp-theme") ?? "system";
		return THEMES.includes(kept) ? kept : "system";
	} catch {
		return "system";
	}
}
