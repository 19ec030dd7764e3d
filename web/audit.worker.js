// This file is a Web Worker of an audit: it has an engine of its own, and holds one file at a time.

import { load } from "./npm/index.js";
import { MAX_FILE, unpacked } from "./npm/unpack.js";
import { emptiness } from "./app/folder/rank.js";

/** @import { ToAudit, FromAudit } from "./app/folder/auditor.js" */

const port = /** @type {{postMessage(m: FromAudit): void, onmessage: ((e: MessageEvent<ToAudit>) => void) | null}} */ (
	/** @type {unknown} */ (self)
);
const engineLoaded = load();

port.onmessage = async ({ data: { id, file, choice } }) => {
	try {
		const conversation = await unpacked(new Uint8Array(await file.arrayBuffer()), MAX_FILE);
		const audit = (await engineLoaded).audit({ conversation, ...choice });
		const reason = emptiness(audit);
		port.postMessage(reason ? { id, reason } : { id, audit });
	} catch (cause) {
		port.postMessage({ id, reason: /** @type {Error} */ (cause)?.message ?? String(cause) });
	}
};
