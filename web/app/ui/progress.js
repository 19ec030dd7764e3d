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
 * @typedef {{is: "idle" | "soon" | "running", size: number, at?: {stage: string, done?: number, total?: number, round?:
 *   number, tokens?: number}, loaded?: number}} Work soon: the page does not show the final result yet; size: bytes of the session; at: the stage, with the tokens that the
 *   rounds before this one left; loaded: bytes of the engine
 */

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
		store.watch(["work"], ({ work }) => this.draw(work));
	}

	/** @param {Work} work */
	draw({ is, size, at, loaded }) {
		if (is === "idle") return this.end();
		this.root.dataset.work = "busy";
		if (is === "running") this.begin();
		if (at) this.stage(at, size);
		else if (loaded !== undefined) this.loading(loaded);
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
		this.bar.style.width = `${Math.round(((Math.max(0, steps.indexOf(stage)) + part + 0.15) * 100) / 3)}%`;
		this.text.textContent = total
			? `Reading ${bytes(done ?? 0)} of ${bytes(total)}…`
			: `${SAYS[stage] ?? stage}, ${bytes(size)}${round > 1 ? `, round ${round}: ${plural(tokens, "token")} left` : ""}…`;
	}

	/** The engine is being loaded. @param {number} loaded bytes so far */
	loading(loaded) {
		const whole = Number(document.documentElement.dataset.engine ?? 0); // the built page knows it
		const share = whole > 0 ? Math.min(1, loaded / whole) : 0;
		this.bar.style.width = `${Math.round(share * 100)}%`;
		this.text.textContent = `Loading the engine${whole > 0 ? `: ${Math.floor(share * 100)} %` : `, ${bytes(loaded)}`}…`;
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
		this.bar.style.width = "0";
		this.text.textContent = "";
	}
}
