// This file copies a text out of its Blob.

import { toast } from "./toast.js";

/**
 * @param {Blob} text
 * @param {string} what
 */
export async function toClipboard(text, what) {
	try {
		await navigator.clipboard.writeText(await text.text());
		toast(`Copied ${what}.`);
	} catch {
		toast("The browser did not allow copying. Download the session instead.");
	}
}
