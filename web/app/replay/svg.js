// This file makes elements of SVG.

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Element | string | null)} children
 */
export function svg(tag, attributes, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
	element.append(...children.filter((child) => child !== null));
	return element;
}
