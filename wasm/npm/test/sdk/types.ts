// This file is never run. The test is that tsc accepts it: with the vendors' own types, a conversation comes out with the
// type that went in, without a cast, observe takes the usage of each SDK, and each SDK takes its adapter.

import Anthropic from "@anthropic-ai/sdk";
import type { Content, GenerateContentParameters, GenerateContentResponseUsageMetadata, HttpOptions } from "@google/genai";
import type { LanguageModelUsage as Usage5, ModelMessage as Model5, UIMessage as UI5 } from "ai5";
import type { LanguageModelUsage as Usage6, ModelMessage as Model6, UIMessage as UI6 } from "ai6";
import type { LanguageModelUsage as Usage7, ModelMessage as Model7, UIMessage as UI7 } from "ai7";
import { generateText as generate5, wrapLanguageModel as wrap5 } from "ai5";
import { generateText as generate6, wrapLanguageModel as wrap6 } from "ai6";
import { generateText as generate7, wrapLanguageModel as wrap7 } from "ai7";
import OpenAI from "openai";
import { createAgent } from "langchain";
import { middleware, prepareStep } from "../../ai-sdk.js";
import { compactingFetch as ofAnthropic } from "../../anthropic.js";
import { compactingFetch as ofGoogle } from "../../google.js";
import type { AsyncEngine, Compactor, CompactorOptions, Engine, Host, Session } from "../../index.js";
import { compact, compactor } from "../../index.js";
import { middleware as ofLangChain } from "../../langchain.js";
import { compactingFetch as ofOpenAI } from "../../openai.js";

type Conversations = [
  Anthropic.MessageParam[], Anthropic.MessageCreateParams, OpenAI.ChatCompletionMessageParam[], OpenAI.ChatCompletionCreateParams,
  OpenAI.Responses.ResponseInputItem[], Content[], Model5[], Model6[], Model7[], UI5[], UI6[], UI7[],
];
type Usages = [Anthropic.Usage, Anthropic.Beta.BetaUsage, Anthropic.MessageDeltaUsage, OpenAI.CompletionUsage, OpenAI.Responses.ResponseUsage, GenerateContentResponseUsageMetadata, Usage5, Usage6, Usage7];

/** Every call with a conversation of type C. */
async function same<C>(engine: Engine, remote: AsyncEngine, conversation: C, host: Host): Promise<C[]> {
  const plan = engine.plan({ conversation });
  const outcome = engine.apply({ conversation, plan, results: [] });
  const session: Session<C> = engine.session({ conversation });
  return [outcome, engine.repair({ conversation }), engine.anchors({ conversation }), engine.replayAt({ conversation, call: 1 }),
    session.apply(plan, []), await compact(engine, { conversation }, host), await compact(remote, { conversation }, host),
    await remote.apply({ conversation, plan, results: [] }), await remote.repair({ conversation })].map((result) => result.conversation as C);
}

export async function concrete(engine: Engine, all: Conversations, host: Host): Promise<Conversations> {
  const [a, b, c, d, e, f, g, h, i, j, k, l] = all;
  const plan = engine.plan({ conversation: a });
  const of = <C>(conversation: C) => engine.apply({ conversation, plan, results: [] });
  const messages: Anthropic.MessageParam[] = engine.apply({ conversation: a, plan, results: [] }).conversation;
  const items: OpenAI.Responses.ResponseInputItem[] = (await compact(engine, { conversation: e }, host)).conversation;
  const contents: Content[] = engine.session({ conversation: f }).conversation();
  const text: string = of("[]").conversation;
  const bytes: string = of(new Uint8Array()).conversation;
  // @ts-expect-error the messages of another SDK
  const others: Model6[] = engine.apply({ conversation: f, plan, results: [] }).conversation;
  void [text, bytes, same, others];
  return [messages, engine.anchors({ conversation: b }).conversation, engine.repair({ conversation: c }).conversation,
    engine.apply({ conversation: d, plan, results: [] }).conversation, items, contents,
    engine.apply({ conversation: g, plan, results: [] }).conversation, engine.apply({ conversation: h, plan, results: [] }).conversation,
    engine.apply({ conversation: i, plan, results: [] }).conversation, engine.apply({ conversation: j, plan, results: [] }).conversation,
    engine.apply({ conversation: k, plan, results: [] }).conversation, engine.apply({ conversation: l, plan, results: [] }).conversation];
}

