// This file defines, for each method of the engine, the request that it sends and how its answer is decoded.
// Both engines, the synchronous one and the one in a worker, are made from this one table.

import { reason, TampError } from "./error.js";

/** @typedef {import("./instance.js").Answer} Answer */
/** @typedef {import("./index.js").Input} Input */
/** @typedef {{ op: string, header: Uint8Array, body: string | Uint8Array | null, decode: (answer: Answer) => any, progress?: import("./instance.js").Hear }} Call */

const encoder = new TextEncoder();

/** How many bytes the engine reads at most, as MaxBytes in core/msg. */
const MAX_BYTES = 256 * 2 ** 20;
const LIMIT = `at most ${MAX_BYTES} bytes (256 MiB) are accepted`;
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
  questions: (original, compacted, questions) => askAbout("questions", original, compacted, { questions }),
  gradeAnswers: (questions, answers) => ({ ...bare("gradeAnswers"), header: headerOf({ questions, answers }) }),
  scoreAnswers: (answers, grades) => ({ ...bare("scoreAnswers"), header: headerOf({ answers, grades }) }),
  replay: (input, progress) => ({ ...ask("replay", input, json), progress }),
  replayAt: (input) => ask("replayAt", input, withConversation(input)),
  verdict: (reports) => ({ ...bare("verdict"), header: headerOf({ reports: Array.isArray(reports) ? reports.map(withoutCalls) : reports }) }),
  countText: (given, counter) => about("countText", "count text", given, counter),
  tokens: (given, counter) => about("tokens", "split text into tokens", given, counter),
  presets: () => bare("presets"),
  loadVocabulary: (name, bytes) => ({
    op: "loadVocabulary",
    header: headerOf({ name }),
    body: bytesOf(bytes, "load a vocabulary: want its bytes"),
    decode: (answer) => void json(answer),
  }),
};

/**
 * What a session sends: its first request, and then each of its methods, with the options of a call behind the parameters named here.
 * @param {{ readonly session: number }} handle the engine's own number for it, never used twice. Every method refers to the handle, which is
 * collected when no method can be called any more
 * @param {Input} input
 * @returns {{ open: Call, methods: Record<string, (...args: any[]) => Call> }}
 */
export function sessionMethods(handle, input) {
  const rendered = withConversation(input);
  /**
   * @param {string} op
   * @param {object} rest
   * @param {(answer: Answer) => any} decode
   * @param {unknown} [messages]
   * @returns {Call}
   */
  const send = (op, rest, decode, messages) => ({ op: `session.${op}`, header: headerOf({ ...withoutPrompts(rest), ...handle }), body: written(messages), decode });
  return {
    open: ask("session.open", /** @type {any} */ (input && { ...input, ...handle }), json),
    methods: {
      append: (messages) => send("append", {}, json, messages),
      turn: (messages, options) => send("turn", options ?? {}, json, messages),
      count: () => send("count", {}, json),
      plan: (options) => send("plan", options ?? {}, json),
      apply: (plan, results) => send("apply", { plan, results }, rendered),
      archive: (plan) => send("archive", { plan }, (answer) => (json(answer), text(answer.body))),
      summarize: (plan, ids) => send("summarize", { plan, ids }, json),
      observe: (usage, idleSec) => send("observe", { usage, idleSec }, json),
      conversation: () => send("conversation", {}, (answer) => rendered(answer).conversation),
      close: () => closing(handle.session),
    },
  };
}

/**
 * @param {number} session
 * @returns {Call}
 */
export function closing(session) {
  return { op: "session.close", header: headerOf({ session }), body: null, decode: (answer) => void json(answer) };
}

/**
 * Refuses a call over the limit, before any of it is copied into the engine's memory, which never shrinks.
 * @param {Call} call
 * @returns {Call} the same
 */
export function limited(call) {
  for (const part of [call.header, call.body]) refuseOver(call.op, typeof part === "string" ? sizeOf(part) : (part?.length ?? 0));
  return call;
}

