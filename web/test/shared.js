// This file starts one server for the tests of the page that run at the same time (.ci/tests.mjs). It has the bundled
// page, which takes 1.6 s of CPU a visit instead of 2.6; the tests that run alone visit the source. Each file has a
// browser of its own: to share one, all its messages go through one more process, which takes a seventh longer.

import { startBundled } from "./servers.js";

export async function start() {
	const server = await startBundled();
	return { variables: { TAMP_URL: server.url }, stop: () => server.stop() };
}
