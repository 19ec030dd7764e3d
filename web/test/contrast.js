// This file measures the contrast of what a page shows.

/** Runs in the page: texts whose color is too close to their background. */
export function poorContrast() {
	const rgb = (/** @type {string} */ color) => (color.match(/[\d.]+/g) ?? []).map(Number);
	const light = (/** @type {number[]} */ c) => {
		const [r, g, b] = c
			.slice(0, 3)
			.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = (/** @type {Element | null} */ element) => {
		for (let at = element; at; at = at.parentElement) {
			const color = rgb(getComputedStyle(at).backgroundColor);
			if (color.length < 4 || color[3] > 0) return color;
		}
		return [255, 255, 255];
	};
	/** @type {string[]} */
	const poor = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		const element = node.parentElement;
		if (
			!element ||
			!node.textContent?.trim() ||
			!element.checkVisibility({ opacityProperty: true }) ||
			element.closest(":disabled, noscript, [data-stale=true]")
		)
			continue;
		const style = getComputedStyle(element);
		const [a, b] = [light(rgb(style.color)), light(ground(element))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5))
			poor.push(
				`${ratio.toFixed(2)}: ${element.className || element.id || element.tagName} "${node.textContent.trim().slice(0, 30)}"`,
			);
	}
	return [...new Set(poor)];
}
