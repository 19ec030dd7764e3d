import type { Compactor } from "./index.js";

/**
 * A `fetch` for clients of the Gemini API and of Vertex AI: `@google/genai` 3, and the AI SDK's provider. It compacts the
 * history of each request, with system prompt and tools in its count. An error of the compactor is
 * thrown; clients try such a request again, and report it as a `cause`.
 *
 * @param send makes the request; absent: the global `fetch`
 * @example
 * const client = new GoogleGenAI({ apiKey, httpOptions: { fetch: compactingFetch(tamp) } });
 */
export function compactingFetch(tamp: Compactor, send?: typeof globalThis.fetch): typeof globalThis.fetch;
