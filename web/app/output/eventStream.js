// This file reads an event stream (HTML standard, "server-sent events") that answers a POST; EventSource can only GET.
// Lines end in LF or CRLF; comments, ids and a last message without its empty line are left out.

/** @typedef {{event: string, data: string}} Message */

/**
 * Yields the messages of a stream. The stream is closed when the caller stops early.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<Message>}
 */
export async function* messages(stream) {
	const reader = stream.getReader();
	const decoder = new TextDecoder();
	/** The pieces of an incomplete line: a line can have megabytes, in hundreds of chunks. @type {string[]} */
	let begun = [];
	let event = "";
	/** @type {string[]} */
	let data = [];
	try {
		for (let step = await reader.read(); !step.done; step = await reader.read()) {
			const [first, ...rest] = decoder.decode(step.value, { stream: true }).split("\n");
			begun.push(first);
			for (const next of rest) {
				const { field, value } = split(begun.join(""));
				begun = [next];
				if (field === "event") event = value;
				else if (field === "data") data.push(value);
				else if (field === "" && value === "") {
					if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
					event = "";
					data = [];
				}
			}
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

/** A line's field and value; both empty for an empty line. @param {string} line */
function split(line) {
	const end = line.endsWith("\r") ? line.length - 1 : line.length;
	const colon = line.indexOf(":");
	if (colon < 0) return { field: line.slice(0, end), value: "" };
	if (colon === 0) return { field: ":", value: "" }; // a comment
	return { field: line.slice(0, colon), value: line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1, end) };
}
