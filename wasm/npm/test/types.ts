// This file is never run. The test is that tsc accepts it, with exactly the expected errors.

import { compact, load, loadInWorker, TampError } from "../index.js";
import type { Action, Anchored, AppendReport, Assembled, AsyncEngine, AsyncSession, CompactorOptions, DeepPartial, Engine, ErrorCode, Format, Host, Input, Inspection, Metrics, Outcome, Plan, Progress, Policy, Preset, Problem, Replay, Session, Source, State, SummaryResult, Turn, TurnOptions } from "../index.js";

export async function loop(conversation: object, save: (jsonl: string) => Promise<void>, state?: State): Promise<Outcome> {
  const engine: Engine = await load();
  const input: Input = { conversation, preset: "s06", policy: { clear: { keepRecent: 2, keepTools: ["read"] } }, state };
  let plan: Plan | undefined = engine.plan(input);
  let outcome: Outcome;
  do {
    await save(engine.archive({ ...input, plan }));
    outcome = engine.apply({ ...input, plan, results: plan.requests.map(({ id }) => ({ id, err: "no model here" })) });
    plan = outcome.next;
  } while (plan);
  return outcome;
}

/** The members that may be absent, but not undefined. */
type Refused<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? ({ [P in K]: undefined } extends Pick<T, K> ? never : K) : never }[keyof T];

/** Optional members take undefined, with exactOptionalPropertyTypes, too. */
export function undefineds(none: Refused<Input> | Refused<Host> | Refused<CompactorOptions> | Refused<DeepPartial<Policy>> | Refused<Outcome> | Refused<TurnOptions>): never {
  return none;
}

export async function sources(): Promise<void> {
  const all: Source[] = [new URL("https://example.com/tamp.wasm"), new Response(), new Uint8Array(), new ArrayBuffer(1), new WebAssembly.Module(new Uint8Array())];
  for (const source of all) {
    await load(source);
    await loadInWorker(source);
  }
}

export async function worker(bytes: Uint8Array): Promise<number> {
  const engine: AsyncEngine = await loadInWorker();
  const inspection: Inspection = await engine.inspect({ conversation: bytes }, { transfer: true });
  const outcome: Promise<Outcome> = engine.apply({ conversation: bytes, plan: await engine.plan({ conversation: bytes }), results: [] });
  // @ts-expect-error a promise is no count
  const count: number = engine.countText("text");
  void [outcome, count];
  engine.terminate();
  return inspection.before - inspection.after;
}

export function results(engine: Engine): void {
  const { format, messages }: { format: Format; messages: number } = engine.detect({ conversation: "[]" });
  const problems: Problem[] = engine.check({ conversation: [], format }).problems;
  const presets: Preset[] = engine.presets();
  const actions: Action[] = engine.inspect({ conversation: [] }).actions;
  const part: DeepPartial<Policy> = { thinking: { keepTurns: 1 } };
  void [messages, problems, presets, actions, part];
  // @ts-expect-error results belong to apply
  engine.apply({ conversation: [], plan: engine.plan({ conversation: [] }) });
  // @ts-expect-error no such format
  engine.detect({ conversation: [], format: "nonsense" });
  // @ts-expect-error the version is not for writing
  engine.version = "2";
  engine.loadVocabulary("o200k_base", new Uint8Array());
  // @ts-expect-error the bytes, not their address
  engine.loadVocabulary("o200k_base", new URL("https://example.com/o200k_base.bin"));
  const ends: number[] = engine.tokens("text", "cl100k_base").ends;
  const own: Input = { conversation: [], counter: "auto" };
  void [ends, own];
}

export async function turn(engine: Engine, remote: AsyncEngine, conversation: object[], state?: State): Promise<Metrics> {
  const assembled: Assembled = engine.assemble({ conversation, results: [{ toolUseId: "a", content: "A" }, { toolUseId: "b" }], injections: [{ source: "reminder", content: "x" }] });
  const report: AppendReport = engine.checkAppend({ conversation }, { conversation: assembled.conversation });
  const anchored: Anchored = await remote.anchors({ conversation, max: 3, ttl: "1h", move: true, state: state ?? "" }, { transfer: true });
  const host: Host = { concurrency: 2, summarize: async ({ user }, signal) => (signal.aborted ? "" : user), save: async (jsonl) => void jsonl, onProgress };
  const outcome: Outcome = await compact(remote, { conversation, usage: { input_tokens: 1, cache_creation: {} } }, host);
  const results: SummaryResult[] = engine.summarize({ conversation, plan: engine.plan({ conversation }) });
  void [report, outcome, results, engine.tools("openai-chat"), engine.quality({ conversation }, outcome).permille];
  // @ts-expect-error no such lifetime
  engine.anchors({ conversation, ttl: "2h" });
  // @ts-expect-error a summary is text
  await compact(engine, { conversation }, { save: "discard", summarize: async () => 7 });
  // @ts-expect-error where do the originals go?
  await compact(engine, { conversation }, {});
  // @ts-expect-error where is the engine?
  await compact({ conversation }, { save: "discard" });
  return engine.observe(anchored.state, { input: 1 }).metrics;
}

export async function sessions(engine: Engine, remote: AsyncEngine, messages: object[]): Promise<unknown> {
  const session: Session = engine.session({ conversation: [], format: "openai-chat", preset: "balanced" });
  const turn: Turn = session.turn(messages, { usage: { input: 1 }, idleSec: 10 });
  const plan: Plan = session.plan();
  const outcome: Outcome = session.apply(plan, session.summarize(plan));
  const far: AsyncSession = await remote.session({ conversation: new Uint8Array() }, { transfer: true });
  const due: boolean = (await far.turn(new Uint8Array(), {}, { transfer: true })).due;
  // @ts-expect-error messages come as a list
  session.append(7);
  // @ts-expect-error results belong to apply
  session.apply(plan);
  void [turn.total, due, session.archive(plan), session.count().total, session.observe({ input: 1 }).state, outcome.state];
  session.close();
  return far.close();
}

function onProgress(progress: Progress): void {
  switch (progress.type) {
    case "plan": return void progress.plan.requests;
    case "saved": return void progress.bytes;
    case "summary": return void [progress.result.err, progress.done / progress.of];
    case "done": return void progress.outcome.after;
  }
}

export function explain(thrown: unknown): string {
  if (!(thrown instanceof TampError)) throw thrown;
  const code: ErrorCode = thrown.code;
  switch (code) {
    case "bad_json":
    case "load_failed":
      return `${thrown.path}: ${thrown.message}`;
    default:
      return code;
  }
}

export async function replays(engine: Engine, remote: AsyncEngine, conversation: object): Promise<string> {
  const base: Replay = engine.replay({ conversation, compact: false, ttl: "1h", model: "claude-opus-5" });
  const report: Replay = await remote.replay({ conversation, preset: "balanced" }, (done, of) => void (done / of), { transfer: true });
  engine.replay({ conversation }, (done) => done < 10);
  const freed: number | undefined = report.calls[0]?.freed;
  const price: number | undefined = base.price?.input;
  const seen: unknown = engine.replayAt({ conversation, call: 3 }).conversation;
  // @ts-expect-error which call?
  engine.replayAt({ conversation });
  // @ts-expect-error a progress that is no function
  engine.replay({ conversation }, 7);
  void [freed, price, seen];
  return engine.verdict([base, report]).text + (await remote.verdict([base])).advised;
}
