import type { Compactor } from "./index.js";

/**
 * A middleware of `createAgent` (LangChain 1): compacts the messages of each model call, with the system prompt in the
 * count. The state of the agent keeps the original messages. For models whose thinking is bound to the messages before it,
 * give the model's client the `compactingFetch` of `tamp/anthropic` instead.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [middleware(tamp)] });
 */
export function middleware(tamp: Compactor): {
  name: string;
  wrapModelCall(request: any, handler: (request: any) => any): Promise<any>;
};
