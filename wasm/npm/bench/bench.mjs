// This file measures the engine as wasm in Node and prints a table: node wasm/npm/bench/bench.mjs

import { spawnSync } from "node:child_process";
import { generated, recorded } from "./conversation.mjs";
import { watched } from "./watched.mjs";

const MB = 1e6;
const RUNS = 9;

/** @param {number[]} times */
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1] ?? NaN;

/**
 * @param {number} runs
 * @param {() => void} work
 */
function time(runs, work) {
  return median(Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }));
}

/** Milliseconds from the import to the first answer, each in a new process. */
function firstAnswer() {
  const script = `
    const began = performance.now();
    const { load } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
    (await load()).detect({ conversation: [{ role: "user", content: "Hello" }] });
    console.log(performance.now() - began);`;
  return median(Array.from({ length: 5 }, () => Number(spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout)));
}

/**
 * @param {string} name
 * @param {string | undefined} text
 */
async function measure(name, text) {
  if (text === undefined) {
    console.log(`${name.padEnd(10)} no corpus: set TAMP_CORPUS`);
    return;
  }
  const conversation = new TextEncoder().encode(text);
  const { engine, memory } = await watched();
  const input = { conversation, preset: "s06" };
  const both = () => {
    engine.apply({ ...input, plan: engine.plan(input), results: [] });
  };
  both();
  const heapOnce = memory();
  const ms = time(RUNS, both);
  const heap = memory();
  const whole = { conversation, preset: "balanced", force: true };
  const steps = { plan: 0, summarize: 0, apply: 0 };
  const all = time(3, () => {
    /** @type {import("../index.js").Plan} */
    let plan;
    /** @type {import("../index.js").SummaryResult[]} */
    let results;
    steps.plan = time(1, () => (plan = engine.plan(whole)));
    steps.summarize = time(1, () => (results = engine.summarize({ ...whole, plan })));
    steps.apply = time(1, () => engine.apply({ ...whole, plan, results }));
  });
  const total = engine.count(input).total;
  const count = time(RUNS, () => engine.countText(conversation));
  const row = [
    name.padEnd(10), `${(conversation.length / MB).toFixed(1)} MB`, `${(total / 1000).toFixed(0)}k tokens`,
    `plan + apply ${ms.toFixed(0)} ms (limit 400)`, `estimate ${(conversation.length / MB / (count / 1000)).toFixed(0)} MB/s`,
    `balanced, extractive ${all.toFixed(0)} ms (limit 1000; ${Object.entries(steps).map(([step, ms]) => `${step} ${ms.toFixed(0)}`).join(", ")})`,
    `heap ${(heapOnce / MB).toFixed(0)} MB after one, ${(heap / MB).toFixed(0)} MB after all (limit 64)`,
  ];
  console.log(row.join("   "));
}

console.log(`load to first answer ${firstAnswer().toFixed(0)} ms (limit 150)`);
await measure("generated", generated(4 * MB));
await measure("recorded", recorded(process.env.TAMP_CORPUS, 4 * MB));
