// This file holds the addresses of the project. An empty address is not decided yet: its link is not shown.

/** @type {{title: string, address: string}[]} */
export const LINKS = [
	{ title: "How it works", address: "how.html" },
	{ title: "Source", address: "" },
	{ title: "Package", address: "" },
];
