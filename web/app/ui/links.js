// This file shows the links of the project, and starts over when the name of the page is clicked.

import { byId, fill, h } from "./dom.js";
import { LINKS } from "../project.js";

/** @param {() => void} leave called before the page is opened without a session */
export function startLinks(leave) {
	const known = LINKS.filter(({ address }) => address !== "");
	fill(byId("links"), ...known.map(({ title, address }) => h("a", { href: address }, title)));
	document.querySelector(".brand")?.addEventListener("click", leave);
}
