// This program opens the log of an agent in the page, packs it, and saves it next to the log with the page's button. It
// prints what `tamp resume --json` prints. The tests of real agents run it: node web/test/savePacked.js FILE

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { choose, download, launchOptions, settled, value } from "./page.js";
import { startServer } from "./servers.js";

const log = process.argv[2] ?? "";
const server = await startServer();
const browser = await chromium.launch(launchOptions(false));
try {
	const page = await browser.newPage();
	await page.goto(`${server.url}#preset=balanced&force=true`);
	await choose(page, readFileSync(log), path.basename(log));
	await settled(page);
	const { name, text } = await download(page);
	const file = path.join(path.dirname(log), name);
	writeFileSync(file, text);
	const command = await page.locator("#download-note code").textContent();
	console.log(
		JSON.stringify({ before: await value(page, "before"), after: await value(page, "after"), file, command }),
	);
} finally {
	await browser.close();
	await server.stop();
}
