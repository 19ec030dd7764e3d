// This file starts the real server and a real Chromium for the tests of the page, and watches every visit: a console
// error, an uncaught exception or a request to a foreign origin fails the test in which it happens. TAMP_URL=http://…
// tests a page that is already served somewhere, TAMP_BROWSER=ws://… in a browser that already runs. PIECE_DELAY=40
// draws every page slowly (see delayPieces), which shows the tests that read before the page is done.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { few } from "../../wasm/npm/test/few.js";
import { countVisit } from "./journeys.js";
import { startServer } from "./servers.js";

/** @typedef {import("playwright-core").Page} Page */
/**
 * @typedef {{width?: number, height?: number, colorScheme?: "light"|"dark", hash?: string, violates?: boolean, at?:
 *   string, offline?: boolean, tuning?: boolean, touch?: boolean}} View tuning: the parameters are open, the default; offline:
 *   with the service worker, which keeps the page for later; violates: the body breaks the page's own rules on purpose;
 *   at: the address of a server of the test's own
 */

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("./servers.js").Running | undefined} */
let server;
let url = process.env.TAMP_URL ?? "";

/** @param {boolean} measures see startPage */
export const launchOptions = (measures) => ({
	executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
	args: [
		"--headless",
		"--no-sandbox",
		"--disable-gpu",
		"--disable-background-networking",
		...(measures ? [] : ["--js-flags=--liftoff-only"]),
	],
});

/**
 * Call once at the top of a test file.
 * @param {{measures?: boolean}} [how] measures: time matters, so V8 compiles twice what runs often, as it does for
 *   people
 */
export function startPage({ measures = false } = {}) {
	before(async () => {
		if (!url) {
			server = await startServer();
			url = server.url;
		}
		const shared = process.env.TAMP_BROWSER;
		browser = shared ? await chromium.connect(shared) : await chromium.launch(launchOptions(measures));
	});
	after(async () => {
		await browser?.close();
		await server?.stop();
	});
}

/**
 * Makes the page draw as on a slow machine. It draws in pieces, each in a message to itself; these come later.
 * @param {import("playwright-core").BrowserContext | Page} target takes effect when it opens a page or reloads
 * @param {number} delay ms for each piece
 */
export async function delayPieces(target, delay) {
	await target.addInitScript((ms) => {
		const send = MessagePort.prototype.postMessage;
		/** @param {any[]} values */
		MessagePort.prototype.postMessage = function (...values) {
			const delay = "undelayed" in window ? 0 : ms;
			setTimeout(() => send.apply(this, /** @type {any} */ (values)), delay);
		};
	}, delay);
}

/** Pieces that the page sends from now on are not delayed; those on their way still are. @param {Page} page */
export const endDelay = (page) => page.evaluate(() => void Object.assign(window, { undelayed: true }));

/**
 * Opens the page, waits until it can be used, runs the body, and checks that no fault occurred.
 * @param {(page: Page) => Promise<void>} body
 * @param {View} [view]
 */
export async function visit(
	body,
	{
		width = 1280,
		height = 900,
		colorScheme = "light",
		hash = "#preset=harness",
		violates = false,
		at = url,
		offline = false,
		tuning = true,
		touch = false,
	} = {},
) {
	countVisit();
	const context = await browser.newContext({
		viewport: { width, height },
		colorScheme,
		hasTouch: touch,
		permissions: ["clipboard-read", "clipboard-write"],
		reducedMotion: few ? "reduce" : "no-preference", // movement takes a sixth of the time
		serviceWorkers: offline ? "allow" : "block",
	});
	try {
		const delay = Number(process.env.PIECE_DELAY ?? 0);
		if (delay > 0) await delayPieces(context, delay);
		const page = await context.newPage();
		page.setDefaultTimeout(60_000);
		/** @type {string[]} */
		const faults = [];
		page.on(
			"console",
			(message) => message.type() === "error" && !refusal(message) && faults.push(`console: ${message.text()}`),
		);
		page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
		context.on("request", (request) => {
			if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(at).origin)
				faults.push(`foreign request: ${request.url()}`);
		});
		await page.goto(at + hash);
		await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
		if (tuning) await page.locator("#tuning").evaluate((fold) => fold.setAttribute("open", ""));
		await body(page);
		if (!violates) assert.deepEqual(faults, []);
	} finally {
		await context.close();
	}
}

