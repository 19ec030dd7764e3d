package format

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// hints say what to give instead of an object with one of the members.
var hints = [...]struct{ members, hint string }{
	{"trajectory", "a trajectory of SWE-agent, it seems: give the value of its history"},
	{"samples", "a log of Inspect AI, it seems: give the messages of one of its samples"},
	{"simulations", "a log of τ²-bench, it seems: give the messages of one of its simulations"},
	{"traj", "a log of τ-bench, it seems: give the value of traj"},
	{"stop_reason|stop_sequence",
		"an answer of an API, it seems: give the messages of its request, and its own behind them"},
	{"choices|candidates|output|outputs|steps|stop_reason",
		"an answer of an API, it seems: give the messages of its request, and its own behind them"},
	{"say|ask", "what Cline shows, it seems: give the api_conversation_history.json next to it"},
	{"mapping|chat_messages|chunkedPrompt|conversations|conversation|message_history|requests|history|" +
		"events|agents", "an export of another program, it seems: " + toOpenAI},
	{"resourceSpans|resourceLogs|scopeSpans", "traces of OpenTelemetry, it seems: " + toOpenAI},
	{"chat_history", "a request of version 1 of Cohere's API, it seems: " + toOpenAI},
	{"items|data|entries", "give its value if it is a list of messages or items, the oldest first"},
	{"role", "give messages as one JSON array"},
	{"messages", "give one of the lines"},
}

// unrecognized returns the error for an unknown format. seen describes the input by its keys, never by its content; v
// is its first object.
func unrecognized(seen string, v rawjson.Value) error {
	hint := ""
	for i := range hints {
		for it := v.Walk(); hint == "" && it.Next(); {
			if oneOf(hints[i].members, it.Name) {
				hint = " (" + hints[i].hint + ")"
			}
		}
	}
	for it := v.Walk(); hint == "" && it.Next(); {
		if member, list := document.ReadValid(it.Value, nil).ListMember(); list.Kind() == '[' {
			hint = " (give the value of " + clip(it.Name) + ", which has " + member + ")"
		}
	}
	seen += hint
	return msg.NewError(msg.UnknownFormat, "", "cannot recognize the format: this is "+seen+"; accepted are "+accepted())
}

// unsupported returns the error for a shape that has no codec.
func unsupported(r *row, seen string) error {
	return msg.NewError(msg.UnknownFormat, "", "cannot read the conversation: this is "+seen+" ("+r.title+", it seems); "+
		r.hint+"; accepted are "+accepted())
}

// mismatch returns the error for an input of the shape r that is to be read as the named format.
func mismatch(r *row, name Name, seen string) error {
	hint := r.hint
	if r.render != nil {
		hint = "give the format " + r.name + ", or none"
	}
	return msg.NewError(msg.UnknownFormat, "", "cannot read the conversation as "+name+": this is "+seen+" ("+r.title+
		", it seems); "+hint)
}

// seen describes a JSON value that may be a conversation.
func seen(top rawjson.Value) string {
	if top.Kind() != '[' {
		return describe(top)
	}
	if it := top.Items(); it.Next() {
		return "an array that begins with " + describe(it.Value)
	}
	return "an empty array"
}

// describe returns the type of a value, and the first few keys of an object.
func describe(r rawjson.Value) string {
	if r.Kind() != '{' {
		if r.IsNull() {
			return "null"
		}
		return document.What(r)
	}
	const most = 5
	var keys []string
	total := 0
	for it := r.Walk(); it.Next(); {
		if total++; len(keys) < most {
			keys = append(keys, clip(it.Name))
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

// clip quotes a name, shortened if it is too long.
func clip(name string) string {
	return strconv.Quote(msg.Shorten(name, 40))
}

// noJSON adds to the error for an input that is no JSON what it is instead, and what to do.
func noJSON(data []byte, err error) error {
	var own *msg.Error
	start, end := document.Trim(data)
	text := data[start:end]
	if !errors.As(err, &own) || own.Code != msg.BadJSON || len(text) == 0 {
		return err
	}
	hint := ""
	switch kind := pixel.Type(text); {
	case kind != "":
		hint = "this is a picture (" + kind + "): give it as a part of a message"
	case bytes.HasPrefix(text, []byte("%PDF-")):
		hint = "this is a PDF: give it as a part of a message"
	case text[0] == '{' &&
		bytes.Contains(text[:min(len(text), 64)], []byte(`"info"`)):
		hint = "if this is an export of opencode, it was cut off: opencode export writes only a part into a pipe, " +
			"so write it to a file"
	case bytes.IndexByte([]byte(`{["`), text[0]) >= 0:
		return err
	case isSpoken(text):
		hint = `this is a conversation as plain text: give it as [{"role": "user", "content": "…"}, {"role": "assistant", …}]`
	case utf8.Valid(text[:min(len(text), 1<<10)]) || utf8.Valid(text):
		hint = `this is plain text, it seems: give it as [{"role": "user", "content": "…"}]`
	}
	if hint == "" {
		return err
	}
	return &msg.Error{Code: own.Code, Path: own.Path, Msg: own.Msg + "; " + hint}
}

// isSpoken reports a text whose first line, and another one, begin with who says it.
func isSpoken(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		who, _, ok := bytes.Cut(bytes.TrimLeft(line, "#*> \t"), []byte(":"))
		if is := ok && oneOf("user|human|assistant|ai|system|you|model|claude|chatgpt",
			strings.ToLower(strings.Trim(string(who), "* "))); is {
			n++
		} else if n == 0 {
			return false
		}
	}
	return n > 1
}
