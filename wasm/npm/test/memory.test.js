// This file watches the memory of an instance, which never shrinks.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { generated, recorded } from "../bench/conversation.mjs";
import { fresh, root } from "./support.js";

const corpus = process.env.TAMP_CORPUS ?? path.join(root, "../shared/data");

test("plan and apply, again and again, take the memory of a few times", async () => {
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = /** @type {any} */ (async (/** @type {any} */ module, /** @type {any} */ imports) => {
    const instance = /** @type {any} */ (await instantiate(module, imports));
    memory = instance.exports.mem;
    return instance;
  });
  const engine = await (await fresh()).load();
  WebAssembly.instantiate = instantiate;
  const conversation = recorded(corpus, 4_000_000) ?? generated(4_000_000);
  for (let turn = 0; turn < 20; turn++) {
    const input = { conversation: conversation.replace("]", `${" ".repeat(turn)}]`), preset: "s06" }; // another one each time
    engine.apply({ ...input, plan: engine.plan(input), results: [] });
  }
  const size = memory?.buffer.byteLength ?? NaN;
  assert.ok(size < 80 << 20, `${size} bytes`);
});