/**
 * What the browser notes by itself where a static host has no /v1, or a server refuses.
 * @param {import("playwright-core").ConsoleMessage} message
 */
function refusal(message) {
	const at = new URL(message.location().url || "about:blank").pathname;
	return /^\/v1(\/compact|\/sessions)?$/.test(at) && message.text().startsWith("Failed to load resource");
}

/** Goes to How it works, and back with the button of the browser. @param {Page} page */
export async function lookElsewhere(page) {
	await page.getByRole("link", { name: "How it works" }).click();
	await page.waitForURL(/how\.html$/);
	await page.goBack();
}

/** Waits until the session is read, decided and written. @param {Page} page */
export async function settled(page) {
	await page.locator("#session").waitFor();
	await page.locator("#busy[data-work=idle]").waitFor({ state: "attached" });
	await page.locator("#session[data-stale=false] #result[aria-busy=false]").waitFor({ state: "attached" });
}

/**
 * Opens one of the page's examples. The name is awaited first: until the page has it, the session before is settled.
 * @param {Page} page
 * @param {string} [file]
 */
export async function openExample(page, file = "bughunt.jsonl") {
	const example = page.locator(`[data-file="${file}"]`);
	await example.waitFor({ state: "attached" });
	if (!(await example.isVisible())) await page.locator("#others").click();
	await example.click();
	await page.locator(`#chip [data-source="${file.replace(/\.gz$/, "")}"]`).waitFor();
	await settled(page);
}

/**
 * Opens a session through the file chooser.
 * @param {Page} page
 * @param {string | Buffer} content
 * @param {string} [name]
 */
