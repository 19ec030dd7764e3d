// This file tests links: they hold the policy, the session only if the user adds it, and a hostile link does no harm.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { journey, test } from "./journeys.js";
import { choose, copied, pane, settled, startPage, value, visit } from "./page.js";
import { anthropic } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */

startPage();

/** Sessions of prose, so that a link can be too short for them. @param {number} words */
function prose(words) {
	let seed = 7;
	const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648);
	return JSON.stringify({
		messages: [
			{ role: "user", content: Array.from({ length: words }, () => next().toString(36)).join(" ") },
			{ role: "assistant", content: "Yes." },
		],
	});
}

/** @param {Page} page */
async function copiedLink(page) {
	await pane(page, "packed");
	const link = await copied(page, async () => {
		await page.getByRole("button", { name: "Copy link" }).click();
		await page.locator("#toasts").getByText("Copied the link").waitFor();
	});
	assert.equal(link, await page.locator("#share-link").inputValue());
	return link;
}

journey("a link holds the policy, and the session only if the user adds it; it opens unchanged", () =>
	visit(async (page) => {
		const content = JSON.stringify(anthropic(12));
		await choose(page, content, "night run.json");
		await settled(page);
		await page.locator("[data-path='clear.keepRecent'] input[type=number]").fill("5");
		await page.getByRole("textbox", { name: "What to preserve" }).fill("the API & its tests");
		await settled(page);
		const after = await value(page, "after");
		const result = await page.getByTestId("result").textContent();
		assert.equal(
			new URL(await copiedLink(page)).hash,
			"#preset=harness&focus=the+API+%26+its+tests&clear.keepRecent=5",
		);
		const sharing = page.getByTestId("share");
		assert.match((await sharing.textContent()) ?? "", /open their own session/);
		await sharing.getByRole("switch", { name: "Put the session into the link, too" }).check();
		await sharing
			.getByText(/The session is in the link, complete and readable: [\d,]+ of at most 32,768 characters/)
			.waitFor();
		const link = await copiedLink(page);
		assert.ok(link.length < 6000, String(link.length));
		assert.ok(
			!(await page.evaluate(() => location.hash)).includes("session="),
			"a shared session is in the link, not in the sender's address",
		);

		const other = await page.context().newPage();
		await other.goto(link);
		await settled(other);
		assert.match((await other.getByTestId("came").textContent()) ?? "", /was in the link that you opened/);
		assert.match((await other.getByTestId("session").textContent()) ?? "", /night run\.json/);
		assert.equal(await value(other, "after"), after);
		assert.equal(await other.getByTestId("result").textContent(), result);
		assert.equal(await other.getByRole("textbox", { name: "What to preserve" }).inputValue(), "the API & its tests");
		// A changed policy keeps it there, another session puts it out.
		await other.locator("#tuning").evaluate((fold) => fold.setAttribute("open", ""));
		await other.locator("[data-path='clear.keepRecent'] input[type=number]").fill("4");
		await settled(other);
		assert.match(await other.evaluate(() => location.hash), /keepRecent=4.*session=/);
		await other.reload();
		await settled(other);
		assert.match((await other.getByTestId("session").textContent()) ?? "", /night run\.json/);
		await choose(other, JSON.stringify(anthropic(5)), "mine.json");
		await other.getByText("mine.json").first().waitFor();
		await settled(other);
		assert.doesNotMatch(await other.evaluate(() => location.hash), /session=/);
		assert.equal(await other.getByTestId("came").isVisible(), false);

		// Consent is for one session.
		await choose(page, JSON.stringify(anthropic(6)), "other.json");
		await page.locator("[data-source='other.json']").waitFor();
		await settled(page);
		assert.equal(await sharing.getByRole("switch").isChecked(), false);
		assert.doesNotMatch(await page.locator("#share-link").inputValue(), /session=/);
	}),
);

test("a session too large for a link is refused with the numbers, and the link stays the policy's", () =>
	visit(async (page) => {
		const large = JSON.stringify({ messages: [{ role: "user", content: "word ".repeat(840_000) }] });
		const sessions = [
			["84 KB, packed", prose(12_000)],
			["more than the 4 MB that a link may unpack to", large],
		];
		for (const [name, session] of sessions) {
			await choose(page, session, `${name}.json`);
			await page.locator(`[data-source='${name}.json']`).waitFor();
			await settled(page);
			await pane(page, "packed");
			await page.getByRole("switch", { name: /Put the session/ }).click();
			await page
				.locator("#share-says")
				.getByText(/too large for a link: .*the maximum is 32,768/)
				.waitFor();
			assert.equal(await page.getByRole("switch", { name: /Put the session/ }).isChecked(), false);
			assert.doesNotMatch(await page.locator("#share-link").inputValue(), /session=/);
		}
	}));

const url64 = (/** @type {string | Buffer} */ content) => deflateRawSync(content).toString("base64url");

