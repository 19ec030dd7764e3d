// This file tests the state of the page: what draws when, and that no view knows another one.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Store } from "../app/store.js";

const app = new URL("../app/", import.meta.url).pathname;

/** A store with two members, whose pieces run when they are told to. */
function made() {
	/** @type {(() => unknown)[]} */
	const waiting = [];
	const store = new Store(
		/** @type {any} */ ({ call: 0, block: "" }),
		/** @type {any} */ ({ add: (/** @type {(() => unknown)[]} */ ...pieces) => waiting.push(...pieces) }),
	);
	return { store, run: () => waiting.splice(0).forEach((piece) => void piece()) };
}

test("a view draws once for each change of what it watches, and not for the same value", () => {
	const { store } = made();
	/** @type {unknown[]} */
	const drawn = [];
	store.watch(["call", "block"], ({ call, block }) => drawn.push([call, block]));
	store.put({ call: 1, block: "/0" });
	store.put({ call: 1 });
	store.put({ zoom: { from: 0, to: 1 } });
	store.put({ block: "/1" });
	assert.deepEqual(drawn, [
		[1, "/0"],
		[1, "/1"],
	]);
});

test("a value that another one has replaced is not drawn, and what a view changes is drawn by the others", () => {
	const { store, run } = made();
	/** @type {unknown[]} */
	const drawn = [];
	store.watchInPieces("call", ({ call }) => drawn.push(call));
	store.watch(["block"], ({ block }) => store.put({ call: block.length }));
	store.put({ call: 1 });
	store.put({ call: 2 });
	run();
	store.put({ block: "/messages" });
	run();
	assert.deepEqual(drawn, [2, 9]);
});

test("no view knows another one: only main.js makes and holds them", () => {
	const main = readFileSync(`${app}main.js`, "utf8");
	const views = [...main.matchAll(/new (\w+)\(store[,)]/g)].map(([, name]) => name);
	const shared = ["Session", "Address"]; // the acts of the user, and the address
	const own = views.filter((name) => !shared.includes(name));
	assert.ok(own.length >= 14, own.join());
	for (const file of readdirSync(app, { encoding: "utf8", recursive: true })) {
		if (file === "main.js" || !file.endsWith(".js")) continue;
		for (const [, names] of readFileSync(app + file, "utf8").matchAll(/^import \{([^}]*)\}/gm))
			for (const name of names.split(",").map((one) => one.trim()))
				assert.ok(!own.includes(name), `${file} imports the view ${name}`);
	}
});
