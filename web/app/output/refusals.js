// This file explains why a server did not compact, and what the user can do.

import { number, sentence } from "../ui/words.js";

/** @import { About, Refused } from "./api.js" */
/** @typedef {"token"|"key"} Field */

/**
 * @param {Refused} refused
 * @param {About} about
 * @param {{token: string, key: string}} the secrets that were sent
 * @returns {{what: string, advice: string, field?: Field}} field: the input field to correct
 */
export function explain({ code, message, wait }, about, { token, key }) {
	const said = `${sentence(message)}.`;
	switch (code) {
		case "unauthorized":
			if (!about.token)
				return {
					what: "This server uses its own key only for callers with its token, but it has no token set.",
					advice: "Enter a key of your own above, or have TAMP_TOKEN set on the server.",
					field: "key",
				};
			if (!token)
				return { what: "This server needs its token.", advice: "Enter it above and try again.", field: "token" };
			return { what: "This is not the token of this server.", advice: "Check it above and try again.", field: "token" };
		case "bad_secret":
			return {
				what: `The ${key && !token ? "key" : "token or the key"} has invalid characters.`,
				advice: "Copy it again, without any other text.",
				field: token ? "token" : "key",
			};
		case "too_large":
			return {
				what: "The conversation is too large for this server.",
				advice: "Take a part of the session, or pack it with the tamp package in Node.",
			};
		case "rate_limited":
			return {
				what: "This server received too many requests.",
				advice: wait > 0 ? `Try again in ${number(wait)} seconds.` : "Try again in a minute.",
			};
		case "summarizer_failed":
			if (!about.key && !key && !message.includes("SUMMARIZER_MODEL"))
				return {
					what: "This server has no key for its summarizer.",
					advice: "Enter yours above and try again.",
					field: "key",
				};
			return { what: said, advice: "The operator of the server finds the reason in its settings." };
		case "bad_key":
			return { what: said, advice: "Check the key above and try again.", field: "key" };
		case "archive_failed":
			return {
				what: "The originals could not be saved, so the server stopped before it removed anything.",
				advice: "Try again; if it happens again, the operator should check the store of the server.",
			};
		case "misconfigured":
			return { what: "This server is not configured correctly.", advice: "The log of the server has the details." };
		case "unreachable":
			return {
				what: "This server cannot be reached.",
				advice: "Check that it still runs and that you are online, then try again.",
			};
		case "broken_off":
			return {
				what: "The connection was closed before the compaction was done.",
				advice: "Try again: finished summaries may come from the cache of the server.",
			};
		case "other_version":
			return {
				what: "This server has another version than this page, so its summaries do not fit.",
				advice: "Reload the page and try again.",
			};
		default:
			return { what: said, advice: "Try again. If that does not help, see the log of the server." };
	}
}
