// This file connects the parts for reading a session: the texts, the filter, the search, the reading view, the totals,
// and the list of blocks.

import { Filter } from "../blocks/filter.js";
import { Preview } from "../blocks/preview.js";
import { Overview } from "../blocks/overview.js";
import { Reader } from "./reader.js";
import { Search } from "./search.js";
import { Texts } from "./texts.js";

/** @import { Blocks } from "../blocks/blocks.js" */
/** @import { Laid } from "../blocks/rows.js" */
/** @import { Facts } from "./texts.js" */

export class Reading {
	/** @param {{showBlocks: () => void}} acts showBlocks: opens the tab of the list */
	constructor(acts) {
		this.acts = acts;
		/** Set once, when the list is made. @type {Blocks} */
		this.blocks = /** @type {any} */ (null);
		/** @type {Laid} */
		this.laid = { rows: [], find: () => -1, largest: 1, total: 0 };
		/** @type {number[]} the indexes of the shown rows */
		this.order = [];
		/** @type {Facts | null | undefined} */
		this.facts = undefined;
		this.key = 0;
		this.totalsKey = 0;
		this.format = "";
		this.texts = new Texts({
			facts: (facts) => this.setFacts(facts),
			found: (hits, done) => this.search.found(hits, done),
		});
		this.filter = new Filter(() => this.restrict());
		this.search = new Search({
			find: (query) => this.texts.find(query),
			changed: () => this.mark(),
			go: ({ index }) => this.go(index),
			leave: () => (this.reader.root.open ? this.reader.body : this.blocks.list).focus({ preventScroll: true }),
			order: () => this.order,
			active: () => this.blocks?.active ?? 0,
		});
		const searchState = () => {
			const { pattern, here, hits } = this.search;
			return {
				pattern,
				query: this.search.query,
				index: here?.index ?? -1,
				nth: here?.nth ?? -1,
				count: hits.get(here?.index ?? -1)?.count ?? 0,
			};
		};
		this.preview = new Preview(this.texts, { read: () => this.read(), search: searchState });
		this.reader = new Reader(this.texts, {
			step: (by) => this.step(by),
			at: (row) => ({ place: this.blocks.places.get(row.index) ?? 0, of: this.order.length }),
			closed: () => this.blocks.list.focus({ preventScroll: true }),
			search: searchState,
		});
		this.overview = new Overview({
			tool: (tool) => {
				this.filter.only(tool);
				this.acts.showBlocks();
				this.blocks.list.scrollIntoView({ block: "nearest" });
			},
			row: (index) => this.show(index),
			pick: (label, rows, index) => {
				this.filter.pick(label, rows);
				this.show(index);
			},
			isOnly: (tool) => this.filter.isOnly(tool),
		});
	}

	/** The callbacks of the list of blocks. */
	get listActs() {
		return { read: () => this.read(), clearFilter: () => this.filter.clear() };
	}

	/**
	 * Shows an inspection: of a new session, or of the same one under another policy.
	 * @param {Laid} laid
	 * @param {import("../engine/types.js").Source} source
	 * @param {string} format
	 */
	take(laid, source, format) {
		this.laid = laid;
		this.format = format;
		const fresh = source.key !== this.key;
		this.key = source.key;
		if (fresh) {
			this.facts = undefined;
			this.filter.drop();
			if (this.reader.root.open) this.reader.root.close();
			this.texts.open(source, laid);
		}
		this.filter.show(laid.rows);
		this.order = this.filter.order();
		const open = this.reader.row;
		if (open && !fresh) this.reader.show(laid.rows[open.index]);
	}

	/** Shows the totals of a session once: they do not depend on the policy. */
	takeTotals() {
		if (this.totalsKey === this.key) return;
		this.totalsKey = this.key;
		this.drawOverview();
		this.search.again(this.facts === null); // the texts may have failed between two pieces of the drawing
	}

	/** @param {Facts | null} facts */
	setFacts(facts) {
		this.facts = facts;
		if (facts === null) this.search.fail();
		this.drawOverview();
	}

	drawOverview() {
		this.overview.show(this.laid.rows, this.facts, this.format !== "openai-chat");
	}

	restrict() {
		this.order = this.filter.order();
		this.blocks.restrict(this.order);
		this.overview.mark();
		this.search.here = null;
		this.search.updateNote();
	}

	mark() {
		this.blocks?.mark(this.search.hits, this.search.pattern);
		void this.preview?.mark();
		if (this.reader?.root.open) void this.reader.mark();
	}

	/** Goes to a match. @param {number} index */
	go(index) {
		this.blocks.select(index, true);
		if (this.reader.root.open) this.reader.show(this.laid.rows[index]);
		else {
			void this.preview.mark();
			this.blocks.list.scrollIntoView({ block: "nearest" });
		}
	}

	/** Goes to a row and focuses the list. @param {number} index */
	show(index) {
		this.acts.showBlocks();
		this.blocks.jump(this.laid.rows[index].block.path, index);
	}

	read() {
		const row = this.blocks.current();
		if (row) this.reader.open(row);
	}

	/** @param {1|-1} by */
	step(by) {
		const to = this.order[(this.blocks.places.get(this.blocks.active) ?? 0) + by];
		if (to === undefined) return;
		this.search.here = null;
		this.blocks.select(to, true);
		this.reader.show(this.laid.rows[to]);
		this.search.updateNote();
	}
}
