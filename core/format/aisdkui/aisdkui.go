// Package aisdkui reads and writes UIMessage[] of the Vercel AI SDK, version 5 and later, bare or as the messages of a
// request. A tool part has a call and its result. Unknown parts are kept byte for byte. Start with Read and Render.
//
// It is not a part of the API (see package core).
package aisdkui

import (
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "parts", ID: "id", Role: "role", Head: head, Type: kind, Made: made, Result: denied,
	Text: `{"type":"text"}`,
	New:  [2]string{`{"id":"","role":"user","parts":[]}`, `{"id":"","role":"assistant","parts":[]}`},
	Parts: []record.Part{
		{Types: "text", Kind: msg.KindText, Text: "text"},
		{Types: "reasoning", Kind: msg.KindThinking, Text: "text", More: "providerMetadata"},
		{Types: "file", Kind: msg.KindDocument, Text: "url", More: "mediaType"},
		{Types: "dynamic-tool", Kind: msg.KindToolUse, Text: "input", ID: "toolCallId", Name: "toolName", State: "state",
			Open: "input-available", Done: "output output-available", Failed: "errorText output-error",
			Denied: "state output-denied", More: "callProviderMetadata"},
		{Types: "tool-*", Kind: msg.KindToolUse, Text: "input", ID: "toolCallId", State: "state",
			Open: "input-available", Done: "output output-available", Failed: "errorText output-error",
			Denied: "state output-denied", More: "callProviderMetadata"},
	}}

// Read reads a request or a bare array of messages, which was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) { return shape.Document(d, msg.AISDKUI, 0) }

// Render writes a conversation from Read, with its changes. Unchanged messages are written byte for byte as in the
// input; if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) { return shape.Render(c) }

func head(raw rawjson.Value, path string) (h record.Head, err error) {
	var role, parts rawjson.Value
	old := false
	for it := raw.Walk(); it.Next(); {
		switch it.Name {
		case "role":
			role = it.Value
		case "id":
			h.ID = it.Value.Text()
		case "parts":
			parts = it.Value
		case "content", "toolInvocations":
			old = true
		}
	}
	if h.Role, err = document.Role(raw, role, path); err != nil {
		return h, err
	}
	if old || parts.Kind() != '[' {
		return h, msg.NewError(msg.BadMessage, path, "cannot read the message: this is a message of version 4 of the AI SDK"+
			", it seems; give messages with parts, as version 5 has them")
	}
	return h, nil
}

// kind reads parts that the provider ran, and tells those apart that the SDK does not send to the model.
func kind(b *msg.Block) error {
	switch isTool := b.Type == "dynamic-tool" || strings.HasPrefix(b.Type, "tool-"); {
	case b.Type == "tool-invocation":
		return msg.NewError(msg.BadMessage, b.Path, "cannot read the part: it is one of version 4 of the AI SDK; give "+
			"messages of version 5 or later")
	case isTool && b.Raw.Member("providerExecuted").IsTrue(): // both halves stay together, as the provider wrote them
		b.Kind, b.Text = msg.KindOther, string(b.Raw)
	case isTool && b.Raw.Member("state").Text() == "input-streaming":
		b.Type = ""
	}
	return nil
}

// denied gives the result of a call that the user denied the text that the SDK sends for it.
func denied(call, b *msg.Block) {
	if !strings.HasSuffix(b.Path, "/state") {
		return
	}
	if b.Text = call.Raw.Member("approval").Member("reason").Text(); b.Text == "" {
		b.Text = "Tool call execution denied."
	}
}

// made writes a new result in place of the old one, which can be an error or a refusal.
func made(part rawjson.Value, path string, b *msg.Block) (rawjson.Value, error) {
	return part.Without("output").Without("errorText").With(path, rawjson.Quote(b.Text)), nil
}
