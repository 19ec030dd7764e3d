// This file starts one browser and one server for the tests of the page that run at the same time (.ci/tests.mjs), and
// others for those that run alone. The server has the bundled page, whose visit takes less CPU than that of the source.

import { chromium } from "playwright-core";
import { startBundled } from "./servers.js";
import { launchOptions } from "./page.js";

/** @param {{measures: boolean}} how see startPage */
export async function start({ measures }) {
	const browser = await chromium.launchServer(launchOptions(measures)); // first: the usual failure is that it is missing
	const server = await startBundled();
	return {
		variables: { TAMP_URL: server.url, TAMP_BUNDLE: server.bundle, TAMP_BROWSER: browser.wsEndpoint() },
		stop: () => Promise.all([server.stop(), browser.close()]),
	};
}
