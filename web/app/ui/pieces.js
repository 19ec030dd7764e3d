// This file runs the drawing of the page in pieces, each in a task of its own: input and painting come between them, so
// that a slow machine answers while a session is drawn.

/** @typedef {() => void} Piece */

export class Pieces {
	constructor() {
		/** @type {Piece[]} */
		this.waiting = [];
		/** The pieces that the running piece has added; null if none is running. @type {Piece[] | null} */
		this.added = null;
		this.asked = false;
		// A message is a task without the minimal delay of a timer, and runs in a hidden tab, too.
		const { port1, port2 } = new MessageChannel();
		this.port = port2;
		port1.onmessage = () => this.next();
	}

	/**
	 * Adds pieces at the end. If a piece adds some itself, they come directly after it.
	 * @param {...Piece} pieces
	 */
	add(...pieces) {
		if (this.added) this.added.push(...pieces);
		else this.waiting.push(...pieces);
		this.ask();
	}

	/** Drops the pieces that wait. */
	drop() {
		this.waiting = [];
	}

	ask() {
		if (this.asked || this.added || this.waiting.length === 0) return;
		this.asked = true;
		this.port.postMessage(null);
	}

	next() {
		this.asked = false;
		const piece = this.waiting.shift();
		if (!piece) return;
		this.added = [];
		try {
			piece();
		} finally {
			this.waiting.unshift(...this.added);
			this.added = null;
			this.ask();
		}
	}
}