export async function choose(page, content, name = "session.json") {
	await page.locator("#file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
}

/** Pastes as a person does: from the clipboard, with the keyboard. @param {Page} page @param {string} text */
export async function paste(page, text) {
	await alone(async () => {
		await page.evaluate((t) => navigator.clipboard.writeText(t), text);
		await page.keyboard.press("Control+V");
	});
}

/**
 * Copies, and returns the text that is on the clipboard then.
 * @param {Page} page
 * @param {() => Promise<void>} copy returns when the page says that it copied
 * @param {() => Promise<string>} [wanted] the text to wait for, if the note of the page may be that of the copy before
 */
export function copied(page, copy, wanted) {
	return alone(async () => {
		await copy();
		const text = () => page.evaluate(() => navigator.clipboard.readText());
		if (wanted) await eventually(async () => assert.equal(await text(), await wanted()));
		return text();
	});
}

const ABANDONED = 120_000; // ms after which a lock is that of a test that was stopped

/**
 * Uses the clipboard while no test of another file does: the pages of the shared browser have one.
 * @template T
 * @param {() => Promise<T>} use
 */
async function alone(use) {
	const shared = process.env.TAMP_BROWSER;
	if (!shared) return use();
	const lock = path.join(tmpdir(), `tamp-clipboard${shared.replace(/\W+/g, "-")}`);
	for (;;) {
		try {
			mkdirSync(lock);
			break;
		} catch (error) {
			if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
			if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > ABANDONED)
				rmSync(lock, { recursive: true, force: true });
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
	try {
		return await use();
	} finally {
		rmSync(lock, { recursive: true, force: true });
	}
}

/**
 * Tries until the check passes, for what the page does a moment later; its last failure is the test's.
 * @param {() => Promise<void>} check
 * @param {number} [limit] ms until it gives up
 */
export async function eventually(check, limit = 60_000) {
	for (const end = performance.now() + limit; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
		try {
			return await check();
		} catch (failure) {
			if (performance.now() > end) throw failure;
		}
	}
}

/**
 * Waits until the change is drawn: two frames have passed, and no transition or animation runs.
 * @param {Page} page
 */
export async function still(page) {
	await page.evaluate(async () => {
		const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(null)));
		const runs = () =>
			document
				.getAnimations()
				.some((one) => one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
		await frame();
		do await frame();
		while (runs());
	});
}

/**
 * Checks a state of the page in themes, and leaves it in the last. One visit serves both: a theme changes
 * colors and nothing else (see themes.test.js).
 * @param {Page} page
 * @param {(colorScheme: "light" | "dark") => Promise<void>} check
 * @param {("light" | "dark")[]} [themes]
 */
export async function inThemes(page, check, themes = ["dark", "light"]) {
	for (const colorScheme of themes) {
		await page.emulateMedia({ colorScheme });
		await still(page);
		await check(colorScheme);
	}
}

/**
 * Opens a tab in the middle of the page.
 * @param {Page} page
 * @param {"blocks"|"timeline"|"again"|"compare"|"packed"|"totals"} name
 */
export async function pane(page, name) {
	await page.locator(`#tab-${name}`).click();
}

/** Opens a tab of the packed session. @param {Page} page @param {string | RegExp} name */
export async function outputTab(page, name) {
	await pane(page, "packed");
	await page.getByRole("tab", { name }).click();
}

/** Opens every fold that matches and waits for the texts in them. @param {Page} page @param {string} [selector] */
export async function unfold(page, selector = ".output [role=tabpanel] details") {
	await page.evaluate((all) => {
		for (const details of document.querySelectorAll(all)) details.setAttribute("open", "");
	}, selector);
	await page.waitForFunction((all) => {
		const texts = /** @type {HTMLElement[]} */ (
			[...document.querySelectorAll(all)].flatMap((details) => [...details.querySelectorAll("pre")])
		);
		return texts.every((pre) => pre.textContent || "complete" in pre.dataset || !pre.checkVisibility());
	}, selector);
	await still(page);
}

/** By how many pixels the document is wider than the window: 0, else it scrolls sideways. @param {Page} page */
export async function overflow(page) {
	return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The number that a hook shows. @param {Page} page @param {"before"|"after"} hook */
export async function value(page, hook) {
	const [n, text] = await page
		.getByTestId(hook)
		.evaluate((element) => [Number(element.dataset.value), element.textContent]);
	assert.equal(text, n.toLocaleString("en-US"));
	return n;
}

const SESSION = /^Download session/;

/**
 * What a button downloads, without the archive.
 * @param {Page} page
 * @param {string | RegExp} [button]
 */
export const download = (page, button = SESSION) => downloaded(page, button, false);

/** The archive that comes with a session. @param {Page} page */
export const downloadArchive = (page) => downloaded(page, SESSION, true);

/**
 * A downloaded log of claudeCode under the id of the opened one: a packed log is a session of its own.
 * @param {{name: string, text: string}} file
 */
export const asOpened = ({ name, text }) => text.replaceAll(name.replace(/\.jsonl$/, ""), "s-1");

/** @param {Page} page @param {string | RegExp} button @param {boolean} archive whether that is the file */
async function downloaded(page, button, archive) {
	await pane(page, "packed");
	const [file] = await Promise.all([
		page.waitForEvent("download", (file) => file.suggestedFilename().endsWith(".archive.jsonl") === archive),
		page.locator("#panel-packed").getByRole("button", { name: button, exact: true }).click(),
	]);
	const stream = await file.createReadStream();
	/** @type {Buffer[]} */
	const parts = [];
	for await (const part of stream) parts.push(part);
	return { name: file.suggestedFilename(), text: Buffer.concat(parts).toString("utf8") };
}
