// This file has what the tests of the frameworks share.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../../.build/frameworks/package.json", import.meta.url));

/** Imports a package of the frameworks, which have a folder of their own. @param {string} name @returns {Promise<any>} */
export const framework = (name) => import(pathToFileURL(require.resolve(name)).href);

/** Rounds of a loop, and its maximum cost: 1 without compaction. @type {[number, number][]} */
export const SIZES = [
	[40, 0.85],
	[100, 0.5],
];
