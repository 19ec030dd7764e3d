// This file counts a text while the user types: one count runs, the latest text is next, so that no key waits for a
// number. The policy is applied after a pause in typing; the count does not wait for that.

const EDIT_PAUSE = 250; // ms without a keystroke before an edited text is compacted again
const LONG_TEXT = 200_000; // characters: packing a longer text at every pause would delay its count
const LONG_TEXT_PAUSE = 700; // ms

/** After how many ms without a keystroke a typed text is compacted again. @param {string} text */
export const pauseAfter = (text) => (text.length > LONG_TEXT ? LONG_TEXT_PAUSE : EDIT_PAUSE);

export class Typing {
	/** @param {import("../session/session.js").Session} session */
	constructor(session) {
		this.session = session;
		/** @type {{text: string, key: number} | null} */
		this.wanted = null;
		this.busy = false;
	}

	/** @param {string} text @param {number} key of the source that it makes */
	count(text, key) {
		this.wanted = { text, key };
		if (!this.busy) void this.work();
	}

	async work() {
		this.busy = true;
		while (this.wanted) {
			const { text, key } = this.wanted;
			this.wanted = null;
			const { engine, store, state } = this.session;
			const answer = await engine.ask({ kind: "count", text, ...state.count.counting });
			const { source, shown } = state;
			// Unless a newer result is on the page.
			if ("size" in answer && answer.size && source?.origin === "edit" && key > (shown?.source.key ?? 0))
				store.put({ size: answer.size });
		}
		this.busy = false;
	}
}
