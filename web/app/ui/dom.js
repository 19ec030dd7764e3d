// This file makes elements. Rule of the page: user input is inserted as text, never as markup, so nothing here parses
// HTML.

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @typedef {Record<string, unknown> & {on?: Record<string, (event: any) => void>}} Attributes */
/**
 * @template {string} S
 * @typedef {S extends `${infer T}.${string}` ? ElementOf<T> : S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : never} ElementOf
 */

/**
 * Makes an element: h("p.hint", { title: "…" }, "text"). After the tag come its classes, then its attributes, if it has
 * any: `on` holds listeners; other keys are attributes, where true means present and false or null absent.
 * @template {string} S
 * @param {S} selector
 * @param {...(Child | Attributes)} rest
 * @returns {ElementOf<S>}
 */
export function h(selector, ...rest) {
	const [tag, ...classes] = selector.split(".");
	const element = document.createElement(tag);
	if (tag === "button") element.setAttribute("type", "button"); // else it submits a form
	if (classes.length > 0) element.className = classes.join(" ");
	const [first] = rest;
	const has = typeof first === "object" && first !== null && !(first instanceof Node);
	const { on = {}, ...attributes } = has ? /** @type {Attributes} */ (rest.shift()) : {};
	for (const [type, listen] of Object.entries(on)) element.addEventListener(type, listen);
	for (const [name, value] of Object.entries(attributes))
		if (value === true) element.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
	element.append(...present(/** @type {Child[]} */ (rest)));
	return /** @type {any} */ (element);
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
