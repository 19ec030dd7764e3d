// This file stores the newest sessions in IndexedDB, within a limit, if the user turned this on.
// The list and the contents are separate object stores, so that showing the list reads no session.

/** @typedef {{id: string, name: string, format: string, bytes: number, at: number}} Kept at: milliseconds since 1970 */

const MAX_SESSIONS = 20;
const MAX_TOTAL_BYTES = 50_000_000; // bytes of all together
export const MAX_SESSION_BYTES = 25_000_000; // bytes of one

const NAME = "tamp";
const STORES = ["about", "bytes"];

/** @returns {Promise<SessionStore>} @throws if the browser allows no storage, as in private windows */
export async function openSessionStore() {
	const request = indexedDB.open(NAME, 1);
	request.onupgradeneeded = () => {
		request.result.createObjectStore("about", { keyPath: "id" });
		request.result.createObjectStore("bytes");
	};
	return new SessionStore(await result(request));
}

export class SessionStore {
	/** @param {IDBDatabase} db */
	constructor(db) {
		this.db = db;
		// Otherwise this connection would block another tab that deletes the database.
		db.onversionchange = () => db.close();
	}

	/** @returns {Promise<Kept[]>} the newest first */
	async list() {
		/** @type {Kept[]} */
		const all = await result(this.db.transaction("about").objectStore("about").getAll());
		return all.sort((a, b) => b.at - a.at);
	}

	/**
	 * Stores a session; a stored one moves to the top. The oldest sessions beyond the limits are deleted.
	 * @param {Omit<Kept, "id">} about
	 * @param {Blob} blob
	 */
	async put(about, blob) {
		const content = await blob.arrayBuffer();
		const id = await idOf(about.name, content);
		const list = [{ ...about, id }, ...(await this.list()).filter((kept) => kept.id !== id)];
		let left = MAX_TOTAL_BYTES;
		const firstDeleted = list.findIndex((kept, i) => {
			left -= kept.bytes;
			return i >= MAX_SESSIONS || left < 0;
		});
		const change = this.db.transaction(STORES, "readwrite");
		for (const { id } of firstDeleted < 0 ? [] : list.slice(firstDeleted))
			for (const store of STORES) change.objectStore(store).delete(id);
		change.objectStore("about").put(list[0]);
		change.objectStore("bytes").put(content, id);
		await done(change);
	}

	/** @param {string} id @returns {Promise<Blob | null>} null if another tab erased it */
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

/** The id of a session: equal for equal name and content. @param {string} name @param {ArrayBuffer} content */
async function idOf(name, content) {
	// crypto.subtle exists in secure contexts only; without it, each opened session gets a new id.
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
