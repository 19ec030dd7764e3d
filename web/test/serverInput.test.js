// This file tests the user's input while "Summarize with this server" runs: cancel, another policy, another session.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { choose, download, settled, startPage, visit } from "./page.js";
import {
	cancel,
	count,
	done,
	log,
	MANY,
	now,
	open,
	same,
	servers,
	session,
	start,
	startServers,
	TOKEN,
	turned,
} from "./summarizing.js";

startPage();
startServers();

test("with the keyboard: press, watch, cancel; nothing has changed, and the server stops asking", () =>
	visit(
		async (page) => {
			await servers.fake.script("native", [{ do: "ok" }, { do: "ok", delayMs: 60_000 }]);
			const before = (await servers.fake.calls("native")).length;
			await open(page, session());
			const was = await page.getByTestId("result").textContent();
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			await page.keyboard.press("Tab");
			assert.ok(await start(page).evaluate((button) => button === document.activeElement));
			await page.keyboard.press("Enter");
			await page
				.locator("#server-now")
				.getByText(/^1 of \d+ summaries$/)
				.waitFor();
			assert.deepEqual(
				await page
					.getByRole("progressbar", { name: "Summaries of this server" })
					.evaluate((/** @type {HTMLProgressElement} */ bar) => [bar.value, bar.max]),
				[1, await count(page)],
			);
			assert.ok(await cancel(page).evaluate((button) => button === document.activeElement));
			await page.keyboard.press("Enter");
			await turned(page, "canceled");
			assert.equal(
				await page.getByRole("status").filter({ hasText: "Canceled. Nothing on this page was changed." }).count(),
				1,
			);
			assert.ok(await start(page).evaluate((button) => button === document.activeElement));
			same((await page.getByTestId("result").textContent()) ?? "", was ?? "");
			await page.waitForTimeout(300); // a server that did not stop would call the model again within this time
			assert.ok((await servers.fake.calls("native")).length - before <= 5, "four at once, and the one that came");
			assert.equal(await page.locator("#server [role=alert]").textContent(), "");
		},
		{ hash: MANY, at: servers.native.url },
	));

test("the latest input wins: another policy and another session cancel it, and a press after that counts", () =>
	visit(
		async (page) => {
			await servers.fake.script("native", [{ do: "ok", delayMs: 60_000 }]);
			await open(page, session());
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			await start(page).click();
			await page.locator("#server-log [data-kind=saved]").waitFor();
			await page.locator("input[name=preset][value=hierarchical]").check();
			await turned(page, "canceled");
			assert.match((await now(page)) ?? "", /^Canceled: the session or the policy has changed\.$/);
			await settled(page);
			assert.match(
				(await page.locator("#requests-note").textContent()) ?? "",
				/^\d+ requests for a summary\. In production your model answers them/,
			);

			await start(page).click();
			await page.locator("#server-log [data-kind=saved]").waitFor();
			await choose(page, session());
			await turned(page, "idle");
			assert.equal(await now(page), "Nothing of this session has been sent.");
			assert.deepEqual(await log(page), []);
			await settled(page);

			await start(page).click();
			await page.locator("#server-log [data-kind=saved]").waitFor();
			await page.locator(".request").first().getByText("Fail this one").click();
			await turned(page, "canceled");
			await settled(page);

			await servers.fake.script("native", [{ do: "ok" }]);
			await start(page).click();
			await done(page);
			assert.equal(await now(page), `Done: ${await count(page)} summaries are in.`);
			assert.match(
				(await page.locator("#requests-note").textContent()) ?? "",
				/^(\d+) requests for a summary\. \1 answered by this server/,
			);
		},
		{ hash: MANY, at: servers.native.url },
	));

test("a policy that is changed and set back has the server's answers again", () =>
	visit(
		async (page) => {
			await servers.fake.script("native", [{ do: "ok" }]);
			await open(page, session());
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			await start(page).click();
			await done(page);
			const { text } = await download(page);
			await page.locator("input[name=preset][value=hierarchical]").check();
			await page.waitForFunction(() =>
				/In production your model/.test(document.getElementById("requests-note")?.textContent ?? ""),
			);
			await page.locator("input[name=preset][value=regions]").check();
			await page.waitForFunction(() =>
				/^(\d+) requests .* \1 answered by this server/.test(
					document.getElementById("requests-note")?.textContent ?? "",
				),
			);
			await settled(page);
			same((await download(page)).text, text);
		},
		{ hash: MANY, at: servers.native.url },
	));
