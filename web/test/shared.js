// This file starts one browser and one server for the tests of the page that run at the same time (.ci/tests.mjs).

import { chromium } from "playwright-core";
import { startServer } from "./servers.js";
import { launchOptions } from "./page.js";

export async function start() {
	const [server, browser] = await Promise.all([startServer(), chromium.launchServer(launchOptions(false))]);
	return {
		variables: { TAMP_URL: server.url, TAMP_BROWSER: browser.wsEndpoint() },
		stop: () => Promise.all([server.stop(), browser.close()]),
	};
}
