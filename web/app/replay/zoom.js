// This file is the part of the session that the timeline shows: zoomed by a drag, the wheel, keys and buttons.

import { byId } from "../ui/dom.js";

/** @typedef {{from: number, to: number}} Range places from 0, the start of the session, to 1 */

const FACTOR = 2; // of one step of keys and buttons
const DRAG = 5; // pixels after which a press is a drag, not a click

export class Zoom {
	/** @param {import("../store.js").Store} store */
	constructor(store) {
		this.store = store;
		/** The smallest part that can be shown. */
		this.least = 1;
	}

	/** The part that is shown. */
	get range() {
		return this.store.state.zoom;
	}

	get isWhole() {
		return this.range.from === 0 && this.range.to === 1;
	}

	/** Shows a part. @param {number} from @param {number} to */
	show(from, to) {
		const size = Math.max(this.least, Math.min(1, to - from));
		const start = Math.max(0, Math.min(1 - size, (from + to - size) / 2));
		const next = size >= 1 ? { from: 0, to: 1 } : { from: start, to: start + size };
		if (next.from === this.range.from && next.to === this.range.to) return;
		this.store.put({ zoom: next });
	}

	whole() {
		this.show(0, 1);
	}

	/** Zooms around a place, which stays where it is. @param {number} factor above 1: closer @param {number} place */
	by(factor, place) {
		const { from, to } = this.range;
		const size = Math.max(this.least, (to - from) / factor);
		const share = (place - from) / (to - from);
		this.show(place - share * size, place + (1 - share) * size);
	}

	/** @param {1|-1} direction 1: closer @param {number} place */
	step(direction, place) {
		this.by(direction > 0 ? FACTOR : 1 / FACTOR, place);
	}

	/** @param {number} by */
	pan(by) {
		const { from, to } = this.range;
		const move = Math.max(-from, Math.min(1 - to, by));
		this.show(from + move, to + move);
	}

	/** Moves the range so that it has a place. @param {number} place */
	reach(place) {
		const { from, to } = this.range;
		if (place < from || place > to) this.pan(place - (from + to) / 2);
	}
}

/**
 * Zooms by drags on an element. The brush shows the part that will be shown.
 * @param {HTMLElement} element
 * @param {Zoom} zoom
 * @param {(event: PointerEvent | WheelEvent) => number} placeOf the place of the session that is below the pointer
 */
export function brush(element, zoom, placeOf) {
	const shown = byId("timeline-brush");
	let start = NaN;
	let drag = false;
	const end = () => {
		start = NaN;
		shown.hidden = true;
	};
	element.addEventListener("pointerdown", (event) => {
		if (event.button !== 0 || event.pointerType === "touch") return;
		start = event.clientX;
		drag = false;
		element.setPointerCapture(event.pointerId);
	});
	element.addEventListener("pointermove", (event) => {
		if (Number.isNaN(start)) return;
		drag ||= Math.abs(event.clientX - start) > DRAG;
		if (!drag) return;
		const left = element.getBoundingClientRect().left;
		shown.hidden = false;
		shown.style.insetInlineStart = `${Math.min(start, event.clientX) - left}px`;
		shown.style.width = `${Math.abs(event.clientX - start)}px`;
	});
	element.addEventListener("pointerup", (event) => {
		if (!drag || Number.isNaN(start)) return end();
		const a = placeOf(event);
		const b = placeOf(new PointerEvent("pointerup", { clientX: start }));
		end();
		zoom.show(Math.min(a, b), Math.max(a, b));
	});
	element.addEventListener("pointercancel", end);
	// After a drag, the click that ends it selects nothing.
	element.addEventListener(
		"click",
		(event) => {
			if (drag) event.stopImmediatePropagation();
			drag = false;
		},
		{ capture: true },
	);
	element.addEventListener(
		"wheel",
		(event) => {
			const { from, to } = zoom.range;
			const sideways = event.shiftKey ? event.deltaY : event.deltaX;
			if (event.ctrlKey) zoom.by(1.0015 ** -event.deltaY, placeOf(event));
			else if (
				!zoom.isWhole &&
				Math.abs(sideways) > 0 &&
				(event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY))
			)
				zoom.pan((sideways / 600) * (to - from));
			else return;
			event.preventDefault();
		},
		{ passive: false },
	);
}
