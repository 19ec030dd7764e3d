// This file tests the promise: nothing leaves the page, and what a session says is only ever text.

import assert from "node:assert/strict";
import { journey, test } from "./journeys.js";
import { choose, outputTab, settled, startPage, unfold, visit } from "./page.js";
import { anthropic } from "./sessions.js";

startPage();

journey("the policy of the page blocks a request to another origin, an inline script and an inline style", () =>
	visit(
		async (page) => {
			const blocked = await page.evaluate(async () => {
				/** @type {string[]} */
				const directives = [];
				document.addEventListener("securitypolicyviolation", (event) => {
					directives.push(event.effectiveDirective);
					event.stopImmediatePropagation();
				});
				const refused = await fetch("https://example.org/").then(
					() => false,
					() => true,
				);
				const script = document.createElement("script");
				script.textContent = "globalThis.owned = true";
				document.body.append(script);
				const element = document.createElement("p");
				element.setAttribute("style", "color: red");
				// one directive can be reported twice
				for (const end = performance.now() + 60_000; new Set(directives).size < 3 && performance.now() < end; )
					await new Promise((resolve) => requestAnimationFrame(resolve));
				return { refused, owned: "owned" in globalThis, directives: [...new Set(directives)].sort() };
			});
			assert.equal(blocked.refused, true);
			assert.equal(blocked.owned, false);
			assert.deepEqual(blocked.directives, ["connect-src", "script-src-elem", "style-src-attr"]);
		},
		{ violates: true },
	),
);

journey("markup in a session is shown, not run", () =>
	visit(async (page) => {
		const body = anthropic(6);
		const attack = '<img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>';
		body.messages[0].content = attack;
		body.messages[1].content[1].name = attack;
		body.messages[2].content[0].content = attack.repeat(20);
		await choose(page, JSON.stringify(body), `${attack}.json`);
		await settled(page);
		await page.getByRole("switch", { name: "Compact now" }).check();
		for (const name of ["Decisions", "Diff", "Requests", "Breakpoints", "Quality", "Archive"]) {
			await outputTab(page, new RegExp(`^${name}`));
			await settled(page);
			await unfold(page);
		}
		assert.match((await page.locator("#diff").textContent()) ?? "", /<img src=x onerror/);
		assert.equal(await page.evaluate(() => "owned" in globalThis), false);
		assert.equal(await page.locator("main img, main script").count(), 0);
		assert.match((await page.locator("#details").textContent()) ?? "", /./);
	}),
);

test("the page and its server name the same policy", () =>
	visit(async (page) => {
		const header = await page.evaluate(() =>
			fetch(location.href).then((response) => response.headers.get("content-security-policy") ?? ""),
		);
		const meta = (await page.locator("meta[http-equiv='Content-Security-Policy']").getAttribute("content")) ?? "";
		// frame-ancestors has no effect in a meta element, so only the server says it.
		const parts = (/** @type {string} */ policy) =>
			policy
				.split(";")
				.map((part) => part.trim())
				.filter((part) => part && !part.startsWith("frame-ancestors"))
				.sort();
		assert.deepEqual(parts(meta), parts(header));
	}));
