// This file tests in Node how the costs of what is paid again become the boxes of its picture.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../wasm/npm/index.js";
import { boxesOf, find, treeOf } from "../app/replay/flame.js";
import { anthropic } from "./sessions.js";

const engine = await load();
const RESENDS = engine.resent({
	conversation: JSON.stringify(anthropic(30, 6000)),
	preset: "s06",
	policy: { clear: { keepRecent: 5 } },
});

test("each part is as wide as its cost, and below the part that has it", () => {
	const tree = treeOf(RESENDS);
	assert.equal(tree.cost, RESENDS.cost);
	assert.deepEqual(
		tree.children.map(({ kind }) => kind),
		[...new Set(RESENDS.owners.filter(({ cost }) => cost > 0).map(({ owner }) => owner))],
	);
	const kind = find(tree, "results");
	for (const zoomed of [tree, kind, kind.children[0]]) {
		const boxes = boxesOf(zoomed, 0);
		for (const { node, level, from, to } of boxes) {
			assert.ok(from >= 0 && to <= 1.000001 && from <= to, node.key);
			const parent = boxes.find((other) => other.node === node.parent);
			if (parent) assert.ok(parent.level === level - 1 && parent.from <= from + 1e-9 && parent.to >= to - 1e-9);
			if (node.parent && zoomed === tree) assert.ok(Math.abs(to - from - node.cost / tree.cost) < 1e-6);
		}
	}
	assert.ok(boxesOf(tree, 0.1).length < boxesOf(tree, 0).length);
	assert.equal(find(tree, "nothing"), tree);
});
