// This file tests what the page shows if "Summarize with this server" fails: a summary, the token, the connection.

import assert from "node:assert/strict";
import { test } from "./journeys.js";
import { startPage, visit } from "./page.js";
import { startServer } from "./servers.js";
import {
	count,
	done,
	MANY,
	now,
	open,
	same,
	servers,
	session,
	settings,
	start,
	startServers,
	TOKEN,
} from "./summarizing.js";

startPage();
startServers();

test("a summary that fails says why, and the built-in summary is used instead", () =>
	visit(
		async (page) => {
			await servers.fake.script("native", [{ do: "ok" }, { do: "refusal" }, { do: "ok" }]);
			await open(page, session());
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			await start(page).click();
			await done(page);
			const all = await count(page);
			assert.equal(await now(page), `Done: ${all - 1} of ${all} summaries are in, 1 failed.`);
			const failed = page.locator("#server-log [data-kind=failed]");
			assert.match(
				(await failed.textContent()) ?? "",
				/^Messages? .* tokens: Cannot summarize: the model refused; provider anthropic$/,
			);
			await page.waitForFunction(() => {
				const [log, line] = [
					document.getElementById("server-log"),
					document.querySelector("#server-log [data-kind=failed]"),
				];
				const [around, of] = [log?.getBoundingClientRect(), line?.getBoundingClientRect()];
				return around && of && of.top >= around.top && of.bottom <= around.bottom;
			});
			assert.match(
				(await page.locator("#requests-note").textContent()) ?? "",
				/\d+ answered by this server \(claude-haiku-4-5\), 1 failed there\./,
			);
			const card = page.locator(".request").filter({ hasText: "The request failed" });
			assert.equal(await card.count(), 1);
			assert.equal(await card.locator("h4").textContent(), (await failed.textContent())?.split(",")[0]);
			assert.match((await card.textContent()) ?? "", /the built-in summary is used instead/);
			assert.equal(await page.locator(".request[data-outcome=summarize]").count(), all);
		},
		{ hash: MANY, at: servers.native.url },
	));

test("without the token the server says so, and where; with it, Enter is enough", () =>
	visit(
		async (page) => {
			await servers.fake.script("native", [{ do: "ok" }]);
			const before = (await servers.fake.calls("native")).length;
			await open(page, session());
			const was = await page.getByTestId("result").textContent();
			const field = page.getByLabel("Token of this server", { exact: true });
			assert.deepEqual(
				await field.evaluate((/** @type {HTMLInputElement} */ input) => [input.type, input.autocomplete]),
				["password", "off"],
			);
			const alert = page.locator("#server").getByRole("alert");
			await start(page).click();
			await alert.getByText("This server needs its token.Enter it above and try again.").waitFor();
			assert.ok(
				await field.evaluate((input) => input === document.activeElement && input.matches("[aria-invalid=true]")),
			);
			await page.keyboard.type("a token that is not the one");
			await page.keyboard.press("Enter");
			await alert.getByText("This is not the token of this server.").waitFor();
			assert.equal(await now(page), "Nothing on this page was changed.");
			same((await page.getByTestId("result").textContent()) ?? "", was ?? "");
			assert.equal((await servers.fake.calls("native")).length, before);
			await field.fill(TOKEN);
			await page.keyboard.press("Enter");
			await done(page);
			assert.equal(await alert.textContent(), "");
			assert.equal(await page.locator("#server [aria-invalid]").count(), 0);
			await page.reload();
			await open(page, session());
			assert.equal(await field.inputValue(), "", "a reload forgets it");
		},
		{ hash: MANY, at: servers.native.url },
	));

test("a server that goes away, in the middle and before", async () => {
	const away = await startServer(settings("away"));
	await servers.fake.script("away", [{ do: "ok", delayMs: 60_000 }]);
	let stopped = false; // at once: a server that is told to stop waits 30 s for the open answers
	try {
		await visit(
			async (page) => {
				await open(page, session());
				const was = await page.getByTestId("result").textContent();
				await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
				await start(page).click();
				await page.locator("#server-log [data-kind=saved]").waitFor();
				await away.kill();
				stopped = true;
				const alert = page.locator("#server").getByRole("alert");
				await alert.getByText("The connection was closed before the compaction was done.").waitFor();
				await start(page).click();
				await alert.getByText("This server cannot be reached.").waitFor();
				same((await page.getByTestId("result").textContent()) ?? "", was ?? "");
				assert.ok(await start(page).isEnabled());
			},
			{ hash: MANY, at: away.url },
		);
	} finally {
		if (!stopped) await away.stop();
	}
});
