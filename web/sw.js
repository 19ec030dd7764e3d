// This file is the service worker: it caches the files of the site, so that the page opens without a network.
// Its rules:
//  - the network comes first: a reload shows the files of the server; the copy is used if the server cannot be reached
//  - a copy holds one complete version: files.json lists every file with its digest, and each file is checked against
// it  - a file that files.json lists under "later" (a vocabulary) is cached after its first fetch  - only files that
// files.json lists are cached or served; the API (/v1, /healthz) and sessions never are

/**
 * @typedef {{version: string, files: Record<string, string>, later: Record<string, string>}} Manifest files, later:
 *   SHA-256 in hex by name
 */
/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} Lasting */
/** @typedef {Lasting & {request: Request, respondWith: (answer: Promise<Response>) => void}} Fetching */
/**
 * @typedef {{registration: {scope: string}, skipWaiting: () => Promise<void>, clients: {claim: () => Promise<void>},
 *   addEventListener: (type: string, listener: (event: any) => void) => void}} Worker
 */

const worker = /** @type {Worker} */ (/** @type {unknown} */ (self));
const HOME = worker.registration.scope;
const LIST = `${HOME}files.json`;
const PREFIX = "tamp-files-";
const CONCURRENCY = 6; // files fetched at once
const LATER = /\.(bin|gz)$/; // names that the list may hold under "later"

/** @type {Promise<void> | null} */
let filling = null;

worker.addEventListener("install", (/** @type {Lasting} */ event) =>
	event.waitUntil(keep().then(() => worker.skipWaiting())),
);
worker.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (/** @type {Lasting & {data: unknown}} */ event) => {
	if (event.data === "keep") event.waitUntil(keep().catch(() => {})); // no network: the present copy stays
});
worker.addEventListener("fetch", (/** @type {Fetching} */ event) => {
	const name = nameOf(event.request);
	if (name === null) return;
	if (!LATER.test(name)) return event.respondWith(answer(event.request, name));
	// The body is read twice, so it is cloned before the page starts to read it.
	const both = answer(event.request, name).then((response) => [response, response.clone()]);
	event.respondWith(both.then(([given]) => given));
	event.waitUntil(both.then(([, copy]) => keepLater(name, copy)).catch(() => {}));
});

/** The name of a file of the site; null for any other request. @param {Request} request */
function nameOf({ method, url }) {
	const { origin, pathname } = new URL(url);
	const home = new URL(HOME);
	if (method !== "GET" || origin !== home.origin || !pathname.startsWith(home.pathname)) return null;
	const name = pathname.slice(home.pathname.length);
	return name === "healthz" || name === "v1" || name.startsWith("v1/") ? null : name || "index.html";
}

/** @param {Request} request @param {string} name */
async function answer(request, name) {
	try {
		return await fetch(request);
	} catch (cause) {
		const copy = await (await latest())?.match(HOME + name);
		if (copy) return copy;
		throw cause;
	}
}

/**
 * Caches a fetched file if the list of the present copy has it under "later".
 * @param {string} name
 * @param {Response} response
 */
async function keepLater(name, response) {
	const cache = await latest();
	const digest = (await manifestOf(cache))?.later[name];
	if (!cache || !digest || !response.ok || (await cache.match(HOME + name))) return;
	await cache.put(HOME + name, await checked(name, response, digest));
}

/** @param {Cache | null} cache @returns {Promise<Manifest | null>} */
async function manifestOf(cache) {
	return (await cache?.match(LIST))?.json() ?? null;
}

/** The complete copy, or null. Invariant: the list of its files is written last. */
async function latest() {
	for (const key of await caches.keys()) {
		if (!key.startsWith(PREFIX)) continue;
		const cache = await caches.open(key);
		if (await cache.match(LIST)) return cache;
	}
	return null;
}

/** Brings the copy up to date. One at a time. */
function keep() {
	filling ??= refill().finally(() => (filling = null));
	return filling;
}

async function refill() {
	const listed = await fetch(LIST, { cache: "no-cache" });
	if (!listed.ok) throw new Error(`cannot keep the site: files.json answers ${listed.status}`);
	/** @type {Manifest} */
	const { version, files, later } = await listed.clone().json();
	const old = await latest();
	const before = await manifestOf(old);
	if (before?.version === version) return;
	const key = PREFIX + version;
	const cache = await caches.open(key);
	const names = Object.keys(files);
	/** The file of this digest in the previous copy, or undefined. @param {string} name @param {string} digest */
	const kept = async (name, digest) =>
		before?.files[name] === digest || before?.later?.[name] === digest ? old?.match(HOME + name) : undefined;
	const fetchSome = async () => {
		for (let name = names.pop(); name !== undefined; name = names.pop()) {
			await cache.put(HOME + name, (await kept(name, files[name])) ?? (await fetched(name, files[name])));
		}
	};
	try {
		await Promise.all(Array.from({ length: CONCURRENCY }, fetchSome));
		for (const [name, digest] of Object.entries(later)) {
			const same = await kept(name, digest);
			if (same) await cache.put(HOME + name, same);
		}
	} catch (cause) {
		await caches.delete(key);
		throw cause;
	}
	await cache.put(LIST, listed);
	for (const other of await caches.keys()) if (other.startsWith(PREFIX) && other !== key) await caches.delete(other);
}

/** @param {string} name @param {string} digest */
async function fetched(name, digest) {
	const response = await fetch(HOME + name, { cache: "no-cache" });
	if (!response.ok) throw new Error(`cannot keep ${name}: the server answers ${response.status}`);
	return checked(name, response, digest);
}

/** @param {string} name @param {Response} response @param {string} digest */
async function checked(name, response, digest) {
	const bytes = await response.arrayBuffer();
	const hex = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
		.map((byte) => byte.toString(16).padStart(2, "0"))
		.join("");
	if (hex !== digest) throw new Error(`cannot keep ${name}: its digest differs from files.json`);
	// A new Response without the redirect flag: some hosts redirect to index.html, and browsers refuse a redirected
	// answer to a navigation.
	return new Response(bytes, { headers: response.headers });
}