for (const [what, session, says] of /** @type {[string, string, RegExp][]} */ ([
	["that was cut", url64(JSON.stringify(anthropic(12))).slice(0, -40), /cut or changed in transit/],
	["of other characters", "%3Cscript%3Ealert(1)%3C%2Fscript%3E", /cut or changed in transit/],
	["that is empty", "", /cut or changed in transit/],
	["that unpacks to gigabytes", url64(Buffer.alloc(24 * 1024 * 1024)), /larger than this page allows/],
	["that is too long", "A".repeat(40_000), /longer than any link/],
])) {
	test(`a link with a session ${what} is refused in words, and the page works`, () =>
		visit(
			async (page) => {
				await page.locator("#error").getByText(says).waitFor();
				assert.match((await page.locator("#error").textContent()) ?? "", /Ask the sender/);
				assert.equal(await page.locator("#session").isVisible(), false);
				await choose(page, JSON.stringify(anthropic(5)));
				await settled(page);
				assert.equal(await page.locator("#error").textContent(), "");
				assert.ok(await page.locator("input[name=preset][value=s06]").isChecked());
			},
			{ hash: `#preset=s06&name=x&session=${session}` },
		));
}

test("a link carries text: one that is no session is refused like any other text, and nothing of it runs", () =>
	visit(
		async (page) => {
			await page.locator("#error .what").waitFor();
			assert.equal(await page.evaluate(() => "owned" in globalThis), false);
			assert.equal(await page.locator("main img, main script").count(), 0);
			assert.match(
				(await page.getByTestId("session").textContent()) ?? "",
				/<img src=x onerror=globalThis\.owned=1> · /,
			);
		},
		{
			hash: `#preset=s06&name=${encodeURIComponent("<img src=x onerror=globalThis.owned=1>\u202e\n")}&focus=${encodeURIComponent("<b>x</b>")}&session=${url64("<img src=x onerror=globalThis.owned=1>")}`,
		},
	));

test("a link names an example, a tab and a call or a block, and opens there", () =>
	visit(
		async (page) => {
			await settled(page);
			assert.equal(await page.title(), "spans.json – Tamp");
			await page.locator("#timeline-call").getByText("Call 5", { exact: true }).waitFor();
			await page.locator("#timeline-handle").focus();
			await page.keyboard.press("ArrowRight");
			await page.waitForFunction(() => /example=spans&tab=timeline&call=6$/.test(location.hash));
			await pane(page, "blocks");
			await page.locator("#list").focus();
			for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
			const path = await page.locator("#list [aria-selected=true]").getAttribute("data-path");
			await page.waitForFunction((at) => new URLSearchParams(location.hash).get("block") === at, path);
			await page.reload();
			await settled(page);
			await page.locator(`#list [aria-selected=true][data-path="${path}"]`).waitFor();
		},
		{ hash: "#example=spans&tab=timeline&call=5" },
	));

test("the first screen asks for a session; its example opens from the start, with its timeline", () =>
	visit(
		async (page) => {
			for (const id of ["text", "choose-folder", "see-example"]) await page.locator(`#${id}`).waitFor();
			assert.equal(await page.locator("#session").isVisible(), false);
			await page.locator("#see-example").click();
			await settled(page);
			assert.equal(await page.locator("#chip .name").textContent(), "tour.jsonl");
			await page.locator("[data-testid=timeline][data-state=ready]").waitFor({ timeout: 60_000 });
			await page.getByTestId("start-figures").getByText("Requests over the window").waitFor();
			await page.getByTestId("start-figures").getByText("Names missed").waitFor();
		},
		{ hash: "" },
	));

test("a link to an example that is gone says so, and the page can be used", () =>
	visit(
		async (page) => {
			await page.locator("#toasts").getByText("There is no example “nosuch”.").waitFor();
			await page.locator(".example").first().click();
			await settled(page);
		},
		{ hash: "#example=nosuch" },
	));

journey("a session survives a reload of its tab, and is in no other tab", () =>
	visit(async (page) => {
		await choose(page, JSON.stringify(anthropic(6)), "mine.json");
		await settled(page);
		const before = await value(page, "before");
		await page.waitForFunction(() => sessionStorage.getItem("tamp-tab-session") !== null);
		await page.reload();
		await settled(page);
		assert.equal(await page.locator("#chip .name").textContent(), "mine.json");
		assert.equal(await value(page, "before"), before);
		const other = await page.context().newPage();
		await other.goto(page.url());
		await other.locator("input[name=preset]").first().waitFor({ state: "attached" });
		await other.waitForTimeout(300);
		assert.equal(await other.locator("#session").isVisible(), false);
		await page.getByRole("link", { name: "Tamp, start over" }).click();
		await page.waitForFunction(() => sessionStorage.getItem("tamp-tab-session") === null);
	}),
);
