package format

import (
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/msg"
)

// unrecognized says what was seen and what is accepted. Of the input it names keys alone, never content.
func unrecognized(seen string) error {
	return msg.NewError(msg.UnknownFormat, "", "cannot recognize the format: this is "+seen+"; accepted are "+accepted())
}

// seen describes a value that is no conversation of ours.
func seen(top msg.Raw) string {
	if top.Kind() != '[' {
		return describe(top) + looksLike(top)
	}
	for _, e := range top.Elements() {
		return "an array that begins with " + describe(e) + looksLike(e)
	}
	return "an empty array"
}

// seenLines describes JSON Lines that are no log of ours.
func seenLines(first msg.Raw) string {
	return "JSON Lines that begin with " + describe(first) + looksLike(first)
}

// describe names a value's type, and the first few keys of an object.
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

// looksLike names formats that are known and not read.
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

// clip quotes a name, cut where it is too long to be one.
func clip(name string) string {
	return strconv.Quote(msg.Shorten(name, 40))
}
