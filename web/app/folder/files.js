// This file finds the session logs in what was dropped or chosen. Only names and folders are read here; a file is read
// when its turn comes.

import { leftOut } from "./rank.js";

/** @import { Unread } from "./rank.js" */
/** @typedef {{path: string, file: () => Promise<File>}} Log path: from the dropped folder, its name included */
/**
 * @typedef {{name: string, logs: Log[], skipped: Unread[], unread: Unread[]}} Found skipped: files that are left out by
 *   their names
 */

/**
 * What a drop carries. Call it in the event: afterwards the browser has no entries.
 * @param {DataTransfer} transfer
 * @returns {(File | FileSystemEntry)[]} a folder as an entry, a file as a File
 */
export function dropped(transfer) {
	const items = [...transfer.items].filter(({ kind }) => kind === "file");
	return items
		.map((item) => {
			const entry = item.webkitGetAsEntry();
			return entry?.isDirectory ? entry : item.getAsFile();
		})
		.filter((one) => one !== null);
}

/**
 * Lists the logs in folders and files, sorted by path.
 * @param {(File | FileSystemEntry)[]} all
 * @param {AbortSignal} signal
 * @param {(found: number) => void} progress
 * @returns {Promise<Found>}
 */
export async function logsIn(all, signal, progress) {
	/** @type {Found} */
	const found = { name: nameOf(all), logs: [], skipped: [], unread: [] };
	const add = (/** @type {string} */ path, /** @type {() => Promise<File>} */ file) => {
		const reason = leftOut(path);
		if (reason) found.skipped.push({ file: path, reason });
		else found.logs.push({ path, file });
	};
	const folders = [];
	for (const one of all) {
		if (one instanceof File) add(one.webkitRelativePath || one.name, async () => one);
		else folders.push(one);
	}
	for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
		signal.throwIfAborted();
		const path = at.fullPath.replace(/^\//, "");
		try {
			for await (const entry of entriesOf(/** @type {FileSystemDirectoryEntry} */ (at))) {
				if (entry.isDirectory) folders.push(entry);
				else add(`${path}/${entry.name}`, () => fileOf(/** @type {FileSystemFileEntry} */ (entry)));
			}
		} catch (thrown) {
			found.unread.push({ file: path, reason: `cannot read the folder: ${/** @type {Error} */ (thrown).message}` });
		}
		progress(found.logs.length);
	}
	found.logs.sort((a, b) => (a.path < b.path ? -1 : 1));
	return found;
}

/** @param {FileSystemDirectoryEntry} folder @returns {AsyncGenerator<FileSystemEntry>} */
async function* entriesOf(folder) {
	const reader = folder.createReader();
	for (;;) {
		/** A part of the folder; empty at its end. @type {FileSystemEntry[]} */
		const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) return;
		yield* some;
	}
}

/** @param {FileSystemFileEntry} entry @returns {Promise<File>} */
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** @param {(File | FileSystemEntry)[]} all */
function nameOf([first, ...others]) {
	if (!first) return "an empty folder";
	if (!(first instanceof File)) return others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
	const [folder] = first.webkitRelativePath.split("/");
	return folder || `${others.length + 1} files`;
}
