// This file defines the tests of a file in which few measure time. `make test-page` and `make test-npm` run the others,
// many files at the same time; `make bench` runs those that measure, one after the other. Started by itself, a file runs
// all of them.

import { test as define } from "node:test";

/** @typedef {(name: string, body: (t: import("node:test").TestContext) => Promise<void> | void) => void} Test */

const pass = process.env.TAMP_MEASURES;

/** Whether the tests that measure time run now. */
export const measures = pass !== "no";

/** Defines a test. @type {Test} */
export const test = (name, body) => void (pass !== "only" && define(name, body));

/** Defines a test that measures time. @type {Test} */
export const measure = (name, body) => void (measures && define(name, body));
