// This file is the state of the page. It has one direction: what the user does and what the engine answers change the
// state (session/session.js, answers.js), and each view draws the members that it watches. No view knows another one.

/** @import { Inspection, FromWorker, Answer, Failure, Preset, Served, Source, Trigger, View, ViewName } from "./engine/types.js" */
/** @import { Laid, Row } from "./blocks/rows.js" */
/** @import { Force, PlaceName, Thinking, Values } from "./session/address.js" */
/** @import { Repaired } from "./session/repairView.js" */

/**
 * What the user chose for the policy. set: the changed values of each preset, kept while another one is chosen; until the
 * presets are known, the texts of the address.
 * @typedef {{preset: string, set: Record<string, Values>, force: Force, focus: string, thinking: Thinking}} Chosen
 */
/** @typedef {Extract<FromWorker, {type: "output"}>} Packed */
/** @typedef {{is: "waiting"} | ({is: "done"} & Packed) | {is: "failed", failure: Failure}} Output */
/** @typedef {{source: Source, seen: Inspection, laid: Laid}} Shown */

/**
 * @typedef {object} State
 * @property {Source | null} source the open session
 * @property {string} example the name of the example that is open, or about to open
 * @property {Preset[]} presets empty until the engine is loaded
 * @property {Chosen} policy
 * @property {string} counter that the user chose
 * @property {import("./policy/counter.js").Count} count the counter in use
 * @property {Record<string, import("./blocks/choices.js").Choice>} blocks what the user chose, by "message/block"
 * @property {Map<string, Answer>} answers to requests, by id
 * @property {Map<string, Served>} served answers of a server, used or not
 * @property {string} server its name on the page
 * @property {import("./output/api.js").About | null | undefined} about the server of the page; undefined: not asked yet
 * @property {Inspection | null} seen the last inspection
 * @property {Inspection | null} counted the same in the tokens of the counter
 * @property {Trigger | null} waiting what the policy waits for, if the page went on as if it had fired
 * @property {Trigger | null} trigger
 * @property {Shown | null} shown the session and the inspection whose blocks are on the page
 * @property {boolean} stale the blocks on the page are those of an older text
 * @property {import("./engine/queries.js").Size | null} size of a text that is being typed, if it is newer than what is shown
 * @property {Output} output
 * @property {ViewName | null} look the view that the open tab waits for
 * @property {{view: View} | {failure: Failure} | null} viewed
 * @property {({is: "preview" | "accepted"} & Repaired) | {is: "failed", failure: Failure} | null} repair
 * @property {Failure | null} unread why the session cannot be opened
 * @property {Failure | null} unlearned why the engine refuses the vocabulary of the counter
 * @property {Failure | null} refused why the engine refuses the policy
 * @property {import("./ui/progress.js").Work} work
 * @property {Record<string, import("./ui/progress.js").Load>} loads what is being loaded: the engine, an example
 * @property {boolean} settled the engine is done with the session on the page, so it can be replayed
 * @property {Row | null} row the block that is pointed at, or selected
 * @property {number} hovered index of the row that is pointed at in the strip; -1 for none
 * @property {{path: string, index?: number, quiet?: boolean} | null} jump the block to select; quiet: without the focus
 * @property {import("./ui/panes.js").Pane} pane the open tab
 * @property {import("./ui/panes.js").Notion} notion
 * @property {number} call the selected call of the timeline, from 1; 0 for the last
 * @property {string} block the path of the selected block; "" for the first
 * @property {import("./replay/zoom.js").Range} zoom of the timeline
 * @property {string[] | null} picked the presets that are compared; null for the default
 * @property {import("./replay/assumptions.js").Assumed} assumed
 * @property {number} window tokens; 0 until it is known
 * @property {Map<string, string>} results what the first presets do to the session
 * @property {{name: string, title: string, why: string}} advised
 * @property {PlaceName} place
 */

export class Store {
	/** @param {State} state @param {import("./ui/pieces.js").Pieces} pieces */
	constructor(state, pieces) {
		this.state = state;
		this.pieces = pieces;
		/** @type {{names: (keyof State)[], draw: (state: State) => void}[]} */
		this.watchers = [];
	}

	/** Draws at each change of one of the members. @param {(keyof State)[]} names @param {(state: State) => void} draw */
	watch(names, draw) {
		this.watchers.push({ names, draw });
	}

	/**
	 * The same in pieces of their own, unless another value has replaced this one meanwhile.
	 * @param {keyof State} name
	 * @param {...(state: State) => void} draws
	 */
	watchInPieces(name, ...draws) {
		this.watch([name], ({ [name]: value }) =>
			this.pieces.add(...draws.map((draw) => () => this.state[name] === value && draw(this.state))),
		);
	}

	/** Changes members, and draws what watches them. @param {Partial<State>} change */
	put(change) {
		const names = /** @type {(keyof State)[]} */ (Object.keys(change));
		const changed = names.filter((name) => this.state[name] !== change[name]);
		Object.assign(this.state, change);
		for (const { names, draw } of this.watchers) if (names.some((name) => changed.includes(name))) draw(this.state);
	}
}
