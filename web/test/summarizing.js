// This file is what the tests of "Summarize with this server" share: the real server, the fake provider behind it, and
// the steps of a user.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { choose, outputTab, settled } from "./page.js";
import { startFake, startServer } from "./servers.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./servers.js").Running} Running */

export const TOKEN = "a token that cannot be guessed";
export const KEY = "sk-ant-of-the-operator";
export const MANY = "#preset=regions&force=true";

/**
 * The fake provider, and the server that asks it.
 * @type {{fake: Awaited<ReturnType<typeof startFake>>, native: Running}}
 */
export const servers = /** @type {any} */ ({});

/** Starts the servers of a test file. */
export function startServers() {
	before(async () => {
		servers.fake = await startFake();
		servers.native = await startServer(settings("native"));
	});
	after(async () => {
		await servers.native?.stop();
		await servers.fake?.stop();
	});
}

/**
 * A server with a summarizer, a token and a key.
 * @param {string} name of the fake's script
 * @returns {Record<string, string>}
 */
export function settings(name) {
	return {
		SUMMARIZER: "anthropic",
		SUMMARIZER_BASE_URL: servers.fake.base(name),
		SUMMARIZER_API_KEY: KEY,
		TAMP_TOKEN: TOKEN,
	};
}

/** Each session has words of its own, and so other summaries: no test finds those of another in the server's cache. */
let sessions = 0;
export function session(rounds = 30) {
	const own = String.fromCharCode(97 + (sessions++ % 26)).repeat(2 + Math.floor(sessions / 26));
	return JSON.stringify(anthropic(rounds, 3000)).replaceAll("SimpleFold", `Simple${own}`);
}

/** Opens a session and looks at its requests. @param {Page} page @param {string} text */
export async function open(page, text) {
	await choose(page, text);
	await settled(page);
	await outputTab(page, /^Requests/);
	await page.locator(".request").first().waitFor();
	await start(page).waitFor();
}

/** @param {Page} page */
export const start = (page) => page.getByRole("button", { name: "Summarize with this server" });
/** @param {Page} page */
export const cancel = (page) => page.getByRole("button", { name: "Cancel" });
/** @param {Page} page @param {string} state */
export const turned = (page, state) => page.locator(`#server[data-state=${state}]`).waitFor();
/** @param {Page} page */
export const log = (page) => page.locator("#server-log li").allTextContents();
/** How many requests the page has. @param {Page} page */
export const count = async (page) =>
	Number(/\d+/.exec((await page.getByRole("tab", { name: /^Requests/ }).textContent()) ?? "")?.[0]);
/** @param {Page} page */
export const now = (page) => page.locator("#server-now").textContent();

/**
 * Starts the server's work, and waits until it runs: out of the cache it may be over before one looks.
 * @param {Page} page
 */
export async function begin(page) {
	const running = await page.locator("#server").evaluateHandle((root) => ({
		seen: new Promise((resolve) =>
			new MutationObserver(() => root.dataset.state === "running" && resolve(null)).observe(root, { attributes: true }),
		),
	}));
	await start(page).click();
	await running.evaluate(({ seen }) => seen);
}

/** Waits until the server's answers are in. @param {Page} page */
export async function done(page) {
	await page.locator("#server-now").getByText(/^Done/).waitFor();
	await settled(page);
}

/** Two long texts; a difference of whole sessions is too long to read. @param {string} got @param {string} want */
export function same(got, want) {
	const at = [...want].findIndex((letter, i) => got[i] !== letter);
	assert.ok(
		got === want,
		`${got.length} and ${want.length} characters, and from ${at} on:\n${got.slice(at, at + 200)}\n${want.slice(at, at + 200)}`,
	);
}

/**
 * The API's answer to the same request.
 * @param {string} at
 * @param {object} request
 * @param {Record<string, string>} headers
 */
export async function outcome(at, request, headers) {
	const answer = await fetch(`${at}v1/compact`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(request),
	});
	assert.equal(answer.status, 200);
	return /** @type {any} */ (await answer.json());
}
