// This file has the browser keep the files of the page, so that it opens without a network. Sessions are never among them.

import { toast } from "../ui/toast.js";

/** Call once the page works: keeping files must not slow down the first look. */
export async function keepFiles() {
	addEventListener("offline", () => toast("You are offline. The page goes on working."));
	try {
		await navigator.serviceWorker.register(new URL("../../sw.js", import.meta.url));
		const { active } = await navigator.serviceWorker.ready;
		active?.postMessage("keep"); // a page that is opened every day should keep today's files
	} catch {
		// Some windows and some hosts allow no service worker. The page then needs its network, and works as before.
	}
}
