// This file defines the tests of a file in which few measure time. `make test-page` and `make test-npm` run the others,
// many files at the same time; `make bench` runs those that measure, one after the other. Started by itself, a file runs
// all of them.

import { test as define } from "node:test";

/** @typedef {(t: import("node:test").TestContext) => Promise<void> | void} Body */

const pass = process.env.TAMP_MEASURES;

/** Whether the tests that measure time run now. */
export const measures = pass !== "no";

/** Defines a test. @param {string} name @param {[Body] | [import("node:test").TestOptions, Body]} rest */
export const test = (name, ...rest) => {
	const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
	if (pass !== "only") void define(name, options, body);
};

/** Defines a test that measures time. @param {string} name @param {Body} body */
export const measure = (name, body) => void (measures && define(name, body));
