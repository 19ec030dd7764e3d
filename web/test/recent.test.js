// This file tests recent sessions: none is kept unless the user turns it on, and kept sessions can be seen, opened and
// erased.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, openExample, settled, startPage, value, visit } from "./page.js";
import { startServer } from "./servers.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** @param {Page} page @param {number} rounds @param {string} name */
async function open(page, rounds, name) {
	await choose(page, JSON.stringify(anthropic(rounds)), name);
	await page.locator(`#chip [data-source="${name}"]`).waitFor();
	await settled(page);
}

/** @param {Page} page */
async function unfold(page) {
	if (!(await page.getByTestId("recent").isVisible())) await page.locator("#others").click();
	if (!(await page.locator("#recent-on").isVisible())) await page.getByText("Recent sessions").click();
}

/** @param {Page} page */
const names = (page) => page.locator("#recent-list .link").allTextContents();

test("nothing is kept until it is turned on", () =>
	visit(async (page) => {
		await open(page, 5, "a.json");
		assert.deepEqual(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)), []);
		assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
		await unfold(page);
		assert.equal(await page.getByRole("switch", { name: "Keep the sessions that I open" }).isChecked(), false);
		assert.match((await page.getByTestId("recent").textContent()) ?? "", /Off unless you turn it on/);
	}));

journey("sessions that were opened are listed, open again, and go one by one or all at once", () =>
	visit(async (page) => {
		await open(page, 5, "a.json");
		const before = await value(page, "before");
		await unfold(page);
		await page.getByRole("switch", { name: "Keep the sessions that I open" }).check();
		await page.locator("#recent-list li").first().waitFor();
		await open(page, 7, "b.json");
		await page.locator("#recent-list li").nth(1).waitFor();
		await openExample(page);
		assert.deepEqual(await names(page), ["b.json", "a.json"], "an example is always there, so it is not kept");

		await page.reload();
		await settled(page); // the example is there again
		await unfold(page);
		await page.locator("#recent-count").getByText("2 sessions").waitFor();
		await page.getByRole("button", { name: "a.json", exact: true }).click();
		await settled(page);
		assert.equal(await value(page, "before"), before);
		await page.waitForFunction(() => document.querySelector("#recent-list .link")?.textContent === "a.json");
		assert.deepEqual(await names(page), ["a.json", "b.json"]);
		await unfold(page);
		await page.getByRole("button", { name: "Forget b.json" }).click();
		await page.locator("#recent-says").getByText("b.json is forgotten").waitFor();
		assert.deepEqual(await names(page), ["a.json"]);
		await page.getByRole("switch", { name: "Keep the sessions that I open" }).uncheck();
		await page.locator("#recent-says").getByText("no further sessions are kept").waitFor();
		await open(page, 9, "c.json");
		assert.deepEqual(await names(page), ["a.json"]);
		await page.getByRole("button", { name: "Erase all" }).click();
		await page.locator("#recent-says").getByText("Erased").waitFor();
		assert.deepEqual(await names(page), []);
		const left = await page.evaluate(
			() =>
				new Promise((resolve) => {
					const open = indexedDB.open("tamp");
					open.onsuccess = () => {
						const of = open.result.transaction(["about", "bytes"]);
						const [about, bytes] = ["about", "bytes"].map((store) => of.objectStore(store).count());
						of.oncomplete = () => resolve([about.result, bytes.result]);
					};
				}),
		);
		assert.deepEqual(left, [0, 0]);
	}),
);

test("the newest twenty and 50 MB stay, and a session of more than 25 MB is not kept", async () => {
	const server = await startServer(); // the source, since the bundled page has no module to import
	const body = async (/** @type {Page} */ page) => {
		const left = await page.evaluate(async () => {
			const path = "/app/session/sessionStore.js";
			/** @type {typeof import("../app/session/sessionStore.js")} */
			const { openSessionStore } = await import(path);
			const store = await openSessionStore();
			const put = (/** @type {string} */ name, /** @type {number} */ at, size = 10) =>
				store.put({ name, at, format: "anthropic", bytes: size }, new Blob([name]));
			for (let i = 0; i < 25; i++) await put(`s${i}`, i);
			const most = (await store.list()).map(({ name }) => name);
			await put("large", 100, 24_000_000);
			await put("larger", 101, 25_000_000);
			const together = (await store.list()).map(({ name }) => name);
			await put("large again", 102, 24_000_000);
			const again = (await store.list()).map(({ name }) => name);
			const read = await Promise.all((await store.list()).map(async ({ id }) => (await store.read(id))?.text()));
			return { most, together, again, read };
		});
		assert.deepEqual(
			left.most,
			Array.from({ length: 20 }, (_, i) => `s${24 - i}`),
		);
		assert.deepEqual(left.together.slice(0, 3), ["larger", "large", "s24"]);
		assert.equal(left.together.length, 20);
		assert.deepEqual(left.again, ["large again", "larger"]);
		assert.deepEqual(left.read, left.again);
	};
	try {
		await visit(body, { at: server.url });
	} finally {
		await server.stop();
	}
});

for (const [what, block] of /** @type {[string, () => void][]} */ ([
	[
		"keeps no database",
		() =>
			(IDBFactory.prototype.open = () => {
				throw new DOMException("no", "SecurityError");
			}),
	],
	[
		"keeps no settings",
		() =>
			Object.defineProperty(window, "localStorage", {
				get() {
					throw new DOMException("no", "SecurityError");
				},
			}),
	],
])) {
	test(`a window that ${what} says so, and the page works`, () =>
		visit(async (page) => {
			await page.context().addInitScript(block);
			await page.reload();
			await open(page, 5, "a.json");
			await unfold(page);
			await page.getByRole("switch", { name: "Keep the sessions that I open" }).click();
			await page
				.locator("#recent-says")
				.getByText(/does not allow the page to store anything/)
				.waitFor();
			assert.equal(await page.getByRole("switch", { name: "Keep the sessions that I open" }).isChecked(), false);
			await open(page, 6, "b.json");
		}));
}
