// This file measures the engine as wasm in Node and prints a table: node wasm/npm/bench/bench.mjs

import { conversations, firstAnswer, MB, measure } from "./figures.mjs";

console.log(`load to first answer ${firstAnswer().toFixed(0)} ms (limit 150)`);
for (const [name, text] of Object.entries(conversations())) {
	if (text === undefined) {
		console.log(`${name.padEnd(10)} no corpus: set TAMP_CORPUS`);
		continue;
	}
	const figures = await measure(text);
	const steps = Object.entries(figures.steps).map(([step, ms]) => `${step} ${ms.toFixed(0)}`);
	const row = [
		name.padEnd(10),
		`${(figures.bytes / MB).toFixed(1)} MB`,
		`${(figures.tokens / 1000).toFixed(0)}k tokens`,
		`plan + apply ${figures.planApply.toFixed(0)} ms (limit 400)`,
		`estimate ${figures.estimate.toFixed(0)} MB/s`,
		`o200k_base ${figures.exact.toFixed(0)} MB/s`,
		`balanced, extractive ${figures.balanced.toFixed(0)} ms (limit 1000; ${steps.join(", ")})`,
		`heap ${(figures.heapOnce / MB).toFixed(0)} MB after one, ${(figures.heap / MB).toFixed(0)} MB after all (limit 64)`,
	];
	console.log(row.join("   "));
}
