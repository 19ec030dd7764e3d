// This file is the module of the plugin for Claude Code (claude-code/): it answers the client's own compaction. bundle.mjs
// writes it with all its imports into claude-code/hooks/tamp.js. The client refuses a module that hands on $, or that
// imports dynamically.

import { entryPoint } from "./api.js";
import { compaction } from "./compaction.js";
import { reason } from "./error.js";
import { onlyModule } from "./module.js";

/**
 * An engine. Each compaction has its own: in the client's JavaScriptCore one that has worked for some time fails, with
 * "access to a null reference".
 * @param {WebAssembly.Module} module
 */
const engineOf = (module) =>
	entryPoint({ source: async () => module, compile: onlyModule, spawn: [] }).load();

/** @param {any} $ @param {any} event @param {(event: any) => Promise<any>} next */
async function compact($, event, next) {
	/** @type {import("./compaction.js").Machine} */
	const machine = {
		engine: async () => engineOf(await $.wasm.compile("./tamp.wasm")),
		session: async () => ({
			log: (await $.session.info()).transcriptPath,
			model: await $.session.model(),
			settings: [`${await $.session.root()}/.claude/tamp.json`, new URL("../../../tamp.json", import.meta.url).pathname],
		}),
		read: (path) => $.fs.read(path),
		write: (path, text) => $.fs.write(path, text),
		list: (path) => $.fs.list(path),
		now: () => performance.now(),
	};
	try {
		const { messages, said } = await compaction(event, machine);
		await $.ui.log(`tamp: ${said}`);
		return { messages };
	} catch (thrown) {
		await $.ui.log(`tamp: this compaction is the client's own: ${reason(thrown)}`);
		return next(event);
	}
}

/** @param {any} on */
export function register(on) {
	on("session.compact", compact);
}