/** Bodies and lists that a program does not change come out as they went in, too. */
export async function unchanged(engine: Engine, remote: AsyncEngine, a: readonly Anthropic.MessageParam[],
  b: ReadonlyArray<OpenAI.ChatCompletionMessageParam>, c: OpenAI.Responses.ResponseCreateParams, d: GenerateContentParameters,
  e: readonly Model7[], f: Anthropic.Beta.MessageCreateParamsNonStreaming): Promise<[typeof a, typeof b, typeof c, typeof d, typeof e, typeof f]> {
  const list: Anthropic.MessageParam[] = engine.assemble({ conversation: [...a], text: "hi" }).conversation;
  const { conversation } = await remote.assemble({ conversation: e, text: "hi" });
  const session: Session<readonly Anthropic.MessageParam[]> = engine.session({ conversation: a });
  session.append(list);
  return [session.conversation(), engine.repair({ conversation: b }).conversation, engine.anchors({ conversation: c }).conversation,
    engine.repair({ conversation: d }).conversation, conversation, engine.repair({ conversation: f }).conversation];
}

export function usages(engine: Engine, session: Session, all: Usages): void {
  for (const usage of all) {
    engine.observe(undefined, usage);
    session.observe(usage, 3);
    engine.plan({ conversation: [], usage });
  }
  // @ts-expect-error a number is no usage
  engine.observe(undefined, 7);
}

/** A history comes out of a compactor with the type that went in. */
export async function compacted(tamp: Compactor, [a, b, c, d, e, f, g, h, i]: Conversations): Promise<unknown[]> {
  const lists: [Anthropic.MessageParam[], OpenAI.ChatCompletionMessageParam[], OpenAI.Responses.ResponseInputItem[], Content[]] =
    [await tamp(a), await tamp(c), await tamp(e), await tamp(f)];
  const bodies: [Anthropic.MessageCreateParams, OpenAI.ChatCompletionCreateParams] = [await tamp(b), await tamp(d)];
  const models: [Model5[], Model6[], Model7[]] = [await tamp(g), await tamp(h), await tamp(i)];
  return [lists, bodies, models];
}

export async function adapters(options: CompactorOptions, model5: Parameters<typeof wrap5>[0]["model"],
  model6: Parameters<typeof wrap6>[0]["model"], model7: Parameters<typeof wrap7>[0]["model"]): Promise<unknown[]> {
  const tamp: Compactor = await compactor(options);
  // @ts-expect-error where do the originals go?
  await compactor({ preset: "balanced" });
  await compactor({ ...options, save: "discard", from: undefined });
  const wrapped = [wrap5({ model: model5, middleware: middleware(tamp) }), wrap6({ model: model6, middleware: middleware(tamp) }),
    wrap7({ model: model7, middleware: middleware(tamp) })];
  const prompt = "Go.";
  await generate5({ model: model5, prompt, prepareStep: prepareStep(tamp) });
  await generate6({ model: model6, prompt, prepareStep: prepareStep(tamp) });
  await generate7({ model: model7, prompt, prepareStep: prepareStep(tamp) });
  createAgent({ model: "anthropic:claude-sonnet-5", tools: [], middleware: [ofLangChain(tamp)] });
  const google: HttpOptions = { fetch: ofGoogle(tamp) };
  return [wrapped, google, new Anthropic({ fetch: ofAnthropic(tamp) }), new OpenAI({ fetch: ofOpenAI(tamp, fetch) })];
}
