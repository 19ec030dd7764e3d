// This file gives a Blob to the user as a file.

const KEPT = 60_000; // ms: the browser may still be writing a large one

/**
 * Downloads it.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
	const url = URL.createObjectURL(blob);
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
