// This file tests "Summarize with this server": the page, the real server, natively and on workerd, and the fake
// provider behind it. What fails is in serverFailures.test.js, what the user does meanwhile in serverInput.test.js.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import {
	asOpened,
	choose,
	download,
	downloadArchive,
	outputTab,
	settled,
	startPage,
	still,
	value,
	visit,
} from "./page.js";
import { startServer, startStatic, startWorkerd } from "./servers.js";
import { claudeCode } from "./sessions.js";
import {
	begin,
	count,
	done,
	KEY,
	log,
	MANY,
	now,
	open,
	outcome,
	same,
	servers,
	session,
	settings,
	start,
	startServers,
	TOKEN,
} from "./summarizing.js";

const OWN = "sk-ant-of-my-own";

startPage();
startServers();

/**
 * The main story: two rounds of summaries, watched, and the result.
 * @param {string} at
 * @param {string} name of the fake's script
 */
async function story(at, name) {
	await servers.fake.script(name, [{ do: "ok", delayMs: 60 }]);
	const text = session(60);
	await visit(
		async (page) => {
			/** @type {string[]} */
			const sent = [];
			page.on(
				"request",
				(request) =>
					new URL(request.url()).pathname.startsWith("/v1") && sent.push(`${request.method()} ${request.url()}`),
			);
			await open(page, text);
			assert.match(
				(await page.locator("#server-says").textContent()) ?? "",
				new RegExp(
					`^Sends this conversation to ${new URL(at).host}, which asks Anthropic \\(claude-haiku-4-5\\)\\. The server stores the originals`,
				),
			);
			assert.equal(await page.locator("#promise").textContent(), "Nothing leaves this page unless you ask its server.");
			assert.equal(await now(page), "Nothing of this session has been sent.");
			assert.equal(await page.getByLabel(/own key/).isVisible(), false, "the server has one");
			assert.deepEqual(sent, [`GET ${at}v1`], "nothing but the question what this server is");

			await page.evaluate(() => {
				const says = document.getElementById("server-now");
				Object.assign(globalThis, { said: [] });
				new MutationObserver(() => /** @type {any} */ (globalThis).said.push(says?.textContent)).observe(
					/** @type {Node} */ (says),
					{ childList: true },
				);
			});
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			const was = await page.getByTestId("result").textContent();
			await start(page).click();
			await page.locator("#server-log [data-kind=summary]").first().waitFor();
			const top = () => page.locator("#requests").evaluate((element) => element.getBoundingClientRect().top + scrollY);
			const place = await top();
			await done(page);
			assert.equal(await top(), place, "what comes while it works moves nothing");

			assert.deepEqual(sent.slice(1), [`POST ${at}v1/compact`], "one request, without a secret in its address");
			const kept = await page.evaluate(() =>
				JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie]),
			);
			assert.ok(!kept.includes(TOKEN) && !kept.includes(encodeURIComponent(TOKEN)));

			const said = /** @type {string[]} */ (await page.evaluate(() => /** @type {any} */ (globalThis).said));
			assert.match(said[1], /^Sending \d+ kB…$/);
			const lines = await log(page);
			const all = await count(page);
			assert.equal(lines[0], `Round 1: ${all - 1} summaries for ${all - 1} regions`);
			assert.match(lines[1], /^Originals kept by the server, \d+ kB, as [0-9a-f]{16}$/);
			for (const line of lines.slice(2, all + 1)) assert.match(line, /^Messages [\d,]+–[\d,]+, [\d,]+ tokens$/);
			assert.equal(lines[all + 1], "Round 2: 1 summary for 1 region");
			for (let i = 1; i < all; i++)
				assert.ok(said.includes(`${i} of ${all - 1} summaries`), `${i}: ${said.join(" | ")}`);
			assert.equal(said.at(-1), `Done: ${all} summaries are in.`);
			assert.match(lines.at(-1) ?? "", /^Merging the summaries in message .*, [\d,]+ tokens$/);

			// The result is the server's, and what the page has for every other one is there for it.
			const api = await outcome(
				at,
				{ conversation: text, preset: "hierarchical", force: true },
				{ authorization: `Bearer ${TOKEN}` },
			);
			const { text: packed } = await download(page);
			assert.notEqual(packed, was);
			same(packed, api.conversation);
			assert.equal(await value(page, "after"), api.after);
			const archive = await downloadArchive(page);
			const transcripts = await Promise.all(
				api.transcripts.map((/** @type {string} */ ref) =>
					fetch(`${at}v1/transcripts/${ref}`, { headers: { authorization: `Bearer ${TOKEN}` } }).then((answer) =>
						answer.text(),
					),
				),
			);
			same(archive.text, transcripts.join(""));
			assert.match(
				(await page.locator("#requests-note").textContent()) ?? "",
				/^(\d+) requests for a summary\. \1 answered by this server \(claude-haiku-4-5\)\. /,
			);
			const card = page.locator(".request").first();
			assert.ok(await card.getByRole("radio", { name: "This server" }).isChecked());
			assert.equal(await card.getAttribute("data-outcome"), "summarize");
			const answer = (await card.getByLabel("Answer of the server").textContent()) ?? "";
			assert.match(answer, /^The summary of [0-9a-f]{12}\. /);
			await outputTab(page, /^Quality/);
			await page.getByTestId("kept-permille").waitFor();
			assert.equal(await page.getByTestId("kept-permille").getAttribute("data-value"), String(api.quality.permille));
			await outputTab(page, /^Diff/);
			await page
				.getByTestId("diff")
				.getByText(/The summary of [0-9a-f]{12}/)
				.first()
				.waitFor();

			const calls = await servers.fake.calls(name);
			assert.equal(calls.length, all, "the second time, all come from the cache");
			assert.deepEqual(
				calls.flatMap(({ problems }) => problems),
				[],
			);
			assert.ok(calls.every(({ key }) => key === KEY));

			// One answer can be set aside, and taken back without asking again.
			await outputTab(page, /^Requests/);
			await card.getByText("Summarizer", { exact: true }).click();
			await page.waitForFunction(() =>
				/built-in summarizer/.test(document.getElementById("requests-note")?.textContent ?? ""),
			);
			await settled(page);
			await card.getByText("This server", { exact: true }).click();
			await page.waitForFunction(
				(text) => document.querySelector("#requests .request pre")?.textContent === text,
				answer,
			);
			await settled(page);
			await page.waitForFunction(() =>
				/^(\d+) requests .* \1 answered by this server/.test(
					document.getElementById("requests-note")?.textContent ?? "",
				),
			);
			same((await download(page)).text, packed);
			assert.equal(sent.length, 2);
		},
		{ hash: "#preset=hierarchical&force=true", at },
	);
}

