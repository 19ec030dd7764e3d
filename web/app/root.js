// This file names the folder of the page. Addresses of other files count from it, so that they stay the same if the
// modules are bundled into app/main.js (web/bundle).

/** The address of the folder that holds index.html. */
export const ROOT = new URL("../", import.meta.url);
