// This file tests "Summarize with this server": the page, the real server, natively and on workerd, and the fake
// provider behind it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { poorContrast } from "./contrast.js";
import { choose, download, outputTab, settled, startPage, still, value, visit } from "./page.js";
import { startFake, startServer, startStatic, startWorkerd } from "./servers.js";
import { anthropic, claudeCode } from "./sessions.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./servers.js").Running} Running */

const TOKEN = "a token that cannot be guessed";
const KEY = "sk-ant-of-the-operator";
const OWN = "sk-ant-of-my-own";
const MANY = "#preset=regions&force=true";

/** @type {Awaited<ReturnType<typeof startFake>>} */
let fake;
/** @type {Running} */
let native;

startPage();
before(async () => {
	fake = await startFake();
	native = await startServer(settings("native"));
});
after(async () => {
	await native?.stop();
	await fake?.stop();
});

/**
 * A server with a summarizer, a token and a key.
 * @param {string} name of the fake's script
 * @returns {Record<string, string>}
 */
function settings(name) {
	return { SUMMARIZER: "anthropic", SUMMARIZER_BASE_URL: fake.base(name), SUMMARIZER_API_KEY: KEY, TAMP_TOKEN: TOKEN };
}

/** Each session has words of its own, and so other summaries: no test finds those of another in the server's cache. */
let sessions = 0;
function session(rounds = 30) {
	const own = String.fromCharCode(97 + (sessions++ % 26)).repeat(2 + Math.floor(sessions / 26));
	return JSON.stringify(anthropic(rounds, 3000)).replaceAll("SimpleFold", `Simple${own}`);
}

/** Opens a session and looks at its requests. @param {Page} page @param {string} text */
async function open(page, text) {
	await choose(page, text);
	await settled(page);
	await outputTab(page, /^Requests/);
	await page.locator(".request").first().waitFor();
	await start(page).waitFor();
}

/** @param {Page} page */
const start = (page) => page.getByRole("button", { name: "Summarize with this server" });
/** @param {Page} page */
const cancel = (page) => page.getByRole("button", { name: "Cancel" });
/** @param {Page} page @param {string} state */
const turned = (page, state) => page.locator(`#server[data-state=${state}]`).waitFor();
/** @param {Page} page */
const log = (page) => page.locator("#server-log li").allTextContents();
/** How many requests the page has. @param {Page} page */
const count = async (page) =>
	Number(/\d+/.exec((await page.getByRole("tab", { name: /^Requests/ }).textContent()) ?? "")?.[0]);
/** @param {Page} page */
const now = (page) => page.locator("#server-now").textContent();

/**
 * Starts the server's work, and waits until it runs: out of the cache it may be over before one looks.
 * @param {Page} page
 */
async function begin(page) {
	const running = await page.locator("#server").evaluateHandle((root) => ({
		seen: new Promise((resolve) =>
			new MutationObserver(() => root.dataset.state === "running" && resolve(null)).observe(root, { attributes: true }),
		),
	}));
	await start(page).click();
	await running.evaluate(({ seen }) => seen);
}

/** Waits until the server's answers are in. @param {Page} page */
async function done(page) {
	await page.locator("#server-now").getByText(/^Done/).waitFor();
	await settled(page);
}

/** Two long texts; a difference of whole sessions is too long to read. @param {string} got @param {string} want */
function same(got, want) {
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
async function outcome(at, request, headers) {
	const answer = await fetch(`${at}v1/compact`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(request),
	});
	assert.equal(answer.status, 200);
	return /** @type {any} */ (await answer.json());
}

/**
 * The main story: two rounds of summaries, watched, and the result.
 * @param {string} at
 * @param {string} name of the fake's script
 */
async function story(at, name) {
	await fake.script(name, [{ do: "ok", delayMs: 60 }]);
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
			const { text: packed } = await download(page, "Download");
			assert.notEqual(packed, was);
			same(packed, api.conversation);
			assert.equal(await value(page, "after"), api.after);
			const archive = await download(page, "Download archive");
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
			assert.match(answer, /^The summary of [0-9a-f]{12}\.$/);
			await outputTab(page, /^Quality/);
			await page.getByTestId("kept-permille").waitFor();
			assert.equal(await page.getByTestId("kept-permille").getAttribute("data-value"), String(api.quality.permille));
			await outputTab(page, /^Diff/);
			await page
				.getByTestId("diff")
				.getByText(/The summary of [0-9a-f]{12}/)
				.first()
				.waitFor();

			const calls = await fake.calls(name);
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
			same((await download(page, "Download")).text, packed);
			assert.equal(sent.length, 2);
		},
		{ hash: "#preset=hierarchical&force=true", at },
	);
}

test("a server summarizes, and its progress and its result are on the page", () => story(native.url, "native"));

