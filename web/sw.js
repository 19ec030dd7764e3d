// This file is the service worker: it keeps the files of the site, so that the page opens without a network.
// Its rules:
//  - the network comes first: what a reload shows is what the server has, and the copy is for when the server cannot be reached
//  - a copy is of one version, whole: files.json names every file with its digest, and each byte is checked against it
//  - a file that files.json names for later, a vocabulary, is kept once somebody has fetched it
//  - only files that files.json names are ever kept or answered; the API (/v1, /healthz) is none of them, and neither is a session

/** @typedef {{version: string, files: Record<string, string>, later: Record<string, string>}} Manifest files, later: SHA-256 in hex by name */
/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} Lasting */
/** @typedef {Lasting & {request: Request, respondWith: (answer: Promise<Response>) => void}} Fetching */
/** @typedef {{registration: {scope: string}, skipWaiting: () => Promise<void>, clients: {claim: () => Promise<void>}, addEventListener: (type: string, hear: (event: any) => void) => void}} Worker */

const worker = /** @type {Worker} */ (/** @type {unknown} */ (self));
const HOME = worker.registration.scope;
const LIST = `${HOME}files.json`;
const PREFIX = "tamp-files-";
const FILLING = 6; // files fetched at once
const LATER = /\.bin$/; // what the list can have for later

/** @type {Promise<void> | null} */
let filling = null;

worker.addEventListener("install", (/** @type {Lasting} */ event) => event.waitUntil(keep().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (/** @type {Lasting & {data: unknown}} */ event) => {
	if (event.data === "keep") event.waitUntil(keep().catch(() => {})); // no network: what is kept stays
});
worker.addEventListener("fetch", (/** @type {Fetching} */ event) => {
	const name = nameOf(event.request);
	if (name === null) return;
	if (!LATER.test(name)) return event.respondWith(answer(event.request, name));
	// Its body is read twice, so the copy is made before the page has begun to read.
	const both = answer(event.request, name).then((response) => [response, response.clone()]);
	event.respondWith(both.then(([given]) => given));
	event.waitUntil(both.then(([, copy]) => keepLater(name, copy)).catch(() => {}));
});

/** The name of a file of the site; null for what is not ours to answer. @param {Request} request */
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

/** Keeps a file that was wanted, if it is one of those and of the version that is kept. @param {string} name @param {Response} response */
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

/** The whole copy, where there is one: the list of its files is written last. */
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
	/** What the copy before has of a file of this digest. @param {string} name @param {string} digest */
	const kept = async (name, digest) => (before?.files[name] === digest || before?.later?.[name] === digest ? old?.match(HOME + name) : undefined);
	const fetchSome = async () => {
		for (let name = names.pop(); name !== undefined; name = names.pop()) {
			await cache.put(HOME + name, (await kept(name, files[name])) ?? (await fetched(name, files[name])));
		}
	};
	try {
		await Promise.all(Array.from({ length: FILLING }, fetchSome));
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
	const hex = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	if (hex !== digest) throw new Error(`cannot keep ${name}: it is of another version than files.json`);
	// Made anew: some hosts send index.html by way of a redirect, and browsers refuse such an answer to a visit.
	return new Response(bytes, { headers: response.headers });
}
