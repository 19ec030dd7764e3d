// This file is the tree of what the requests send again, and its rectangles: one row for each level, as wide as their
// costs. It draws nothing.

import { ownerName, OWNERS } from "./owners.js";
import { number } from "../ui/words.js";

/** @import { Resends, ResentOwner, ResentBlock } from "../../npm/wire.js" */

/**
 * @typedef {object} Node
 * @property {string} key
 * @property {string} kind of the owner; "" for the root
 * @property {string} name
 * @property {string} means
 * @property {number} cost without compaction
 * @property {number} compacted the cost under the policy
 * @property {number} resent tokens × requests, without compaction
 * @property {number} left the same under the policy
 * @property {ResentBlock | null} block
 * @property {Node[]} children
 * @property {Node | null} parent
 */

const NAMELESS = "text"; // of an owner without a name next to those of tools

/** @typedef {{node: Node, level: number, from: number, to: number}} Box places from 0 to 1 */

/** The session, its kinds of owners, its owners, their largest blocks. @param {Resends} resends @returns {Node} */
export function treeOf({ owners, cost, compacted, resent, left }) {
	const root = make("all", "", "The whole session", "everything that the requests send again", null);
	Object.assign(root, { cost, compacted, resent, left });
	for (const owner of owners) {
		if (owner.cost === 0) continue;
		const { name, means } = OWNERS[owner.owner] ?? { name: owner.owner, means: "" };
		let kind = root.children.find((child) => child.kind === owner.owner);
		if (!kind) {
			kind = make(owner.owner, owner.owner, name, means, root);
			root.children.push(kind);
		}
		add(kind, owner);
		const isOnly = owners.filter((one) => one.owner === owner.owner).length === 1;
		const own = isOnly && !owner.name ? kind : child(kind, owner);
		const blocks = owner.largest.filter(({ cost, name, message }) => cost > 0 && (name || message >= 0));
		own.children.push(...blocks.map((block, i) => leaf(own, block, i)));
	}
	return root;
}

/**
 * @param {string} key
 * @param {string} kind
 * @param {string} name
 * @param {string} means
 * @param {Node | null} parent
 * @returns {Node}
 */
function make(key, kind, name, means, parent) {
	return { key, kind, name, means, cost: 0, compacted: 0, resent: 0, left: 0, block: null, children: [], parent };
}

/** @param {Node} node @param {ResentOwner} owner */
function add(node, { cost, compacted, resent, left }) {
	node.cost += cost;
	node.compacted += compacted;
	node.resent += resent;
	node.left += left;
}

/** @param {Node} kind @param {ResentOwner} owner */
function child(kind, owner) {
	const name = owner.name ?? "";
	const node = make(`${kind.key}/${name}`, kind.kind, name || NAMELESS, ownerName(kind.kind, name || NAMELESS), kind);
	add(node, owner);
	kind.children.push(node);
	return node;
}

/** @param {Node} parent @param {ResentBlock} block @param {number} i */
function leaf(parent, block, i) {
	const name = block.name ?? `message ${number(block.message + 1)}`;
	const node = make(`${parent.key}/#${i}`, parent.kind, name, "", parent);
	const { cost, compacted, tokens, requests, left } = block;
	return Object.assign(node, { cost, compacted, resent: tokens * requests, left: tokens * left, block });
}

/** The path from the root to a node. @param {Node} node @returns {Node[]} */
export function pathOf(node) {
	return node.parent ? [...pathOf(node.parent), node] : [node];
}

/** The node with a key, or the root. @param {Node} root @param {string} key @returns {Node} */
export function find(root, key) {
	if (root.key === key) return root;
	for (const node of root.children) {
		const found = find(node, key);
		if (found.key === key) return found;
	}
	return root;
}

/**
 * The rectangles of a tree, zoomed to one of its nodes: the nodes above it are as wide as the picture.
 * @param {Node} zoomed
 * @param {number} least the smallest width that is drawn
 * @returns {Box[]}
 */
export function boxesOf(zoomed, least) {
	const above = pathOf(zoomed);
	/** @type {Box[]} */
	const boxes = above.map((node, level) => ({ node, level, from: 0, to: 1 }));
	/** @param {Node} node @param {number} level @param {number} from @param {number} to */
	const below = (node, level, from, to) => {
		let at = from;
		for (const one of node.children) {
			const width = ((to - from) * one.cost) / Math.max(1, node.cost);
			if (width >= least) {
				boxes.push({ node: one, level, from: at, to: at + width });
				below(one, level + 1, at, at + width);
			}
			at += width;
		}
	};
	below(zoomed, above.length, 0, 1);
	return boxes;
}

/** The share of a node that compaction removes, from 0 to 1. @param {Node} node */
export function removedShare({ cost, compacted }) {
	return cost === 0 ? 0 : Math.max(0, Math.min(1, (cost - compacted) / cost));
}
