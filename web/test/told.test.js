// This file tests what the page says of an input that is no session.

import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "../app/session/failure.js";

test("a picture, a PDF, plain text and an unknown format are told as what they are, in one sentence", () => {
	const json = { code: "bad_json", path: "", message: "cannot parse JSON: unexpected 'H' at line 1, column 1" };
	const says = (/** @type {string} */ head, failure = json) => {
		const { code, message } = told(failure, head);
		return code === "unknown_format" ? message : "";
	};
	assert.equal(says("\x89PNG\r\n"), "this is a picture, and no session");
	assert.equal(says("\xff\xd8\xff\xe0"), "this is a picture, and no session");
	assert.equal(says("RIFF\x01\x02\x03\x04WEBPVP8"), "this is a picture, and no session");
	assert.equal(says("%PDF-1.7"), "this is a PDF, and no session");
	assert.match(says("PK\x03\x04"), /^this is a packed archive: unpack it first/);
	assert.match(says("Hello, this is a text."), /^this is plain text/);
	for (const head of ['{"a', " [1", '"half', "", "\xef\xbb\xbf{"]) assert.equal(says(head), "", head);
	const unknown = {
		code: "unknown_format",
		path: "",
		message: "cannot recognize the format: this is X; accepted are A, B",
	};
	assert.equal(says('{"foo":1}', unknown), "cannot recognize the format: this is X");
	assert.equal(told({ ...json, message: "the text is UTF-16" }, "\xff\xfe").code, "bad_json");
});
