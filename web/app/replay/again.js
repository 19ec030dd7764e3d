// This file is the flame view of what is paid again: each request sends the whole conversation, so a block is paid by
// all requests after its first. The numbers are the engine's (operation resent); this file only draws them.

import { money } from "./callText.js";
import { boxesOf, find, pathOf, removedShare, treeOf } from "./flame.js";
import { ownerName } from "./owners.js";
import { byId, fill, h } from "../ui/dom.js";
import { number, percent, plural } from "../ui/words.js";

/** @import { Node, Box } from "./flame.js" */
/** @import { Resends, Replay as Report } from "../../npm/wire.js" */
/** @import { ReplayStatus } from "./replays.js" */

const ROW = 34; // pixels
const LEAST = 3; // pixels of the narrowest rectangle
const LEVELS = 4; // session, kind, owner, block

export class Again {
	/** @param {(message: number, block: number) => void} open shows a block */
	constructor(open) {
		this.root = byId("again");
		this.flame = byId("again-flame");
		this.flame.style.height = `${LEVELS * ROW}px`;
		this.title = this.is = "";
		/** @type {Resends | null} */
		this.resends = null;
		/** @type {Report | null} */
		this.base = null;
		/** @type {Node | null} */
		this.tree = null;
		/** The keys of the zoomed node and of the node that has the focus. */
		this.zoomed = this.at = "all";
		/** @type {Box[]} */
		this.boxes = [];
		this.flame.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
		byId("again-out").addEventListener("click", () => this.out());
		byId("again-table").addEventListener("toggle", () => this.table());
		byId("again-block").addEventListener("click", () => {
			const block = this.tree && find(this.tree, this.at).block;
			if (block) open(block.message, block.block);
		});
		new ResizeObserver(() => this.draw()).observe(this.flame);
	}

	/** Call for a new session. */
	wait() {
		this.resends = this.tree = null;
		this.zoomed = this.at = "all";
		this.state("waiting", "The session is being read.");
		this.draw();
		this.table();
	}

	/** @param {string} name @param {string} text */
	state(name, text) {
		this.is = this.root.dataset.state = name;
		this.root.setAttribute("aria-busy", String(name === "waiting" || name === "computing"));
		const says = byId("again-says");
		if (says.textContent !== text) says.textContent = text;
	}

	/** @param {string} title of the preset @param {ReplayStatus} status @param {Report | null} base without compaction */
	show(title, { settled, running, done, of }, base) {
		this.title = title;
		this.base = base;
		if (!settled) {
			const how = running && of > 0 ? `: ${Math.floor((100 * done) / of)} %` : ""; // of both replays together
			return this.state("computing", `Adding up what each request sends again${how}…`);
		}
		if ("failure" in settled) {
			this.resends = this.tree = null;
			this.state("failed", `The session cannot be replayed: ${settled.failure.message}.`);
			this.draw();
			return this.table();
		}
		if (!("resends" in settled)) return;
		const { resends } = settled;
		if (resends === this.resends && this.is === "ready") return;
		this.resends = resends;
		this.tree = treeOf(resends);
		this.zoomed = find(this.tree, this.zoomed).key;
		this.at = find(this.tree, this.at).key;
		this.state("ready", this.sentence(resends));
		this.draw();
		this.table();
	}

	/** @param {Resends} resends */
	sentence({ calls, resent, cost, compacted, left }) {
		if (resent === 0) return `Nothing is sent again: the session has ${plural(calls, "model call")}.`;
		const total = this.base?.totals.cost ?? 0;
		const share = total > 0 ? `, ${percent(Math.round((cost * 1000) / total))} of the cost of the session` : "";
		const assumed = this.base?.priced === false ? " (at the assumed price of a mid-range model)" : "";
		return `In ${plural(calls, "model call")}, ${number(resent)} tokens are sent again for ${money(cost)}${share}${assumed}. With ${this.title}: ${number(left)} tokens for ${money(compacted)}.`;
	}

	draw() {
		const { tree } = this;
		const width = this.flame.clientWidth;
		byId("again-out").disabled = this.zoomed === "all";
		if (!tree || tree.cost === 0 || width < 40) {
			this.boxes = [];
			fill(this.flame);
			return this.tell(null);
		}
		this.boxes = boxesOf(find(tree, this.zoomed), LEAST / width);
		if (!this.boxes.some(({ node }) => node.key === this.at)) this.at = this.zoomed;
		const held = this.flame.contains(document.activeElement);
		fill(this.flame, ...this.boxes.map((box) => this.box(box, width)));
		if (held) this.focus();
		this.tell(find(tree, this.at));
	}

