// This file shows the progress of the running job. A job shorter than 150 ms shows nothing.

import { byId } from "./dom.js";
import { bytes, plural } from "./words.js";

/** @import { Source } from "../engine/types.js" */

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

export class Progress {
	/** @param {() => void} cancel */
	constructor(cancel) {
		this.cancel = byId("busy-cancel");
		this.cancel.addEventListener("click", cancel);
		this.patience = 0;
		this.root = byId("busy");
		this.bar = byId("busy-bar");
		this.text = byId("busy-text");
		this.time = byId("busy-time");
		this.timer = 0;
		this.clock = 0;
		this.size = 0;
	}

	/** Work will start: the page does not show the final result yet. */
	soon() {
		this.root.dataset.work = "busy";
	}

	/** @param {Source} source */
	begin(source) {
		this.size = source.blob.size;
		this.soon();
		if (this.timer) return;
		this.timer = setTimeout(() => (this.root.dataset.on = "true"), BLINK);
		this.patience = setTimeout(() => (this.cancel.hidden = false), PATIENCE);
		let seconds = 0;
		this.clock = setInterval(() => {
			if (++seconds >= LONG) this.time.textContent = `${seconds} s`;
		}, 1000);
	}

	/**
	 * @param {{stage: string, done?: number, total?: number, round?: number, tokens?: number}} at tokens: what the rounds
	 *   before this one left
	 */
	stage({ stage, done, total, round = 1, tokens = 0 }) {
		const steps = ["reading", "counting", "packing"];
		const part = total ? (done ?? 0) / total : 0;
		this.bar.style.width = `${Math.round(((Math.max(0, steps.indexOf(stage)) + part + 0.15) * 100) / 3)}%`;
		this.text.textContent = total
			? `Reading ${bytes(done ?? 0)} of ${bytes(total)}…`
			: `${SAYS[stage] ?? stage}, ${bytes(this.size)}${round > 1 ? `, round ${round}: ${plural(tokens, "token")} left` : ""}…`;
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
