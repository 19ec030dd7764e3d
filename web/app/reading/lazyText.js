// This file shows a long text in pieces: the next piece is read from the Blob when the user scrolls near it.

const FIRST = 96 * 1024; // bytes: laid out within a frame or two
const NEXT = 128 * 1024;
const NEAR = 600; // px from the end at which the next piece is fetched

export class LazyText {
	/** @param {HTMLElement} pre */
	constructor(pre) {
		this.pre = pre;
		/** @type {Blob | null} */
		this.blob = null;
		this.at = 0;
		this.decoder = new TextDecoder();
		this.busy = false;
		pre.addEventListener(
			"scroll",
			() => {
				if (pre.scrollHeight - pre.scrollTop - pre.clientHeight < NEAR) void this.more();
			},
			{ passive: true },
		);
	}

	/** @param {Blob} blob */
	show(blob) {
		if (this.blob === blob) return;
		this.blob = blob;
		this.at = 0;
		this.busy = false;
		this.decoder = new TextDecoder();
		void this.more();
	}

	/** Removes the text, so that a hidden panel uses no memory. */
	forget() {
		this.blob = null;
		this.pre.textContent = "";
	}

	/** @param {string} text */
	say(text) {
		this.blob = null;
		this.pre.textContent = text;
	}

	async more() {
		const { blob, at } = this;
		if (!blob || this.busy || (at >= blob.size && at > 0)) return;
		this.busy = true;
		const piece = await blob.slice(at, at + (at === 0 ? FIRST : NEXT)).arrayBuffer();
		if (this.blob !== blob) return; // another text was shown in the meantime
		this.at = at + piece.byteLength;
		// A piece may end within a character; the decoder keeps its first bytes.
		const text = this.decoder.decode(piece, { stream: this.at < blob.size });
		if (at === 0) this.pre.textContent = text;
		else this.pre.append(text);
		this.pre.dataset.complete = String(this.at >= blob.size);
		this.busy = false;
	}
}
