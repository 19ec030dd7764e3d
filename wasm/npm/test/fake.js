// This file starts the fake provider of worker/internal/fake for a test, and reads the requests that it received.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "./support.js";

/**
 * @typedef {object} Call
 * @property {string} key
 * @property {any} body
 * @property {boolean} stream
 * @property {string} step
 * @property {string[]} problems
 */

/**
 * The address of a server that runs until stop, or until this process ends. FAKE is the path of the built program;
 * default: go run.
 * @param {string[]} args
 */
export async function startFake(...args) {
	const away = process.env.FAKE ? undefined : mkdtempSync(path.join(tmpdir(), "tamp-"));
	const program = process.env.FAKE ? path.resolve(root, process.env.FAKE) : path.join(away ?? "", "fake");
	if (away) {
		const built = spawnSync("go", ["build", "-o", program, "./worker/internal/fake/cmd"], {
			cwd: root,
			encoding: "utf8",
		});
		assert.equal(built.status, 0, `cannot build the fake: ${built.error ?? built.stderr}`);
	}
	const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
	const ended = new Promise((resolve) => child.once("exit", resolve));
	/** @type {string} */
	const url = await new Promise((resolve, reject) => {
		createInterface({ input: child.stdout }).once("line", resolve);
		child.once("error", reject);
		child.once("exit", (code) => reject(new Error(`the fake ended with ${code}`)));
	});
	return {
		url,
		/**
		 * Sets a script. Returns the base URL of its clients.
		 * @param {string} name
		 * @param {object[]} steps
		 */
		async script(name, steps) {
			const answer = await fetch(`${url}/s/${name}`, { method: "PUT", body: JSON.stringify(steps) });
			assert.equal(answer.status, 200, await answer.text());
			return `${url}/s/${name}`;
		},
		/** @param {string} name @returns {Promise<Call[]>} */
		async calls(name) {
			return /** @type {any} */ ((await fetch(`${url}/calls?name=${name}`)).json());
		},
		async stop() {
			child.kill();
			await ended;
			if (away) rmSync(away, { recursive: true, force: true });
		},
	};
}
