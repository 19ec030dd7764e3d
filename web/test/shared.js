// This file starts one browser and one server for the tests of the page that run at the same time (.ci/tests.mjs). The
// server has the bundled page, which takes 1.6 s of CPU a visit instead of 2.6; the tests that run alone visit the source.

import { chromium } from "playwright-core";
import { startBundled } from "./servers.js";
import { launchOptions } from "./page.js";

export async function start() {
	const browser = await chromium.launchServer(launchOptions(false)); // first: the usual failure is that it is missing
	const server = await startBundled();
	return {
		variables: { TAMP_URL: server.url, TAMP_BROWSER: browser.wsEndpoint() },
		stop: () => Promise.all([server.stop(), browser.close()]),
	};
}
