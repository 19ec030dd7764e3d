// This file draws the pictures of how.html: the effect of each preset on the example session. `make screenshots` runs
// it.

import fs from "node:fs/promises";

import { load } from "../../wasm/npm/index.js";
import { draw } from "./draw.js";

const here = new URL(".", import.meta.url);
const tamp = await load();
const conversation = await fs.readFile(new URL("../examples/bughunt.jsonl", here));
await fs.mkdir(new URL("../how", here), { recursive: true });

for (const { name, title } of tamp.presets()) {
	// By default this preset keeps all thinking; the picture shows its use.
	const policy = name === "clear_thinking" ? { thinking: { keepTurns: 4 } } : {};
	const input = { conversation, preset: name, policy, force: true };
	const plan = tamp.plan(input);
	const outcome = tamp.apply({ ...input, plan, results: tamp.summarize({ ...input, plan }) });
	const inspection = tamp.inspect(input);
	await fs.writeFile(new URL(`../how/${name}.svg`, here), draw(inspection, outcome.after, title, 960));
	await fs.writeFile(new URL(`../how/${name}-narrow.svg`, here), draw(inspection, outcome.after, title, 360));
	console.log(`  how/${name}.svg: ${plan.before} → ${outcome.after} tokens`);
}
