// This file is the program of every row: it compacts a session on this thread and in a worker.

import { compact, load, loadInWorker } from "tamp";

export async function program() {
	const conversation = [{ role: "user", content: "Find the bug." }];
	for (let i = 0; i < 8; i++) {
		const call = { type: "tool_use", id: `t${i}`, name: "read_file", input: { path: `part${i}.go` } };
		const content = `line ${i} of the output\n`.repeat(400);
		conversation.push(
			{ role: "assistant", content: [call] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content }] },
		);
	}
	let lines = 0;
	const save = (originals) => {
		lines += originals.trimEnd().split("\n").length;
	};
	const warnings = [];
	const here = await compact(await load(), { conversation, preset: "s06" }, { save });
	const engine = await loadInWorker(undefined, { onWarning: ({ message }) => warnings.push(message) });
	const there = await compact(engine, { conversation, preset: "s06" }, { save });
	engine.terminate();
	return { before: here.before, after: here.after, afterInWorker: there.after, lines, warnings };
}
