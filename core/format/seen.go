package format

import (
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/msg"
)

// unrecognized returns the error for an unknown format. seen describes the input by its keys, never by its content.
func unrecognized(seen string) error {
	return msg.NewError(msg.UnknownFormat, "", "cannot recognize the format: this is "+seen+"; accepted are "+accepted())
}

// seen describes a value that is not a conversation in a known format.
func seen(top msg.Raw) string {
	if top.Kind() != '[' {
		return describe(top) + looksLike(top)
	}
	for _, e := range top.Elements() {
		return "an array that begins with " + describe(e) + looksLike(e)
	}
	return "an empty array"
}

// seenLines describes JSON Lines that are not a known log.
func seenLines(first msg.Raw) string {
	return "JSON Lines that begin with " + describe(first) + looksLike(first)
}

// describe returns the type of a value, and the first few keys of an object.
func describe(r msg.Raw) string {
	if r.Kind() != '{' {
		if r.IsNull() {
			return "null"
		}
		return document.What(r)
	}
	const most = 5
	var keys []string
	total := 0
	for key := range r.Members() {
		if total++; len(keys) < most {
			keys = append(keys, clip(key))
		}
	}
	switch {
	case total == 0:
		return "an empty object"
	case total > most:
		return "an object with the keys " + strings.Join(keys, ", ") + " and " + strconv.Itoa(total-most) + " more"
	case total == 1:
		return "an object with the key " + keys[0]
	}
	return "an object with the keys " + strings.Join(keys, ", ")
}

// looksLike returns the name of a known format that Parse does not read.
func looksLike(r msg.Raw) string {
	has := func(name string) bool { return r.Member(name) != nil }
	switch kind := r.Member("type").Text(); {
	case has("contents"), has("parts") && has("role"):
		return " (a Gemini request, it seems)"
	case has("input"), kind == "function_call", kind == "function_call_output", kind == "reasoning":
		return " (an OpenAI Responses request, it seems)"
	case has("payload") && has("timestamp"):
		return " (a Codex session log, it seems)"
	case kind == "session":
		return " (a pi session log, it seems)"
	}
	return ""
}

// clip quotes a name, shortened if it is too long.
func clip(name string) string {
	return strconv.Quote(msg.Shorten(name, 40))
}
