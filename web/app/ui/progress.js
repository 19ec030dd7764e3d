// This file shows the progress of the running job. A job shorter than 150 ms shows nothing.

import { byId } from "./dom.js";
import { bytes, plural } from "./words.js";

const BLINK = 150; // ms: a bar that is shown for less time only flickers

/** @type {Record<string, string>} */
const SAYS = {
	reading: "Reading",
	learning: "Unpacking the vocabulary",
	counting: "Counting tokens and deciding about each block",
	packing: "Writing the packed session and its archive",
	repairing: "Repairing",
	viewing: "Comparing",
};

const PATIENCE = 1500; // ms after which the work can be canceled
const LONG = 5; // s after which the time is shown: a step of a large file takes a minute

/**
 * soon: the page does not show the final result yet; size: bytes of the session; at: the stage of the job, with the tokens that
 * the rounds before this one left.
 * @typedef {{is: "idle" | "soon" | "running", size: number, at?: {stage: string, done?: number, total?: number, round?:
 *   number, tokens?: number}}} Work
 */
/** @typedef {{name: string, bytes: number, of: number}} Load bytes that have come, and all, unpacked; of: 0 if not known */

export class Progress {
	/** @param {import("../store.js").Store} store @param {() => void} cancel */
	constructor(store, cancel) {
		this.cancel = byId("busy-cancel");
		this.cancel.addEventListener("click", cancel);
		this.patience = 0;
		this.root = byId("busy");
		this.bar = byId("busy-bar");
		this.text = byId("busy-text");
		this.time = byId("busy-time");
		this.timer = 0;
		this.clock = 0;
		store.watch(["work", "loads"], ({ work, loads }) => this.draw(work, loads));
	}

	/** @param {Work} work @param {Record<string, Load>} loads */
	draw({ is, size, at }, loads) {
		if (is === "idle") return this.end();
		this.root.dataset.work = "busy";
		if (is === "running") this.begin();
		if (at) return this.stage(at, size);
		const parts = Object.values(loads).filter(({ of }) => of > 0);
		if (parts.length === 0) return;
		const of = parts.reduce((sum, part) => sum + part.of, 0);
		const done = parts.reduce((sum, part) => sum + Math.min(part.bytes, part.of), 0);
		const names = parts.map(({ name }) => name).join(" and ");
		this.put(done / of, `Loading ${names}: ${Math.floor((100 * done) / of)} % of ${bytes(of)}…`);
	}

	/** @param {number} share @param {string} text */
	put(share, text) {
		this.bar.value = share;
		this.text.textContent = text;
	}

	begin() {
		if (this.timer) return;
		this.timer = +setTimeout(() => (this.root.dataset.on = "true"), BLINK);
		this.patience = +setTimeout(() => (this.cancel.hidden = false), PATIENCE);
		let seconds = 0;
		this.clock = +setInterval(() => {
			if (++seconds >= LONG) this.time.textContent = `${seconds} s`;
		}, 1000);
	}

	/** @param {NonNullable<Work["at"]>} at @param {number} size */
	stage({ stage, done, total, round = 1, tokens = 0 }, size) {
		const steps = ["reading", "counting", "packing"];
		const part = total ? (done ?? 0) / total : 0;
		this.put(
			(Math.max(0, steps.indexOf(stage)) + part + 0.15) / 3,
			total
				? `Reading ${bytes(done ?? 0)} of ${bytes(total)}…`
				: `${SAYS[stage] ?? stage}, ${bytes(size)}${round > 1 ? `, round ${round}: ${plural(tokens, "token")} left` : ""}…`,
		);
	}

	end() {
		clearTimeout(this.timer);
		clearTimeout(this.patience);
		clearInterval(this.clock);
		this.time.textContent = "";
		this.cancel.hidden = true;
		this.timer = 0;
		this.root.dataset.on = "false";
		this.root.dataset.work = "idle";
		this.put(0, "");
	}
}
