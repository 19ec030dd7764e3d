// This file is the module of the plugin for Claude Code (claude-code/): it answers the client's compaction and the four
// commands. bundle.mjs writes it with all its imports into claude-code/hooks/tamp.js. The client refuses a module that
// hands on $ or that imports dynamically, so each hook makes its own functions of it.

import { entryPoint } from "./api.js";
import { onlyModule } from "./module.js";
import { commanded } from "./commands.js";
import { compaction, trimmed, wholeOf } from "./compaction.js";
import { reason } from "./error.js";

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/**
 * The module, which is compiled once, from the first result of a tool on: it takes 100 ms, and ten times as long on a busy
 * machine, which a compaction need not wait for.
 * @param {() => Promise<WebAssembly.Module>} compile
 */
function moduleBy(compile) {
	compiled ??= compile();
	compiled.catch(() => {
		compiled = undefined;
	});
	return compiled;
}

/**
 * An engine. Each compaction and command has its own, so that the memory of a large session is freed.
 * @param {() => Promise<WebAssembly.Module>} compile
 */
async function engineBy(compile) {
	const module = await moduleBy(compile);
	return entryPoint({ source: async () => module, compile: onlyModule, spawn: [] }).load();
}

/** The files that may have settings: that of the project, and the one next to the plugin. @param {string} root */
const settingsIn = (root) => [`${root}/.claude/tamp.json`, new URL("../../../tamp.json", import.meta.url).pathname];

const now = () => performance.now();

/** @param {any} $ @param {any} event @param {(event: any) => Promise<any>} next */
async function onCompact($, event, next) {
	/** @type {import("./compaction.js").Machine} */
	const machine = {
		engine: () => engineBy(() => $.wasm.compile("./tamp.wasm")),
		session: async () => ({
			log: (await $.session.info()).transcriptPath,
			model: await $.session.model(),
			settings: settingsIn(await $.session.root()),
		}),
		read: (path) => wholeOf((part) => $.fs.read(path, part)),
		write: (path, text) => $.fs.write(path, text),
		list: (path) => $.fs.list(path),
		now,
	};
	let answer, line;
	try {
		const { messages, said } = await compaction(event, machine);
		answer = { messages };
		line = said;
	} catch (thrown) {
		line = `this compaction is the client's own: ${reason(thrown)}`;
	}
	try {
		await $.ui.toast(`tamp: ${line}`);
	} catch {} // a session without a screen has no place for it
	return answer ?? next(event);
}

/** @param {any} $ @param {any} event @param {(event: any) => Promise<any>} next */
async function onCommand($, event, next) {
	const [, name] = /^tamp:(\w+)$/.exec(event.command) ?? [];
	if (name === undefined) return next(event);
	/** @type {import("./commands.js").Commander} */
	const machine = {
		engine: () => engineBy(() => $.wasm.compile("./tamp.wasm")),
		session: async () => ({
			log: (await $.session.info()).transcriptPath,
			model: await $.session.model(),
			settings: settingsIn(await $.session.root()),
		}),
		read: (path) => wholeOf((part) => $.fs.read(path, part)),
		write: (path, text) => $.fs.write(path, text),
		list: (path) => $.fs.list(path),
		now,
		rows: () => $.session.messages(),
		insert: (text) => $.session.append({ message: { type: "user", content: [{ type: "text", text }] } }),
	};
	try {
		return { text: await commanded(name, event.args ?? "", machine) };
	} catch (thrown) {
		return { text: `cannot do it: ${reason(thrown)}` };
	}
}

/** @param {any} $ @param {any} event @param {(event: any) => Promise<any>} next */
async function onAppend($, event, next) {
	if (event.door !== "tool-result") return next(event);
	moduleBy(() => $.wasm.compile("./tamp.wasm"));
	let message;
	try {
		message = await trimmed(event.message, {
			session: async () => ({
				log: (await $.session.info()).transcriptPath,
				settings: settingsIn(await $.session.root()),
			}),
			read: (path) => wholeOf((part) => $.fs.read(path, part)),
			write: (path, text) => $.fs.write(path, text),
			list: (path) => $.fs.list(path),
		});
	} catch (thrown) {
		await $.ui.log(`tamp: a result stays whole: ${reason(thrown)}`);
	}
	return next(message ? { ...event, message } : event);
}

/** @param {any} on */
export function register(on) {
	on("session.compact", onCompact);
	on("command.run", onCommand);
	on("session.append", onAppend);
}
