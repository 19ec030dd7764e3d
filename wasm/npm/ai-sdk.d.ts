import type { Compactor } from "./index.js";

/**
 * Compacts the messages before each step of `generateText` and `streamText`. The system prompt and the tools are not
 * among them: if they are long, use {@link middleware}.
 *
 * @example
 * const tamp = await compactor({ preset: "balanced", save });
 * await generateText({ model, tools, messages, stopWhen: stepCountIs(100), prepareStep: prepareStep(tamp) });
 */
export function prepareStep(tamp: Compactor): (options: { messages: any[] }) => Promise<{ messages: any[] }>;

/**
 * Compacts the prompt of every call of a model, system prompt included.
 *
 * @example
 * const model = wrapLanguageModel({ model: anthropic("claude-sonnet-4-5"), middleware: middleware(tamp) });
 */
export function middleware(tamp: Compactor): { specificationVersion: any; transformParams(options: { params: any }): Promise<any> };
