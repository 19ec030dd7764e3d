// This file makes elements. Rule of the page: user input is inserted as text, never as markup, so nothing here parses
// HTML.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. `on` holds listeners; other keys are attributes, where true means present and false or null absent.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown> & {on?: Record<string, (event: any) => void>}} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name === "on") {
			for (const [type, listen] of Object.entries(attributes.on ?? {})) element.addEventListener(type, listen);
		} else if (value === true) element.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
	}
	element.append(...present(children));
	return element;
}

/** @param {Child[]} children */
function present(children) {
	return children
		.filter((child) => child !== null && child !== undefined && child !== false)
		.map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * The element of the page with this id. It is part of index.html, so a missing element is a bug of the page.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`index.html has no #${id}`);
	return element;
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
	parent.replaceChildren(...present(children));
}
