// This file tests that "Summarize with this server" is easy to read in each of its states, theme and width.

import assert from "node:assert/strict";
import { poorContrast } from "./contrast.js";
import { test } from "./journeys.js";
import { inThemes, overflow, startPage, visit } from "./page.js";
import { cancel, MANY, open, servers, session, start, startServers, TOKEN, turned } from "./summarizing.js";

startPage();
startServers();

for (const width of [1280, 400, 320]) {
	test(`it is easy to read, light and dark, ${width} px`, () =>
		visit(
			async (page) => {
				await servers.fake.script("native", [{ do: "refusal" }, { do: "ok" }, { do: "ok", delayMs: 60_000 }]);
				const fine = async (/** @type {string} */ when) => {
					await page.mouse.move(2, 2);
					await inThemes(page, async (theme) =>
						assert.deepEqual(await page.evaluate(poorContrast), [], `${when}, ${theme}`),
					);
					assert.equal(await overflow(page), 0, when);
				};
				await open(page, session());
				await fine("idle");
				await start(page).click();
				await page.locator("#server .error p").first().waitFor();
				await fine("refused");
				await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
				await start(page).click();
				await page
					.locator("#server-now")
					.getByText(/^2 of \d+ summaries$/)
					.waitFor();
				await fine("running");
				await cancel(page).click();
				await turned(page, "canceled");
				await fine("canceled");
			},
			{ hash: MANY, at: servers.native.url, width },
		));
}
