// This file registers the service worker, which caches the files of the page for use without a network. Sessions are
// never cached.

import { ROOT } from "../root.js";
import { toast } from "../ui/toast.js";

/** Call after the page works: caching must not slow down the first visit. */
export async function keepFiles() {
	addEventListener("offline", () => toast("You are offline. The page continues to work."));
	try {
		await navigator.serviceWorker.register(new URL("sw.js", ROOT));
		const { active } = await navigator.serviceWorker.ready;
		active?.postMessage("keep"); // updates the copy at each visit
	} catch {
		// Private windows and some hosts allow no service worker. The page then needs the network.
	}
}
