// This file takes the pictures of the page that the README shows, of the recorded example session. `make screenshots` runs it.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const server = spawn(`${root}.build/server`, { cwd: root, env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
const origin = await new Promise((resolve) => server.stdout.on("data", (text) => resolve(/http:\/\/[\d.:]+/.exec(String(text))?.[0])));
const browser = await chromium.launch({
	executablePath: process.env["CHROMIUM"],
	args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
	for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
		const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme, deviceScaleFactor: 1 });
		await page.goto(origin);
		await page.getByText("A bug hunt", { exact: false }).first().click();
		await page.locator("#busy[data-work=idle]").waitFor({ state: "attached" });
		await page.waitForTimeout(500); // what fades in has faded in
		await page.screenshot({ path: `${root}web/examples/playground${colorScheme === "dark" ? "-dark" : ""}.png` });
	}
} finally {
	await browser.close();
	server.kill();
}
