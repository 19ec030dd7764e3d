// This file holds the addresses of the project. A release sets them (make release). The link of an empty one is not
// shown.

/** @type {{title: string, address: string}[]} */
export const LINKS = [
	{ title: "How it works", address: "how.html" },
	{ title: "Documentation", address: "" },
	{ title: "Source", address: "" },
	{ title: "Package", address: "" },
];
