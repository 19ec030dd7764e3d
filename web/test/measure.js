// This file defines the tests of a file in which few measure time. .ci/tests.mjs runs such a file twice: its other
// tests at the same time as other files, then those that measure, alone. Started by itself, a file runs all of them.

import { test as define } from "node:test";

/** @typedef {(name: string, body: (t: import("node:test").TestContext) => Promise<void> | void) => void} Test */

const pass = process.env.TAMP_MEASURES;

/** Whether the tests that measure time run now. */
export const measures = pass !== "no";

/** Defines a test. @type {Test} */
export const test = (name, body) => void (pass !== "only" && define(name, body));

/** Defines a test that measures time. @type {Test} */
export const measure = (name, body) => void (measures && define(name, body));
