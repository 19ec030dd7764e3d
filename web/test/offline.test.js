// This file tests that the page works without a network once it was visited, and shows the new version when the network
// is back.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { journey, test } from "./journeys.js";
import { choose, eventually, openExample, outputTab, settled, startPage, value, visit } from "./page.js";
import { startStatic } from "./servers.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** Waits for an asynchronous condition. @param {Page} page @param {() => Promise<boolean>} holds */
const until = (page, holds) =>
	eventually(async () => assert.ok(await page.evaluate(holds), `never true: ${holds}`), 60_000);

/** Waits until a whole copy is kept. @param {Page} page */
const kept = (page) =>
	until(page, async () => {
		for (const key of await caches.keys())
			if (await (await caches.open(key)).match("/files.json")) return navigator.serviceWorker.controller !== null;
		return false;
	});

journey("after the first visit the page opens and works without any server: engine, examples, sessions", async () => {
	const host = await startStatic();
	let runs = true;
	const stop = async () => {
		if (runs) await host.stop();
		runs = false;
	};
	try {
		await visit(
			async (page) => {
				await kept(page);
				const keys = await page.evaluate(async () => {
					const [name] = await caches.keys();
					return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
				});
				assert.ok(keys.includes("/npm/tamp.wasm") && keys.includes("/examples/index.json"));
				assert.deepEqual(
					keys.filter((key) => /^\/(v1|healthz|sw\.js)|\.png$/.test(key)),
					[],
				);

				assert.ok(!keys.some((key) => key.endsWith(".bin")), "a vocabulary is kept once it was wanted");
				await choose(page, JSON.stringify(anthropic(8)), "mine.json");
				await settled(page);
				const fold = page.locator("#tuning");
				await fold.evaluate((details) => details.setAttribute("open", ""));
				await page.getByRole("combobox", { name: "Counted with" }).selectOption("cl100k_base");
				await page
					.getByTestId("counter-says")
					.filter({ hasText: /^(?!here)/ })
					.waitFor();
				await until(page, async () => (await caches.match("/npm/vocab/cl100k_base.bin")) !== undefined);

				await stop();
				await page.reload();
				await page.locator("input[name=preset]").first().waitFor({ state: "attached" });
				assert.equal(await page.locator(".example").count(), 5);
				await openExample(page);
				assert.ok((await value(page, "before")) > 10_000); // the example was read as a whole
				await choose(page, JSON.stringify(anthropic(8)), "mine.json");
				await page.locator("#chip [data-source='mine.json']").waitFor();
				await settled(page);
				await fold.evaluate((details) => details.setAttribute("open", ""));
				await page
					.getByTestId("counter-says")
					.filter({ hasText: /^(?!here)/ })
					.waitFor(); // the address names the counter
				assert.ok(await page.getByTestId("counter-state").isHidden());
				await outputTab(page, "Diff");
				await page.locator("#diff article").first().waitFor();
				// An example that was never read is not kept; the page says why it cannot be opened.
				for (const [offline, says] of /** @type {const} */ ([
					[false, /^Cannot load tour.*The server of this page does not answer/],
					[true, /^Cannot load tour.*You are offline/],
				])) {
					await page.context().setOffline(offline);
					await page.locator(".example[data-file='tour.jsonl.gz']").dispatchEvent("click");
					await page.locator("#error", { hasText: says }).waitFor();
					assert.doesNotMatch((await page.locator("#error").textContent()) ?? "", /bug in Tamp/);
				}
				await page.context().setOffline(false);
				// The API is never answered from a copy.
				assert.equal(
					await page.evaluate(() =>
						fetch("/v1").then(
							() => "answered",
							() => "no answer",
						),
					),
					"no answer",
				);
				assert.equal(
					await page.evaluate(() =>
						fetch("/healthz").then(
							() => "answered",
							() => "no answer",
						),
					),
					"no answer",
				);
			},
			{ offline: true, at: host.url, violates: true }, // the browser notes each file that it asked for in vain
		);
	} finally {
		await stop();
	}
});

journey("a session is never kept offline", () =>
	visit(
		async (page) => {
			await kept(page);
			await choose(page, JSON.stringify(anthropic(8)), "secret.json");
			await settled(page);
			const found = await page.evaluate(async () => {
				for (const key of await caches.keys()) {
					const cache = await caches.open(key);
					for (const request of await cache.keys()) {
						if (!/\.(js|css|html|json|jsonl)$|\/$/.test(new URL(request.url).pathname)) continue;
						if ((await (await cache.match(request))?.text())?.includes("result 3: func Fold")) return request.url;
					}
				}
				return "";
			});
			assert.equal(found, "");
		},
		{ offline: true },
	),
);

test("with a network a reload shows what the server has, and the copy becomes that version, whole", async () => {
	const site = await startStatic();
	// A host of files in two versions; in between it lies about one file, as a host does in the middle of a deployment.
	const state = { change: false, lie: false, refused: 0 };
	const proxy = createServer(async (request, response) => {
		const answer = await fetch(new URL(request.url ?? "/", site.url));
		let body = Buffer.from(await answer.arrayBuffer());
		if (state.change && request.url === "/favicon.svg") body = Buffer.concat([body, Buffer.from("<!-- new -->")]);
		if (state.change && request.url === "/files.json") {
			const listed = JSON.parse(body.toString());
			listed.version = "next";
			const icon = Buffer.concat([
				Buffer.from(await (await fetch(`${site.url}favicon.svg`)).arrayBuffer()),
				Buffer.from("<!-- new -->"),
			]);
			listed.files["favicon.svg"] = Buffer.from(await crypto.subtle.digest("SHA-256", icon)).toString("hex");
			body = Buffer.from(JSON.stringify(listed));
		}
		if (state.lie && request.url === "/favicon.svg") {
			body = Buffer.from("<svg/>");
			// fetch(…, { cache: "no-cache" }) of the service worker sends this header, the page's own fetch does not.
			if (request.headers["cache-control"] === "max-age=0") state.refused++;
		}
		response
			.writeHead(answer.status, {
				"content-type": answer.headers.get("content-type") ?? "",
				"cache-control": "no-cache",
			})
			.end(body);
	});
	await new Promise((resolve) => proxy.listen(0, "127.0.0.1", () => resolve(null)));
	const { port } = /** @type {import("node:net").AddressInfo} */ (proxy.address());
	try {
		await visit(
			async (page) => {
				await kept(page);
				const version = () => page.evaluate(async () => (await caches.keys()).join());
				const first = await version();
				const icon = () => page.evaluate(() => fetch("/favicon.svg").then((response) => response.text()));
				state.change = state.lie = true;
				await page.reload();
				await page.locator(".example").first().waitFor();
				assert.equal(await icon(), "<svg/>", "the network comes first");
				await eventually(async () => assert.ok(state.refused > 0, "the service worker fetched the damaged file"));
				// The copy of the new version exists by now: it must be deleted, and the old one kept.
				await eventually(async () => assert.equal(await version(), first, "no copy mixes two versions"));
				state.lie = false;
				await page.reload();
				await until(page, async () => (await caches.keys()).join() === "tamp-files-next");
				assert.match(await icon(), /<!-- new -->$/);
			},
			{ offline: true, at: `http://127.0.0.1:${port}/`, violates: true },
		);
	} finally {
		proxy.closeAllConnections();
		await new Promise((resolve) => proxy.close(resolve));
		await site.stop();
	}
});
