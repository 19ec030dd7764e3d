// This file says why a server did not compact, and what to do about it.

import { number, sentence } from "../ui/words.js";

/** @typedef {import("./api.js").About} About */
/** @typedef {import("./api.js").Refused} Refused */
/** @typedef {"token"|"key"} Field */

/**
 * @param {Refused} refused
 * @param {About} about
 * @param {{token: string, key: string}} secrets what was sent
 * @returns {{what: string, advice: string, field?: Field}} field: where it can be mended
 */
export function explain({ code, message, wait }, about, { token, key }) {
	const said = `${sentence(message)}.`;
	switch (code) {
		case "unauthorized":
			if (!about.token) return { what: "This server keeps its own key for callers with its token, and it has no token set.", advice: "Enter a key of your own above, or have TAMP_TOKEN set on the server.", field: "key" };
			if (!token) return { what: "This server wants its token.", advice: "Enter it above and try again.", field: "token" };
			return { what: "This is not the token of this server.", advice: "Check it above and try again.", field: "token" };
		case "bad_secret":
			return { what: `The ${key && !token ? "key" : "token or the key"} has characters that none has.`, advice: "Copy it once more, without anything around it.", field: token ? "token" : "key" };
		case "too_large":
			return { what: "The conversation is too large for this server.", advice: "Take a part of the session, or pack it with the tamp package in Node." };
		case "rate_limited":
			return { what: "This server has been asked too often.", advice: wait > 0 ? `Try again in ${number(wait)} seconds.` : "Try again in a minute." };
		case "summarizer_failed":
			if (!about.key && !key && !message.includes("SUMMARIZER_MODEL")) return { what: "This server has no key for its summarizer.", advice: "Enter yours above and try again.", field: "key" };
			return { what: said, advice: "Who runs the server finds the reason in its settings." };
		case "bad_key":
			return { what: said, advice: "Check the key above and try again.", field: "key" };
		case "archive_failed":
			return { what: "The originals could not be saved, so the server stopped before it took anything out.", advice: "Try again; if it happens again, the store of the server needs a look." };
		case "misconfigured":
			return { what: "This server is not set up right.", advice: "Its log says how." };
		case "unreachable":
			return { what: "This server cannot be reached.", advice: "Check that it still runs and that you are online, then try again." };
		case "broken_off":
			return { what: "The connection broke off before all was done.", advice: "Try again: what was summarized already may come out of the server’s cache." };
		case "other_version":
			return { what: "This server is of another version than this page, so its summaries do not fit.", advice: "Reload the page and try again." };
		default:
			return { what: said, advice: "If trying again does not help, the log of the server says more." };
	}
}
