import type { Compactor } from "./index.js";

/**
 * An input processor of an `Agent` (Mastra 1): compacts the prompt of each model call, system prompt included. The
 * memory of the agent keeps the original messages.
 *
 * @example
 * const agent = new Agent({ id, name, instructions, model, tools, inputProcessors: [processor(tamp)] });
 */
export function processor(tamp: Compactor): { readonly id: "tamp"; processLLMRequest(args: any): Promise<{ prompt: any }> };
