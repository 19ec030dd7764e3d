// This file defines the one kind of error that leaves this package.

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
 * The first line of what someone else threw: engines put a drawing of the cycle below it.
 * @param {unknown} thrown
 */
export function reason(thrown) {
  return String(thrown instanceof Error ? thrown.message : thrown).split("\n", 1)[0];
}