test("the same on workerd; without a token and a store, with a key of one's own, the originals are in the archive", async () => {
	const workerd = await startWorkerd(settings("workerd"));
	try {
		await story(workerd.url, "workerd");
	} finally {
		await workerd.stop();
	}
	const other = await startWorkerd({ SUMMARIZER: "anthropic", SUMMARIZER_BASE_URL: fake.base("open") });
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
				same((await download(page, "Download")).text, api.conversation);
				same((await download(page, "Download archive")).text, api.archive);
				assert.ok((await fake.calls("open")).every(({ key }) => key === OWN));
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
			await fake.script("native", [{ do: "ok" }]);
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
				native.url,
				{ conversation: text, preset: "turns", force: true },
				{ authorization: `Bearer ${TOKEN}` },
			);
			same((await download(page, "Download")).text, api.conversation);
		},
		{ hash: "#preset=turns&force=true", at: native.url },
	));

test("a summary that fails says why, and its region takes the engine's other way", () =>
	visit(
		async (page) => {
			await fake.script("native", [{ do: "ok" }, { do: "refusal" }, { do: "ok" }]);
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
			const card = page.locator(".request").filter({ hasText: "the model refused" });
			assert.equal(await card.count(), 1);
			assert.equal(await card.locator("h4").textContent(), (await failed.textContent())?.split(",")[0]);
			assert.ok(["failed", "truncate"].includes((await card.getAttribute("data-outcome")) ?? ""));
			assert.equal(await page.locator(".request[data-outcome=summarize]").count(), all - 1);
		},
		{ hash: MANY, at: native.url },
	));

test("without the token the server says so, and where; with it, Enter is enough", () =>
	visit(
		async (page) => {
			await fake.script("native", [{ do: "ok" }]);
			const before = (await fake.calls("native")).length;
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
			assert.equal((await fake.calls("native")).length, before);
			await field.fill(TOKEN);
			await page.keyboard.press("Enter");
			await done(page);
			assert.equal(await alert.textContent(), "");
			assert.equal(await page.locator("#server [aria-invalid]").count(), 0);
			await page.reload();
			await open(page, session());
			assert.equal(await field.inputValue(), "", "a reload forgets it");
		},
		{ hash: MANY, at: native.url },
	));

test("with the keyboard: press, watch, cancel; nothing has changed, and the server stops asking", () =>
	visit(
		async (page) => {
			await fake.script("native", [{ do: "ok" }, { do: "ok", delayMs: 60_000 }]);
			const before = (await fake.calls("native")).length;
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
			assert.ok((await fake.calls("native")).length - before <= 5, "four at once, and the one that came");
			assert.equal(await page.locator("#server [role=alert]").textContent(), "");
		},
		{ hash: MANY, at: native.url },
	));

test("the latest input wins: another policy and another session cancel it, and a press after that counts", () =>
	visit(
		async (page) => {
			await fake.script("native", [{ do: "ok", delayMs: 60_000 }]);
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

			await fake.script("native", [{ do: "ok" }]);
			await start(page).click();
			await done(page);
			assert.equal(await now(page), `Done: ${await count(page)} summaries are in.`);
			assert.match(
				(await page.locator("#requests-note").textContent()) ?? "",
				/^(\d+) requests for a summary\. \1 answered by this server/,
			);
		},
		{ hash: MANY, at: native.url },
	));

test("a policy that is changed and set back has the server's answers again", () =>
	visit(
		async (page) => {
			await fake.script("native", [{ do: "ok" }]);
			await open(page, session());
			await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
			await start(page).click();
			await done(page);
			const { text } = await download(page, "Download");
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
			same((await download(page, "Download")).text, text);
		},
		{ hash: MANY, at: native.url },
	));

test("a server that goes away, in the middle and before", async () => {
	const away = await startServer(settings("away"));
	await fake.script("away", [{ do: "ok", delayMs: 60_000 }]);
	let stopped = false;
	try {
		await visit(
			async (page) => {
				await open(page, session());
				const was = await page.getByTestId("result").textContent();
				await page.getByLabel("Token of this server", { exact: true }).fill(TOKEN);
				await start(page).click();
				await page.locator("#server-log [data-kind=saved]").waitFor();
				await away.stop();
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

test("a server without a model says so, and answers as the page does", async () => {
	const plain = await startServer();
	try {
		await visit(
			async (page) => {
				await open(page, session());
				const { text } = await download(page, "Download");
				assert.match(
					(await page.locator("#server-says").textContent()) ?? "",
					/, whose built-in summarizer answers, without a model\. /,
				);
				assert.equal(await page.locator("#server input:visible").count(), 0);
				await start(page).click();
				await done(page);
				same((await download(page, "Download")).text, text);
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
				assert.equal(
					await page.locator("#promise").textContent(),
					"Nothing leaves this page: the engine runs in your browser.",
				);
			},
			{ hash: MANY, at: host.url },
		);
	} finally {
		await host.stop();
	}
});

for (const [colorScheme, width] of /** @type {const} */ ([
	["light", 1280],
	["dark", 1280],
	["light", 400],
	["dark", 400],
	["light", 320],
])) {
	test(`it is easy to read, ${colorScheme}, ${width} px`, () =>
		visit(
			async (page) => {
				await fake.script("native", [{ do: "refusal" }, { do: "ok" }, { do: "ok", delayMs: 60_000 }]);
				const fine = async (/** @type {string} */ when) => {
					await page.mouse.move(2, 2);
					assert.deepEqual(await page.evaluate(poorContrast), [], when);
					assert.equal(
						await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
						0,
						when,
					);
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
			{ hash: MANY, at: native.url, colorScheme, width },
		));
}