	/** @param {Box} box @param {number} width */
	box({ node, level, from, to }, width) {
		const element = h(
			"button.flame-box",
			{
				"data-key": node.key,
				"data-kind": node.kind,
				"aria-label": wordsOf(node, this.title),
				title: wordsOf(node, this.title),
				tabindex: node.key === this.at ? 0 : -1,
				on: {
					click: () => this.zoom(node.key),
					focus: () => {
						this.at = node.key;
						for (const one of this.flame.children) one.tabIndex = one.dataset.key === node.key ? 0 : -1;
						this.tell(node);
					},
					pointerenter: () => this.tell(node),
				},
			},
			(to - from) * width > 34 ? h("span", node.name) : null,
		);
		const { style } = element; // an attribute is against the page's content security policy
		style.insetBlockStart = `${level * ROW}px`;
		style.insetInlineStart = `${(from * 100).toFixed(3)}%`;
		style.width = `${((to - from) * 100).toFixed(3)}%`;
		style.setProperty("--removed", `${(removedShare(node) * 100).toFixed(1)}%`);
		return element;
	}

	/** What the rectangle means, below the picture. @param {Node | null} node */
	tell(node) {
		byId("again-node").textContent = node ? wordsOf(node, this.title) : " ";
		const { block = null } = (this.tree && find(this.tree, this.at)) ?? {};
		byId("again-block").hidden = !block || block.message < 0;
	}

	/** @param {string} key */
	zoom(key) {
		if (!this.tree) return;
		this.zoomed = this.at = key;
		this.draw();
		this.focus();
	}

	out() {
		const node = this.tree && find(this.tree, this.zoomed);
		if (node?.parent) this.zoom(node.parent.key);
	}

	focus() {
		/** @type {HTMLElement | null} */ (this.flame.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || !this.tree) return;
		const node = find(this.tree, this.at);
		const drawn = (/** @type {Node[]} */ nodes) =>
			nodes.filter((one) => this.boxes.some((box) => box.node.key === one.key));
		const row = drawn(node.parent?.children ?? [node]);
		const at = row.indexOf(node);
		/** @type {Record<string, Node | null | undefined>} */
		const moves = {
			ArrowRight: row[at + 1],
			ArrowLeft: row[at - 1],
			ArrowDown: drawn(node.children)[0],
			ArrowUp: node.parent,
			Home: row[0],
			End: row.at(-1),
		};
		if (event.key === "Escape" || event.key === "Backspace") this.out();
		else if (!(event.key in moves)) return;
		else this.flame.querySelector(`[data-key="${CSS.escape(moves[event.key]?.key ?? node.key)}"]`)?.focus();
		event.preventDefault();
	}

	table() {
		if (!byId("again-table").open) return;
		const cell = (/** @type {string} */ text) => h("td", text);
		fill(
			byId("again-rows"),
			...(this.resends?.owners ?? []).map((owner) =>
				h(
					"tr",
					h("th", { scope: "row" }, ownerName(owner.owner, owner.name ?? "")),
					...[owner.blocks, owner.tokens, owner.resent, owner.left].map((n) => cell(number(n))),
					...[owner.cost, owner.compacted, owner.removed].map((n) => cell(money(n))),
				),
			),
		);
	}
}

/** @param {Node} node @param {string} title */
function wordsOf(node, title) {
	const path = pathOf(node).slice(1);
	const name = path.length === 0 ? node.name : path.map((one) => one.name).join(", ");
	const { block } = node;
	const how = block
		? `${plural(block.tokens, "token")} in ${plural(block.requests, "further request")}`
		: `${plural(node.resent, "token")} sent again`;
	const saved = node.cost - node.compacted;
	const then =
		saved === 0
			? `the same with ${title}`
			: `${money(node.compacted)} with ${title}, ${money(Math.abs(saved))} ${saved > 0 ? "less" : "more"}`;
	const means = node.means && node.means !== name ? ` (${node.means})` : "";
	return `${name}${means}: ${how}, ${money(node.cost)}; ${then}.`;
}
