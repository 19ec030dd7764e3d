// This file defines the tests that visit the page with a browser. A push runs the journeys: the main ways through the
// page, of which all files together have 40 at most (.ci/visits, a part of `make lint`). The other visits run at night
// (`make test-page-all`). What a view computes is tested in Node, in a file without visits, on each push.

import assert from "node:assert/strict";
import { few } from "../../wasm/npm/test/few.js";
import { test as define } from "./measure.js";

/** @typedef {import("./measure.js").Body} Body */

let journeys = 0;
let visits = 0;

/** Defines a test of each push, which visits the page once. @param {string} name @param {Body} body */
export function journey(name, body) {
	journeys++;
	define(name, body);
}

/** Defines a test of the night. @param {string} name @param {Body} body */
export const test = (name, body) => void (few || define(name, body));

/** Counts a visit: on a push a file makes one for each of its journeys. */
export function countVisit() {
	visits++;
	if (few) assert.ok(visits <= journeys, `visit ${visits}, but ${journeys} journeys: each visits the page once`);
}
