// This file shows why a session cannot be opened, and what the user can do about it: for the failures that the engine
// and the ways in report, and for the errors of the page itself, which would else leave it as it was without a word.

import { byId, fill, h } from "../ui/dom.js";
import { toast } from "../ui/toast.js";
import { sentence } from "../ui/words.js";

/** @import { Failure } from "../engine/types.js" */

/** Call before the page is made: from then on, an error that no part of the page handles is shown. */
export function showFaults() {
	// The browser's own notes, such as that of a resize loop, have no error.
	addEventListener("error", ({ error }) => error && showFault(error));
	addEventListener("unhandledrejection", ({ reason }) => showFault(reason));
}

/** @param {unknown} error */
function showFault(error) {
	const { message } = /** @type {{message?: string}} */ (error ?? {});
	const failure = { code: "page", path: "", message: `the page stopped at an error: ${message ?? String(error)}` };
	showFailure(failure);
	if (byId("place-session").hidden) toast(`${sentence(failure.message)}. ${advice(failure)}`);
}

/** Shows an error; the open session stays. @param {Failure} failure */
export function showFailure(failure) {
	const { excerpt } = failure;
	const place = [
		excerpt?.line ? `line ${excerpt.line}` : "",
		excerpt?.column ? `column ${excerpt.column}` : "",
		failure.path ? `at ${failure.path}` : "",
	]
		.filter(Boolean)
		.join(", ");
	fill(
		byId("error"),
		h("p.what", sentence(failure.message), "."),
		excerpt
			? h(
					"pre.excerpt",
					{ tabindex: "0", "aria-label": `The input around ${place}` },
					excerpt.text,
					excerpt.caret === undefined ? "" : `\n${" ".repeat(excerpt.caret)}^`,
				)
			: null,
		place && !failure.message.includes("line ") ? h("p.place", sentence(place)) : null,
		failure.code === "unknown_format" ? ways() : h("p.advice", advice(failure)),
	);
}

/** What to do with a file that is no session, for each likely cause: another file, a folder of logs, none yet. */
function ways() {
	const way = (/** @type {string} */ text, /** @type {string} */ id) =>
		h("button", { on: { click: () => byId(id).click() } }, text);
	return h(
		"p.buttons",
		way("Open another file", "file"),
		way("Choose the folder of your logs", "choose-folder"),
		way("See an example", "see-example"),
	);
}

/** What a file that is no text begins with. @type {[RegExp, string][]} */
const SIGNS = [
	[/^(\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP)/s, "a picture"],
	[/^%PDF/, "a PDF"],
	[/^(PK\x03\x04|\x1f\x8b)/, "a packed archive: unpack it first"],
];

/**
 * A failure that says what the input is, in one sentence.
 * @param {Failure} failure
 * @param {string} head the first bytes of the input, a character each
 * @returns {Failure}
 */
export function told(failure, head) {
	const { code, message } = failure;
	const file = SIGNS.find(([sign]) => sign.test(head))?.[1];
	if (file) return { code: "unknown_format", path: "", message: `this is ${file}, and no session` };
	if (code === "unknown_format") return { ...failure, message: message.replace(/; accepted are .*$/s, "") };
	if (code !== "bad_json" || message.includes("UTF-16") || /^(\xef\xbb\xbf)?\s*([[{"]|$)/.test(head)) return failure;
	return { code: "unknown_format", path: "", message: "this is plain text, and no session: a session is JSON" };
}

/** What the user can do about a failure. @param {Failure} failure */
function advice({ code, message }) {
	if (code === "page")
		return "This is a bug in Tamp, not in your session. Reload the page. If the error comes again, start over with the link “Tamp” at the top, and open the session again.";
	if (code === "bad_policy")
		return "The policy comes from the address of the page. Start over with the link “Tamp” at the top, and open the session again.";
	if (message.includes("empty"))
		return "Paste or open a session: a JSON body with messages, an array of messages, or the log of an agent.";
	if (message.includes("binary file"))
		return "Open the session as JSON or JSONL text. A packed archive has to be unpacked first.";
	switch (code) {
		case "bad_json":
			return message.includes("UTF-16")
				? "Save the file as UTF-8 in your editor, or convert it: iconv -f UTF-16 -t UTF-8."
				: message.includes("does not end")
					? "The text may end too early: check that the whole session was copied, and that the string at the place above is closed."
					: message.includes("end of input")
						? "The text ends too early: check that the whole session was copied."
						: "The place above is where the text stops being JSON. Repair it there, or copy the session again.";
		case "unreadable":
			return "The file may have changed or moved since it was chosen. Open it again.";
		case "bad_message":
			return "Repair this message in the text below or in your editor, then paste it again.";
		case "packed":
			return "Unpack it with zstd -d, and open what that writes. Of a large session, take a part.";
		case "bad_link":
			return "Ask the sender for a new link, or for the session as a file. The policy of the link is used.";
		case "offline":
			return navigator.onLine
				? "The server of this page does not answer. The page itself works: open a session of your own, or try again later."
				: "You are offline. The page itself works: open a session of your own, or look at the example when you are online again.";
		case "too_large":
			return "Take a part of the session, or pack it with the tamp package in Node.";
		default:
			return "This is a bug in Tamp, not in your session. The page still works: try another input.";
	}
}
