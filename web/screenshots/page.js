// This file takes the pictures of the page that the README shows, of the recorded example session: what a policy does,
// the session call by call, and presets side by side. `make screenshots` runs it.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const server = spawn(`${root}.build/server`, ["-web", "web", "-npm", "wasm/npm"], {
	cwd: root,
	env: { ...process.env, PORT: "0" },
	stdio: ["ignore", "pipe", "inherit"],
});
const origin = await new Promise((resolve) =>
	server.stdout.on("data", (text) => resolve(/http:\/\/[\d.:]+/.exec(String(text))?.[0])),
);
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

/**
 * Opens the page with the long example, and waits until all of it is drawn.
 * @param {"light"|"dark"} colorScheme
 * @param {string} hash
 */
async function open(colorScheme, hash) {
	const height = hash.includes("blocks") ? 860 : 1500; // the other tabs are shown whole
	const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme, deviceScaleFactor: 1 });
	await page.goto(`${origin}/${hash}`);
	await page.locator("[data-testid=compare][data-state=ready]").waitFor({ state: "attached", timeout: 120_000 });
	await page.locator("#busy[data-work=idle]").waitFor({ state: "attached" });
	await page.waitForTimeout(500); // what fades in has faded in
	return page;
}

try {
	for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
		const file = (/** @type {string} */ name) =>
			`${root}web/examples/${name}${colorScheme === "dark" ? "-dark" : ""}.png`;
		const first = await open(colorScheme, "#example=tour&tab=blocks");
		await first.screenshot({ path: file("playground") });

		for (const tab of ["timeline", "compare"]) {
			const page = await open(colorScheme, `#example=tour&tab=${tab}`);
			await page.getByTestId(tab).screenshot({ path: file(tab) });
		}
	}
} finally {
	await browser.close();
	server.kill();
}