/**
 * @param {string} op
 * @param {number} size in bytes
 */
function refuseOver(op, size) {
  if (size > MAX_BYTES) throw new TampError("too_large", "", `cannot ${op}: the input is ${size} bytes, ${LIMIT}`);
}

/** The bytes of a text as UTF-8; an upper bound where that is within the limit. @param {string} given */
function sizeOf(given) {
  if (3 * given.length <= MAX_BYTES) return 3 * given.length;
  let size = 0;
  const piece = new Uint8Array(3 << 16);
  for (let at = 0, end; at < given.length; at = end) {
    end = Math.min(at + (1 << 16), given.length);
    if (end < given.length && (given.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--; // no pair is cut
    size += encoder.encodeInto(given.slice(at, end), piece).written;
  }
  return size;
}

/** The engine's own version, asked once at start-up. */
export const version = () => bare("version");

/**
 * @param {string} op
 * @returns {Call}
 */
function bare(op) {
  return { op, header: headerOf({}), body: null, decode: json };
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
  if (conversation === undefined) stringify(conversation, "the conversation", "bad_json"); // which says why not
  return { op, header, body: written(conversation), decode };
}

/**
 * A conversation or messages as JSON, or the bytes of it; null where there is nothing.
 * @param {unknown} given
 */
function written(given) {
  if (given === undefined) return null;
  if (isBytes(given)) return bytesOf(given, "");
  return typeof given === "string" ? escapeLoneSurrogates(given) : stringify(given, "the conversation", "bad_json");
}

/**
 * @param {string} op
 * @param {string} what
 * @param {unknown} given
 * @param {string} counter
 * @returns {Call}
 */
function about(op, what, given, counter) {
  const body = typeof given === "string" ? given : bytesOf(given, `${what}: want a string or bytes`);
  return { op, header: headerOf({ counter }), body, decode: json };
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

/** The verdict goes by the sums. @param {any} report */
function withoutCalls(report) {
  return report && typeof report === "object" ? { ...report, calls: undefined } : report;
}

/**
 * Two conversations: the earlier one goes in the header, as text or as the JSON it is.
 * @param {string} op
 * @param {Input} previous
 * @param {Input} input
 * @param {object} [rest] further members of the request
 */
function askAbout(op, previous, input, rest) {
  const { body } = ask(op, previous, json); // the same refusals as of any input
  const asText = typeof previous.conversation === "string" || isBytes(previous.conversation);
  // Nothing else of the two matters, so that an outcome may stand for an input.
  const both = { ...rest, conversation: input?.conversation, format: input?.format ?? previous.format, previous: !asText ? previous.conversation : typeof body === "string" ? body : text(body) };
  return ask(op, /** @type {any} */ (both), json);
}

/** @param {object} rest */
function headerOf(rest) {
  const written = stringify(rest, "the input", "bad_request");
  refuseOver("read the input", written.length);
  return encoder.encode(written);
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
    const why = code === "too_large" && !/stack|recursion/i.test(String(thrown)) ? `it is longer than a string may be; ${LIMIT}` : reason(thrown);
    throw new TampError(code, "", `cannot write ${what} as JSON: ${why}`);
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
  if (given.length > MAX_BYTES || given.isWellFormed?.()) return given; // older engines go the slow way; limited refuses the first
  return given.replace(/\\[^]|\p{Surrogate}/gu, (found) => (found.length === 1 ? `\\u${found.charCodeAt(0).toString(16)}` : found));
}

/** @param {unknown} value */
function isBytes(value) {
  return ArrayBuffer.isView(value) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/**
 * A view of the same memory, as a Uint8Array of this realm.
 * @param {any} value
 * @param {string} wanted for an error
 */
function bytesOf(value, wanted) {
  if (!isBytes(value)) throw new TampError("bad_request", "", `cannot ${wanted}, got ${value === null ? "null" : typeof value}`);
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
