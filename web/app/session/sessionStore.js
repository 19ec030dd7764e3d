// This file keeps sessions in the browser's own database, for people who asked for it: the newest ones, within a limit.
// The list and the contents lie apart, so that showing the list reads no session.

/** @typedef {{id: string, name: string, format: string, bytes: number, at: number}} Kept at: milliseconds since 1970 */

export const MOST = 20; // sessions
export const ROOM = 50_000_000; // bytes of all together
export const LARGEST = 25_000_000; // bytes of one

const NAME = "tamp";
const STORES = ["about", "bytes"];

/** @returns {Promise<Shelf>} @throws where the browser keeps nothing, as private windows may */
export async function openShelf() {
	const request = indexedDB.open(NAME, 1);
	request.onupgradeneeded = () => {
		request.result.createObjectStore("about", { keyPath: "id" });
		request.result.createObjectStore("bytes");
	};
	return new Shelf(await result(request));
}

export class Shelf {
	/** @param {IDBDatabase} db */
	constructor(db) {
		this.db = db;
		// Another tab that erases everything must not wait for this one.
		db.onversionchange = () => db.close();
	}

	/** @returns {Promise<Kept[]>} the newest first */
	async list() {
		/** @type {Kept[]} */
		const all = await result(this.db.transaction("about").objectStore("about").getAll());
		return all.sort((a, b) => b.at - a.at);
	}

	/**
	 * Keeps a session; one that is kept already moves to the top. The oldest make room.
	 * @param {Omit<Kept, "id">} about
	 * @param {Blob} blob
	 */
	async put(about, blob) {
		const content = await blob.arrayBuffer();
		const id = await idOf(about.name, content);
		const list = [{ ...about, id }, ...(await this.list()).filter((kept) => kept.id !== id)];
		let room = ROOM;
		const stay = list.findIndex((kept, i) => i >= MOST || (room -= kept.bytes) < 0);
		const change = this.db.transaction(STORES, "readwrite");
		for (const { id } of stay < 0 ? [] : list.slice(stay)) for (const store of STORES) change.objectStore(store).delete(id);
		change.objectStore("about").put(list[0]);
		change.objectStore("bytes").put(content, id);
		await done(change);
	}

	/** @param {string} id @returns {Promise<Blob | null>} null where another tab erased it */
	async read(id) {
		const content = await result(this.db.transaction("bytes").objectStore("bytes").get(id));
		return content ? new Blob([content]) : null;
	}

	/** @param {string} id */
	async remove(id) {
		const change = this.db.transaction(STORES, "readwrite");
		for (const store of STORES) change.objectStore(store).delete(id);
		await done(change);
	}

	async erase() {
		const change = this.db.transaction(STORES, "readwrite");
		for (const store of STORES) change.objectStore(store).clear();
		await done(change);
	}
}

/** Equal for equal sessions. @param {string} name @param {ArrayBuffer} content */
async function idOf(name, content) {
	// Browsers digest only where the page came over a safe way; elsewhere each opening is a session of its own.
	if (!crypto.subtle) return `${Date.now()} ${Math.random()}`;
	const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
	return `${name} ${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function result(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function done(transaction) {
	return new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = transaction.onerror = () => reject(transaction.error);
	});
}
