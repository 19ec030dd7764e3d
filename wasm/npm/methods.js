// This file says what each method of the engine sends through the door and what it makes of the answer.
// Both engines, the synchronous one and the one in a worker, are made from this one table.

import { reason, TampError } from "./error.js";

/** @typedef {import("./instance.js").Answer} Answer */
/** @typedef {import("./index.js").Input} Input */
/** @typedef {{ op: string, header: Uint8Array, body: Uint8Array | null, owned: boolean, decode: (answer: Answer) => any }} Call */
/** owned: the body's memory was made here, so it may be moved away without asking. */

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * In the worker's engine the options of a call stand behind the parameters that are named here.
 * @type {Record<string, (...args: any[]) => Call>}
 */
export const methods = {
  detect: (input) => ask("detect", input, json),
  count: (input) => ask("count", input, json),
  check: (input) => ask("check", input, json),
  repair: (input) => ask("repair", input, withConversation(input)),
  inspect: (input) => ask("inspect", input, json),
  plan: (input) => ask("plan", input, json),
  apply: (input) => ask("apply", input, withConversation(input)),
  archive: (input) => ask("archive", input, (answer) => (json(answer), text(answer.body))),
  summarize: (input) => ask("summarize", input, json),
  anchors: (input) => ask("anchors", input, withConversation(input)),
  assemble: (parts) =>
    parts && parts.conversation === undefined ? { ...bare("assemble"), header: headerOf(parts) } : ask("assemble", parts, withConversation(parts)),
  observe: (state, usage, idleSec) => ({ ...bare("observe"), header: headerOf({ state, usage, idleSec }) }),
  tools: (format) => ({ ...bare("tools"), header: headerOf({ format }) }),
  checkAppend: (previous, next) => askAbout("checkAppend", previous, next),
  quality: (original, compacted) => askAbout("quality", original, compacted),
  countText: (given, counter) => ({
    op: "countText",
    header: headerOf({ counter }),
    ...(typeof given === "string" ? { body: encoder.encode(given), owned: true } : { body: bytesOf(given), owned: false }),
    decode: json,
  }),
  presets: () => bare("presets"),
};

/** The engine's own version, asked once at start-up. */
export const version = () => bare("version");

/**
 * @param {string} op
 * @returns {Call}
 */
function bare(op) {
  return { op, header: headerOf({}), body: null, owned: false, decode: json };
}

/**
 * @param {string} op
 * @param {Input} input
 * @param {(answer: Answer) => any} decode
 * @returns {Call}
 */
function ask(op, input, decode) {
  if (typeof input !== "object" || input === null) {
    throw new TampError("bad_request", "", `cannot ${op}: want an object with a conversation, got ${input === null ? "null" : typeof input}`);
  }
  const { conversation, ...rest } = input;
  const header = headerOf(withoutPrompts(rest));
  if (isBytes(conversation)) return { op, header, body: bytesOf(conversation), owned: false, decode };
  const given = typeof conversation === "string" ? escapeLoneSurrogates(conversation) : stringify(conversation, "the conversation", "bad_json");
  return { op, header, body: encoder.encode(given), owned: true, decode };
}

/**
 * The prompts of a plan are for the host's model, and as long as the conversation. The engine does not read them back, so
 * they stay on this side. What is no plan goes as it is, for the engine to refuse.
 * @param {any} input
 */
function withoutPrompts(input) {
  if (!Array.isArray(input.plan?.requests)) return input;
  const requests = input.plan.requests.map((/** @type {any} */ r) => (r && typeof r === "object" ? { ...r, system: undefined, user: undefined } : r));
  return { ...input, plan: { ...input.plan, requests } };
}

/**
 * Two conversations: the earlier one goes in the header, as text or as the JSON it is.
 * @param {string} op
 * @param {Input} previous
 * @param {Input} input
 */
function askAbout(op, previous, input) {
  const { body } = ask(op, previous, json); // the same refusals as of any input
  const asText = typeof previous.conversation === "string" || isBytes(previous.conversation);
  // Nothing else of the two matters, so that an outcome may stand for an input.
  const both = { conversation: input?.conversation, format: input?.format ?? previous.format, previous: asText ? text(body) : previous.conversation };
  return ask(op, /** @type {any} */ (both), json);
}

/** @param {object} rest */
function headerOf(rest) {
  return encoder.encode(stringify(rest, "the input", "bad_request"));
}

/**
 * @param {unknown} value
 * @param {string} what
 * @param {"bad_json" | "bad_request" | "too_large"} code
 */
function stringify(value, what, code) {
  let written;
  try {
    written = JSON.stringify(value);
  } catch (thrown) {
    // Longer than a string may be, or nested deeper than the stack goes, which Firefox calls an InternalError.
    const name = thrown instanceof Error ? thrown.name : "";
    if (name === "RangeError" || name === "InternalError") code = "too_large";
    throw new TampError(code, "", `cannot write ${what} as JSON: ${reason(thrown)}`);
  }
  if (written === undefined) throw new TampError(code, "", `cannot write ${what} as JSON: it is ${typeof value}`);
  return written;
}

/**
 * A JavaScript string may hold half a surrogate pair, UTF-8 may not, and an encoder would put U+FFFD in its place without a word.
 * Such a half can only stand inside a JSON string, where \udXXX says the same. One behind a backslash is no JSON either way and
 * stays as it is, to be refused.
 * @param {string} given
 */
function escapeLoneSurrogates(given) {
  if (given.isWellFormed?.()) return given; // older engines go the slow way
  return given.replace(/\\[^]|\p{Surrogate}/gu, (found) => (found.length === 1 ? `\\u${found.charCodeAt(0).toString(16)}` : found));
}

/** @param {unknown} value */
function isBytes(value) {
  return ArrayBuffer.isView(value) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/**
 * A view of the same memory, as a Uint8Array of this realm.
 * @param {any} value
 */
function bytesOf(value) {
  if (!isBytes(value)) throw new TampError("bad_request", "", `cannot count text: want a string or bytes, got ${value === null ? "null" : typeof value}`);
  try {
    return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  } catch {
    throw new TampError("bad_request", "", "cannot read the bytes: their memory was moved away");
  }
}

/** @param {Answer} answer */
function json(answer) {
  const result = JSON.parse(text(answer.header));
  if (result?.error) throw new TampError(result.error.code, result.error.path ?? "", result.error.message);
  return result;
}

/**
 * Text and bytes come back as text, anything else as the parsed JSON.
 * @param {Input} input
 * @returns {(answer: Answer) => any}
 */
function withConversation(input) {
  const asText = typeof input?.conversation === "string" || isBytes(input?.conversation);
  return (answer) => {
    const result = json(answer);
    const written = text(answer.body);
    return { conversation: asText ? written : JSON.parse(written), ...result };
  };
}

/** @param {Uint8Array | null} bytes */
function text(bytes) {
  try {
    return strict.decode(bytes ?? new Uint8Array());
  } catch {
    throw new TampError("bad_json", "", "cannot hand the conversation back as text: it is not valid UTF-8");
  }
}
