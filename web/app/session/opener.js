// This file is the ways in: a file, a text, an example, and, when the page is opened, the session of the link, the example
// that the address names, or the session of this tab before a reload. Else the page asks for one.

import { isPacked, MAX_FILE, unpacked } from "../../npm/unpack.js";
import { ROOT } from "../root.js";
import { encoded } from "../ui/encoded.js";
import { openPane } from "../ui/panes.js";
import { toast } from "../ui/toast.js";
import { sessionHash } from "./address.js";
import { showFailure, told } from "./failure.js";
import { BadLink, sessionIn, unpack } from "./link.js";
import { sessionWithin } from "./pasted.js";
import { sessionOfTab } from "./tabSession.js";

/** @import { Failure, Source } from "../engine/types.js" */
/** @typedef {{file: string, title: string, description: string, format: string, bytes: number}} Example */

const FIRST_EXAMPLE = "tour"; // long enough to cross the context window
const SEARCHED = 50_000_000; // bytes of a text in which a session is looked for

export class Opener {
	/** @param {import("./session.js").Session} session */
	constructor(session) {
		this.session = session;
		this.key = 0;
		/** Cancels the example that is being loaded. @type {AbortController | null} */
		this.loading = null;
		/** The examples; none if their list cannot be loaded. @type {Promise<Example[]>} */
		this.examples = fetched("index.json")
			.then((response) => response.json())
			.catch(() => []);
	}

	nextKey() {
		return ++this.key;
	}

	/** Opens a file; one that its agent has compressed is unpacked here. @param {File} file */
	async file(file) {
		const [key, name] = [this.nextKey(), file.name || "session"];
		/** @type {Source} */
		const source = { key, name, blob: file, origin: "file" };
		const head = await file
			.slice(0, 4)
			.arrayBuffer()
			.catch(() => new ArrayBuffer(0)); // the engine says the reason
		try {
			if (isPacked(new Uint8Array(head))) {
				const content = await unpacked(new Uint8Array(await file.arrayBuffer()), MAX_FILE);
				source.blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (content)]);
				source.name = name.replace(/\.zst$/, "");
			}
		} catch (thrown) {
			this.session.setSource(source);
			return this.refuse({ code: "packed", path: "", message: /** @type {Error} */ (thrown).message });
		}
		if (key === this.key) this.session.open(source);
	}

	/** @param {string} name @param {string} text */
	async text(name, text) {
		const key = this.nextKey();
		const blob = await encoded(text);
		if (key === this.key) this.session.open({ key, name, blob, origin: "paste" });
		else toast(`The ${name} was not opened, since you opened or typed another one.`);
	}

	/** Opens the long example, from the start. */
	firstExample() {
		openPane(this.session.store, "timeline");
		return this.named(FIRST_EXAMPLE);
	}

	/** Opens the example that a link names, if there is one. @param {string} name of its file, without the extension */
	async named(name) {
		const known = await this.examples;
		const found = known.find(({ file }) => file.replace(/\..*$/, "") === name);
		if (found) return this.example(found.file);
		if (known.length > 0)
			toast(`There is no example “${name.slice(0, 40)}”. The link may be old: choose one of the list.`);
	}

	/** Opens an example. A packed one is unpacked here, since the server sends it as it is. @param {string} file */
	async example(file) {
		const { store } = this.session;
		const before = store.state.example;
		// The address names it at once, and the bar shows how much of it has come.
		store.put({ example: file.replace(/\..*$/, ""), work: { is: "running", size: 0 } });
		this.loading?.abort();
		const mine = new AbortController();
		this.loading = mine;
		try {
			const of = (await this.examples).find((one) => one.file === file)?.bytes ?? 0;
			let bytes = 0;
			const come = (/** @type {number} */ more) => {
				bytes += more;
				store.put({ loads: { ...store.state.loads, example: { name: "the example", bytes, of } } });
			};
			come(0);
			const count = new TransformStream({
				transform(part, next) {
					come(part.length);
					next.enqueue(part);
				},
			});
			const { body } = await fetched(file, mine.signal);
			const came = body?.pipeThrough(count);
			const unpacked = file.endsWith(".gz") ? came?.pipeThrough(new DecompressionStream("gzip")) : came;
			const blob = await new Response(unpacked).blob();
			const name = file.replace(/\.gz$/, "");
			this.session.open({ key: this.nextKey(), name, blob, origin: "example", example: file });
		} catch (cause) {
			store.put({ work: { is: "idle", size: 0 } });
			if (mine.signal.aborted) return store.put({ example: before });
			const { message } = /** @type {Error} */ (cause);
			void this.refuse({ code: "offline", path: "", message: `cannot load ${file}: ${message}` });
		} finally {
			if (this.loading === mine) this.loading = null;
		}
	}

	/** Opens the session within the text, if one is found; else the failure is shown. @param {Failure} failure */
	async refuse(failure) {
		const { session } = this;
		const { source } = session.state;
		if (source && canSearch(source, failure)) {
			const found = sessionWithin(await source.blob.text());
			if (session.state.source !== source) return;
			if (found) {
				const { name, origin } = source;
				session.take({ key: this.nextKey(), name, blob: new Blob([found.text]), origin, was: found.was });
				return session.history.amend();
			}
		}
		const start = await source?.blob
			.slice(0, 64)
			.arrayBuffer()
			.catch(() => undefined);
		if (session.state.source === source)
			session.store.put({ unread: told(failure, String.fromCharCode(...new Uint8Array(start ?? []))) });
	}

	/** Opens what the address names: at first, and when it has changed. @param {boolean} first */
	async address(first) {
		const { session } = this;
		const { example, source } = session.state;
		session.returning = true;
		try {
			await this.link();
			if (session.state.source !== source) return;
			if (example && example !== source?.example?.replace(/\..*$/, "")) return await this.named(example);
			const kept = first ? await sessionOfTab() : null;
			if (kept && !session.state.source) session.open({ key: this.nextKey(), ...kept, origin: "tab" });
		} finally {
			session.returning = false;
		}
	}

	/** Opens the session in the address, if it has one. */
	async link() {
		const { session } = this;
		const found = sessionIn(sessionHash());
		if (!found || found.text === session.state.source?.link) return;
		try {
			const blob = await unpack(found.text);
			session.open({ key: this.nextKey(), name: found.name, blob, origin: "link", link: found.text });
		} catch (cause) {
			const why = cause instanceof BadLink ? cause.message : "this browser cannot unpack it";
			showFailure({ code: "bad_link", path: "", message: `cannot open the session of this link: ${why}` });
		}
	}
}

/** @param {Source} source @param {Failure} failure */
function canSearch({ origin, was, blob }, { code }) {
	const unread = code === "bad_json" || code === "unknown_format" || code === "bad_message";
	return unread && !was && (origin === "paste" || origin === "file") && blob.size <= SEARCHED;
}

/** @param {string} file of the folder of the examples @param {AbortSignal} [signal] */
async function fetched(file, signal) {
	const response = await fetch(new URL(`examples/${file}`, ROOT), { signal });
	if (!response.ok) throw new Error(`the server answered ${response.status}`);
	return response;
}
