// This file defines the only error class of this package.

/** @typedef {import("./index.js").ErrorCode} ErrorCode */

export class TampError extends Error {
	/**
	 * @param {ErrorCode} code stable; hosts switch on it
	 * @param {string} path JSON Pointer into the input, "" for the whole
	 * @param {string} message for people; may change
	 */
	constructor(code, path, message) {
		super(message);
		this.name = "TampError";
		this.code = code;
		this.path = path;
	}
}

/**
 * The first line of the message of any thrown value: for cyclic objects JavaScript engines append a drawing of the
 * cycle.
 * @param {unknown} thrown
 */
export function reason(thrown) {
	return String(thrown instanceof Error ? thrown.message : thrown).split("\n", 1)[0];
}
