// This file tests the place Live: the real server with its gateway, and the fake provider behind it.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { look, WIDTHS } from "./axe.js";
import { journey, test } from "./journeys.js";
import { overflow, settled, startPage, visit } from "./page.js";
import { startFake, startServer, startStatic } from "./servers.js";

startPage();

const TOKEN = "a token of this test";

/** @type {Awaited<ReturnType<typeof startFake>>} */
let fake;
/** @type {import("./servers.js").Running[]} */
const started = [];
let open = "";
let closed = "";
before(async () => {
	fake = await startFake();
	await fake.script("live", [{ do: "ok" }]);
	/** @type {Record<string, string>} */
	const settings = {
		UPSTREAMS: `anthropic=${fake.base("live")}`,
		GATEWAY_POLICY: '{"preset":"balanced","trigger":{"window":40000}}',
	};
	started.push(await startServer(settings), await startServer({ ...settings, TAMP_TOKEN: TOKEN }));
	[open, closed] = started.map(({ url }) => url);
});
after(async () => {
	for (const { stop } of started) await stop();
	await fake?.stop();
});

/**
 * A call of an agent after n rounds.
 * @param {string} at
 * @param {number} n
 * @param {string} session
 * @param {Record<string, string>} [headers]
 */
async function call(at, n, session, headers = {}) {
	const rounds = Array.from({ length: n }, (_, i) => [
		{ role: "assistant", content: [{ type: "tool_use", id: `c${i}`, name: "read", input: { path: `f${i}` } }] },
		{
			role: "user",
			content: [{ type: "tool_result", tool_use_id: `c${i}`, content: `line ${i} of the file\n`.repeat(300) }],
		},
	]);
	const messages = [{ role: "user", content: "Read all the files." }, ...rounds.flat()];
	const answer = await fetch(`${at}anthropic/v1/messages`, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			"anthropic-version": "2023-06-01",
			"x-api-key": "a key",
			"user-agent": "agent/1.2 (test)",
			"x-session-id": session,
			...headers,
		},
		body: JSON.stringify({ model: "claude-opus-4-5", max_tokens: 100, messages }),
	});
	assert.equal(answer.status, 200, await answer.text());
}

test("Live is hidden on a static host, whatever the address says", async () => {
	const { url, stop } = await startStatic();
	try {
		await visit(
			async (page) => {
				await page.locator("#input").waitFor();
				assert.equal(await page.locator("#to-live").isVisible(), false);
				assert.equal(await page.locator("#place-live").isVisible(), false);
			},
			{ at: url, hash: "#place=live" },
		);
	} finally {
		await stop();
	}
});

journey("sessions appear as agents call, with their figures, and one opens in the timeline", () =>
	visit(
		async (page) => {
			await page.getByText("No agent has called this server").waitFor();
			assert.ok((await page.locator("#place-live pre").textContent())?.includes(`${open}anthropic claude`));
			await call(open, 3, "one");
			const row = page.getByTestId("live-sessions").locator("tbody tr");
			await row.getByText("agent 1.2").waitFor();
			assert.match((await row.textContent()) ?? "", /claude-opus-4-5.*window 40,000.*passed unchanged: below limits/s);
			// The window of 40,000 makes the gateway compact; the row follows without a reload.
			for (let n = 4; n < 18; n++) await call(open, n, "one");
			await row.getByText(/\d compaction/).waitFor();
			await row.getByText(/[\d,]+ → [\d,]+/).waitFor();
			await row.getByText("agent 1.2").click();
			await settled(page);
			assert.equal(await page.locator("#tab-timeline").getAttribute("aria-selected"), "true");
			assert.match((await page.getByTestId("session").textContent()) ?? "", /agent 1\.2.*3\d blocks/);
			await page.goBack();
			await row.getByText("agent 1.2").waitFor();
			assert.equal(await page.title(), "Live – Tamp");
		},
		{ at: open, hash: "#place=live" },
	),
);

journey("a server with a token asks for it, and keeps it for the tab only", () =>
	visit(
		async (page) => {
			await call(closed, 2, "one", { "x-tamp-token": TOKEN });
			const field = page.locator("#live-token");
			const show = page.getByRole("button", { name: "Show the sessions" });
			await field.fill("naïve");
			await show.click();
			await page.getByText("only letters, digits and signs of ASCII").waitFor();
			await field.fill("another token");
			await show.click();
			await page.getByText("The server refused this token.").waitFor();
			await field.fill(TOKEN);
			await show.click();
			const row = page.getByTestId("live-sessions").locator("tbody tr");
			await row.getByText("agent 1.2").waitFor();
			assert.equal(await field.isVisible(), false);
			await page.reload();
			await row.getByText("agent 1.2").click();
			await settled(page);
			const other = await page.context().newPage();
			await other.goto(page.url().replace(/#.*/, "#place=live"));
			await other.locator("#live-token").waitFor();
			assert.equal(await other.evaluate(() => Object.values(localStorage).join().includes("token")), false);
		},
		{ at: closed, hash: "#place=live" },
	),
);

test("a server that keeps no requests lists the sessions, and they cannot be opened", async () => {
	const { url, stop } = await startServer({ UPSTREAMS: `anthropic=${fake.base("live")}`, GATEWAY_KEEP: "0" });
	try {
		await visit(
			async (page) => {
				await call(url, 2, "one");
				const row = page.getByTestId("live-sessions").locator("tbody tr");
				await row.getByText("its request is not kept").waitFor();
				assert.equal(await row.getByRole("button").count(), 0);
				await page.locator("#to-session").click();
				await page.locator("#input").waitFor();
			},
			{ at: url, hash: "#place=live" },
		);
	} finally {
		await stop();
	}
});

test("a server that stops is waited for", async () => {
	const { url, stop } = await startServer();
	await visit(
		async (page) => {
			await page.getByText("No agent has called this server").waitFor();
			await stop();
			await page.getByText("The server does not answer. Trying again…").waitFor();
		},
		{ at: url, hash: "#place=live", violates: true }, // the browser notes each failed try
	);
});

for (const width of WIDTHS)
	test(`axe finds nothing in Live, light and dark, ${width} px`, () =>
		visit(
			async (page) => {
				/** @type {Record<string, string[]>} */
				const found = {};
				await page.locator("#live-token").waitFor();
				await look(page, "a token is needed", found);
				await page.goto(`${open}#place=live`);
				await call(open, 12, `axe ${width}`);
				await page.getByTestId("live-sessions").waitFor();
				await look(page, "a list", found);
				assert.deepEqual(found, {});
				assert.equal(await overflow(page), 0);
			},
			{ at: closed, width, hash: "#place=live", violates: true },
		));
