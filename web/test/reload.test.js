// This file reloads the page in every tab, preset and mode, with an example and with a file, from the native server and
// from the built site; and it tests that an error of the page while it opens a session is shown, with what to do.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, lookElsewhere, openExample, pane, settled, startPage, visit } from "./page.js";
import { startStatic } from "./servers.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

const PANES = /** @type {const} */ (["timeline", "again", "compare", "packed", "totals", "blocks"]);

/** Waits until a session is on the page. @param {Page} page @param {string} name */
async function shows(page, name) {
	await page.locator(`#chip [data-source="${name}"]`).waitFor();
	await settled(page);
}

/**
 * Chooses each preset, with another tab, mode and trigger each time, and reloads: the page has the same state again.
 * @param {Page} page
 * @param {string} name of the open session
 * @param {number} shift 0 or 1: both together have each tab in each mode
 */
async function reloadEach(page, name, shift) {
	const presets = await page
		.locator("input[name=preset]")
		.evaluateAll((all) => all.map((one) => /** @type {HTMLInputElement} */ (one).value));
	assert.equal(presets.length, 10);
	for (const [n, preset] of presets.entries()) {
		const tab = PANES[n % PANES.length];
		const mode = ((n >> 1) + shift) % 2 === 0 ? "start" : "now";
		const force = n % 3 === 0;
		const label = `${name}: ${preset}, ${tab}, ${mode}, ${force}`;
		await page.locator("#more-presets").evaluate((details) => details.setAttribute("open", ""));
		await page.locator(`input[name=preset][value=${preset}]`).check({ force: true });
		await page.locator("#force").evaluate((input, on) => {
			/** @type {HTMLInputElement} */ (input).checked = on;
			input.dispatchEvent(new Event("change"));
		}, force);
		await pane(page, tab);
		await page.locator(`input[name=notion][value=${mode}]`).check({ force: true });
		const address = page.url();
		await page.reload();
		await shows(page, name);
		assert.equal(page.url(), address, label);
		assert.equal(await page.locator("#workspace").getAttribute("data-pane"), tab, label);
		assert.equal(await page.locator(`input[name=preset][value=${preset}]`).isChecked(), true, label);
		assert.equal(await page.locator("#force").isChecked(), force, label);
		assert.equal(await page.locator(`input[name=notion][value=${mode}]`).isChecked(), true, label);
		assert.equal(await page.locator("#start-figures").isVisible(), mode === "start", label);
		assert.equal(await page.locator("#error").textContent(), "", label);
	}
}

for (const built of [false, true])
	test(`a reload brings back every tab, preset and mode (${built ? "built site" : "native server"})`, async () => {
		const site = built ? await startStatic() : undefined;
		const body = async (/** @type {Page} */ page) => {
			await page.locator("#see-example").click();
			await shows(page, "tour.jsonl");
			await pane(page, "blocks");
			await page.locator("input[name=notion][value=start]").check({ force: true });
			await page.reload();
			await shows(page, "tour.jsonl");
			assert.equal(await page.locator("input[name=notion][value=start]").isChecked(), true);
			await openExample(page, "broken.json");
			await shows(page, "broken.json");
			await reloadEach(page, "broken.json", 0);
			await choose(page, JSON.stringify(anthropic(4)), "mine.json");
			await shows(page, "mine.json");
			await page.waitForFunction(() => sessionStorage.getItem("tamp-tab-session") !== null);
			await reloadEach(page, "mine.json", 1);
		};
		try {
			await visit(body, { hash: "", ...(site ? { at: site.url } : {}) });
		} finally {
			await site?.stop();
		}
	});

journey("a link that is opened in an open page is read as a whole: example, tab, call, mode and comparison", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(4)), "mine.json");
		await shows(page, "mine.json");
		const link = "#preset=prune&counter=chars4&compare=harness&example=spans&tab=timeline&show=now&call=3";
		await page.evaluate((hash) => (location.hash = hash), link);
		await shows(page, "spans.json");
		await page.locator("#timeline-call").getByText("Call 3", { exact: true }).waitFor();
		const query = new URL(page.url()).searchParams;
		assert.equal(query.size, 0);
		const is = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
		assert.deepEqual(is, Object.fromEntries(new URLSearchParams(link.slice(1))));
		// The example, the call and the zoom come back after a reload, another place and another page.
		await page.locator("#timeline-handle").focus();
		await page.keyboard.press("+");
		const range = await page.locator("#zoom-range").textContent();
		assert.match(range ?? "", /^calls /);
		await page.waitForFunction(() => location.hash.includes("&zoom="));
		const elsewhere = async () => {
			await page.locator("#to-folder").click();
			await page.locator("#folder-title").waitFor();
			await page.goBack();
		};
		for (const leave of [() => page.reload(), elsewhere, () => lookElsewhere(page)]) {
			await leave();
			await shows(page, "spans.json");
			await page.locator("#timeline-call").getByText("Call 3", { exact: true }).waitFor();
			await page.locator("#zoom-range", { hasText: range ?? "" }).waitFor();
		}
	}),
);

test("an error of the page while it opens a session or starts is shown, with what to do", () =>
	visit(
		async (page) => {
			const shown = page.locator("#error", {
				hasText: /^The page stopped at an error: out of order\.This is a bug .*start over/,
			});
			const breakWorkers = () => {
				Worker.prototype.postMessage = () => {
					throw new Error("out of order");
				};
			};
			await page.evaluate(breakWorkers);
			await choose(page, JSON.stringify(anthropic(4)));
			await shown.waitFor();
			await page.context().addInitScript(() => {
				window.MessageChannel = class extends MessageChannel {
					constructor() {
						super();
						throw new Error("out of order");
					}
				};
			});
			await page.reload();
			await shown.waitFor();
			await page.goto(page.url().replace(/#.*/, "#place=folder"));
			await page.reload();
			await shown.waitFor();
		},
		{ violates: true }, // the errors are made here
	));

test("a policy of the address that the engine refuses is shown with the first session, with what to do", () =>
	visit(
		async (page) => {
			await page.locator("#error", { hasText: /placeholder.*address.*start over/i }).waitFor();
			await page.locator("#chip", { hasText: "broken.json" }).waitFor();
		},
		{ hash: "#preset=harness&example=broken&clear.placeholder=+" },
	));

test("a click, and a file chosen, before the modules are loaded are done once they are", async () => {
	for (const act of ["click", "file"])
		await visit(
			async (page) => {
				await page.route("**/app/main.js", async (route) => {
					await new Promise((resolve) => setTimeout(resolve, 4000));
					await route.continue();
				});
				await page.reload({ waitUntil: "commit" });
				await page.locator("#see-example").waitFor();
				assert.equal(await page.locator("html").getAttribute("data-ready"), null);
				if (act === "click") await page.locator("#see-example").click();
				else
					await page.locator("#file").setInputFiles({
						name: "mine.json",
						mimeType: "application/json",
						buffer: Buffer.from(JSON.stringify(anthropic(6))),
					});
				await shows(page, act === "click" ? "tour.jsonl" : "mine.json");
			},
			{ hash: "" },
		);
});
