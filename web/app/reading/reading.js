// This file connects the parts for reading a session: the texts, the filter, the search, the reading view, the totals,
// and the list of blocks.

import { Blocks } from "../blocks/blocks.js";
import { keyOf } from "../blocks/choices.js";
import { Details } from "../blocks/details.js";
import { Filter } from "../blocks/filter.js";
import { Preview } from "../blocks/preview.js";
import { Overview } from "../blocks/overview.js";
import { Reader } from "./reader.js";
import { Search } from "./search.js";
import { openPane } from "../ui/panes.js";
import { TokenPanel } from "./tokenPanel.js";
import { Texts } from "./texts.js";

/** @import { Laid } from "../blocks/rows.js" */
/** @import { Facts } from "./texts.js" */

export class Reading {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		/** @type {Laid} */
		this.laid = { rows: [], find: () => -1, largest: 1, total: 0 };
		/** @type {number[]} the indexes of the shown rows */
		this.order = [];
		/** @type {Facts | null | undefined} */
		this.facts = undefined;
		this.key = 0;
		this.totalsKey = this.shownKey = 0;
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
			active: () => this.blocks.active,
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
				openPane(store, "blocks");
				this.blocks.list.scrollIntoView({ block: "nearest" });
			},
			row: (index) => this.show(index),
			pick: (label, rows, index) => {
				this.filter.pick(label, rows);
				this.show(index);
			},
			isOnly: (tool) => this.filter.isOnly(tool),
		});
		this.tokens = new TokenPanel(store, session, this.texts);
		this.details = new Details(session, {
			partner: (row) => this.blocks.partner(row),
			preview: (row) => this.tokens.show(row, () => this.preview.show(row)),
		});
		this.blocks = new Blocks(
			(row) => store.state.blocks[keyOf(row)],
			(row) => {
				this.details.show(row);
				store.put({ row });
			},
			{
				read: () => this.read(),
				clearFilter: () => this.filter.clear(),
				selected: ({ index, block }) => store.put({ block: index > 0 ? block.path : "" }),
			},
		);
		store.watchInPieces(
			"shown",
			({ shown }) => shown && this.take(shown),
			({ shown }) => shown && this.showBlocks(shown.source.key),
			({ shown }) => shown && this.takeTotals(),
		);
		store.watch(["blocks"], () => {
			this.blocks.redraw();
			this.details.show(this.blocks.current());
		});
		store.watch(["output"], ({ output }) => output.is === "done" && this.details.show(this.blocks.current()));
		store.watch(["hovered"], ({ hovered }) => this.blocks.hover(hovered));
		store.watch(["jump"], ({ jump }) => {
			if (jump?.quiet) this.blocks.select(jump.index ?? 0, true);
			else if (jump) this.blocks.jump(jump.path, jump.index);
		});
		store.watch(["block"], ({ block }) => this.shownKey === this.key && this.find(block));
	}

	/** @param {number} key of the session */
	showBlocks(key) {
		this.blocks.show(this.laid, key, this.order);
		const fresh = this.shownKey !== key;
		this.shownKey = key;
		if (fresh) this.find(this.store.state.block);
	}

	/** Selects the block that the address names. @param {string} path */
	find(path) {
		if (path && path !== this.blocks.current()?.block.path) this.blocks.jump(path);
	}

	/** Shows an inspection: of a new session, or of the same one under another policy. @param {import("../store.js").Shown} shown */
	take({ laid, source, seen: { format } }) {
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
		this.blocks.mark(this.search.hits, this.search.pattern);
		void this.preview.mark();
		if (this.reader.root.open) void this.reader.mark();
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
		openPane(this.store, "blocks");
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