journey("a server summarizes, and its progress and its result are on the page", () =>
	story(servers.native.url, "native"),
);

test("the same on workerd; without a token and a store, with a key of one's own, the originals are in the archive", async () => {
	const workerd = await startWorkerd(settings("workerd"));
	try {
		await story(workerd.url, "workerd");
	} finally {
		await workerd.stop();
	}
	const other = await startWorkerd({ SUMMARIZER: "anthropic", SUMMARIZER_BASE_URL: servers.fake.base("open") });
	const text = session();
	try {
		await visit(
			async (page) => {
				await open(page, text);
				assert.match((await page.locator("#server-says").textContent()) ?? "", /The server stores nothing\.$/);
				assert.equal(await page.getByLabel("Token of this server", { exact: true }).isVisible(), false);
				await page.getByLabel("Your own key for Anthropic").fill(OWN);
				await start(page).click();
				await done(page);
				assert.match(
					(await log(page))[1],
					/^Originals not kept by the server, \d+ kB: download the archive to keep them$/,
				);
				const api = await outcome(
					other.url,
					{ conversation: text, preset: "regions", force: true },
					{ "x-api-key": OWN },
				);
				same((await download(page)).text, api.conversation);
				same((await downloadArchive(page)).text, api.archive);
				assert.ok((await servers.fake.calls("open")).every(({ key }) => key === OWN));
			},
			{ hash: MANY, at: other.url },
		);
	} finally {
		await other.stop();
	}
});

test("a log of Claude Code is summarized as a log, and a second time out of the cache", () =>
	visit(
		async (page) => {
			await servers.fake.script("native", [{ do: "ok" }]);
			const text = claudeCode(60);
			await choose(page, text, "log.jsonl");
			await settled(page);
			await outputTab(page, /^Requests/);
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			for (const cached of [false, true]) {
				await begin(page);
				await done(page);
				const lines = (await log(page)).filter((line) => line.startsWith("Message"));
				assert.ok(
					lines.length > 0 && lines.every((line) => line.endsWith(", from the cache") === cached),
					lines.join(" | "),
				);
			}
			const api = await outcome(
				servers.native.url,
				{ conversation: text, preset: "turns", force: true },
				{ authorization: `Bearer ${TOKEN}` },
			);
			same(asOpened(await download(page)), api.conversation);
		},
		{ hash: "#preset=turns&force=true", at: servers.native.url },
	));

test("a server without a model says so, and answers as the page does", async () => {
	const plain = await startServer();
	try {
		await visit(
			async (page) => {
				await open(page, session());
				const { text } = await download(page);
				assert.match(
					(await page.locator("#server-says").textContent()) ?? "",
					/, whose built-in summarizer answers, without a model\. /,
				);
				assert.equal(await page.locator("#server input:visible").count(), 0);
				await start(page).click();
				await done(page);
				same((await download(page)).text, text);
				assert.match(
					(await page.locator("#requests-note").textContent()) ?? "",
					/^(\d+) requests .* \1 answered by this server\. /,
				);
			},
			{ hash: MANY, at: plain.url },
		);
	} finally {
		await plain.stop();
	}
});

test("on a static host nothing of it shows", async () => {
	const host = await startStatic();
	try {
		await visit(
			async (page) => {
				const asked = page.waitForResponse(`${host.url}v1`);
				await choose(page, session());
				await settled(page);
				await outputTab(page, /^Requests/);
				assert.equal((await asked).status(), 404);
				await (await asked).finished();
				await page.locator(".request").first().waitFor();
				await still(page);
				assert.equal(await page.locator("#server").isVisible(), false);
				assert.equal(await page.locator("#promise").textContent(), "Nothing leaves this page");
			},
			{ hash: MANY, at: host.url },
		);
	} finally {
		await host.stop();
	}
});
