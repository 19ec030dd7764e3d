package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tamp/core/forward"
	"tamp/core/msg"
	"tamp/core/policy"
)

// The edit compact_20260112 of Anthropic, for a plain upstream. When the history has reached the trigger, the response
// begins with a block of type compaction. The client sends it back, and everything before it counts no more. Its
// content is a summary for readers; encrypted_content holds the compacted messages themselves, as the item of
// …/responses/compact does, so that the next request begins with the same bytes as this one.

type compactionBlock struct {
	Type    string  `json:"type"`
	Content *string `json:"content"`
	Held    *string `json:"encrypted_content"`
}

// compactEdit returns the edit of the request that asks for compaction, nil if there is none.
func (p *Prepared) compactEdit() *managedEdit {
	for i := range p.edits {
		if p.edits[i].Type == editCompact {
			return &p.edits[i]
		}
	}
	return nil
}

// block returns the block that the response begins with, nil if there was no compaction.
func (p *Prepared) block() *compactionBlock {
	if !p.due || p.Reason != "" {
		return nil
	}
	messages := forward.Member(p.Body, "messages")
	held := itemPrefix + base64.StdEncoding.EncodeToString(messages)
	text := p.summary()
	return &compactionBlock{compactionKind, &text, &held}
}

// summary is a text about the whole history, written without a model. It ends in the request that the agent works on,
// since a client removes what comes before the block.
func (p *Prepared) summary() string {
	whole, _ := policy.Preset("s06")
	r, err := p.body.Fold(forward.Options{Policy: whole, Force: true, Spend: p.budget.spend})
	text := "Record of earlier work."
	if err != nil || !r.Changed {
		return text
	}
	var messages []struct {
		Role    string
		Content json.RawMessage
	}
	_ = json.Unmarshal(forward.Member(r.Body, "messages"), &messages)
	for i, m := range messages {
		texts := textsOf(m.Content)
		switch {
		case len(texts) == 0:
		case i == 0: // results that were not read come after the summary
			if _, rest, found := strings.Cut(texts[0], "\n\n"); found {
				text = rest
			}
		case m.Role == "user":
			return text + currentRequest + strings.Join(texts, "\n\n")
		}
	}
	return text
}

// textsOf returns the texts of the content of a message.
func textsOf(content json.RawMessage) (texts []string) {
	var whole string
	if json.Unmarshal(content, &whole) == nil {
		return []string{whole}
	}
	var parts []struct{ Type, Text string }
	_ = json.Unmarshal(content, &parts)
	for _, part := range parts {
		if part.Type == "text" {
			texts = append(texts, part.Text)
		}
	}
	return texts
}

// currentRequest begins the request at the end of a summary.
const currentRequest = "\n\n## The current request\n"

// pauses reports whether the response has the block only.
func (p *Prepared) pauses() bool {
	edit := p.compactEdit()
	return edit != nil && edit.Pause && p.due && p.Reason == ""
}

// own returns the gateway's own response to a request; the status is 0 if there is none.
func (p *Prepared) own() (status int, body []byte, kind string) {
	switch {
	case p.refusesThread():
		return http.StatusBadRequest, []byte(noThread), "application/json"
	case p.pauses():
		body, kind = p.pause()
		return http.StatusOK, body, kind
	}
	return 0, nil, ""
}

// pause is the response of a request that pauses after its compaction, and its type.
func (p *Prepared) pause() (body []byte, kind string) {
	block := p.block()
	sum := sha256.Sum256([]byte(*block.Held))
	const none = `"usage":{"input_tokens":0,"output_tokens":0}`
	message := func(content, reason string) []byte {
		return fmt.Appendf(nil, `{"id":"msg_%x","type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%s,`+
			`"stop_sequence":null,%s}`, sum[:12], encode(p.Model), content, reason, none)
	}
	if string(forward.Member(p.Body, "stream")) != "true" {
		whole := message(string(encode(block)), `"compaction"`)
		return insert(whole, []byte(p.member(&endpoint{}))), "application/json"
	}
	out := writeEvent(nil, "message_start", `"message":%s`, message("", "null"))
	out = append(out, p.events()...)
	out = writeEvent(out, "message_delta", `"delta":{"stop_reason":"compaction","stop_sequence":null},%s%s`, none,
		p.member(&endpoint{}))
	return writeEvent(out, "message_stop", ""), "text/event-stream; charset=utf-8"
}

// events are those of the block in a stream.
func (p *Prepared) events() []byte {
	block := p.block()
	delta := *block
	delta.Type = "compaction_delta"
	start := encode(compactionBlock{Type: compactionKind})
	out := writeEvent(nil, "content_block_start", `"index":0,"content_block":%s`, start)
	out = writeEvent(out, "content_block_delta", `"index":0,"delta":%s`, encode(delta))
	return writeEvent(out, "content_block_stop", `"index":0`)
}

// writeEvent appends an event with the given members, "" for none.
func writeEvent(out []byte, kind, members string, values ...any) []byte {
	if members != "" {
		members = "," + members
	}
	out = fmt.Appendf(out, "event: %s\ndata: {\"type\":\"%s\"", kind, kind)
	return append(fmt.Appendf(out, members, values...), "}\n\n"...)
}

// expandBlocks replaces the messages up to the last compaction block by the compacted ones, since the provider does not
// know such blocks. A block without content is one of a failed compaction: it is removed.
func expandBlocks(body []byte) []byte {
	if !bytes.Contains(body, []byte(`"`+compactionKind+`"`)) || msg.Validate(body) != nil {
		return body
	}
	var messages, out []json.RawMessage
	if json.Unmarshal(forward.Member(body, "messages"), &messages) != nil {
		return body
	}
	found := false
	for _, raw := range messages {
		var content, rest []json.RawMessage
		if json.Unmarshal(forward.Member(raw, "content"), &content) != nil { // a text
			out = append(out, raw)
			continue
		}
		changed := false
		for _, b := range content {
			var block compactionBlock
			if json.Unmarshal(b, &block) != nil || block.Type != compactionKind {
				rest = append(rest, b)
				continue
			}
			if changed = true; block.Content != nil && *block.Content != "" {
				out, rest = block.messages(), nil
			}
		}
		switch {
		case !changed:
			out = append(out, raw)
		case len(rest) > 0:
			out = append(out, forward.SetMember(raw, "content", listOf(rest)))
		}
		found = found || changed
	}
	if !found {
		return body
	}
	return forward.SetMember(body, "messages", listOf(out))
}

// messages returns the messages that the block replaces: those that it holds, or its text if the client sent only that.
func (b *compactionBlock) messages() (held []json.RawMessage) {
	if b.Held != nil {
		if held, _ = heldIn(*b.Held); len(held) > 0 && !slices.ContainsFunc(held, notObject) {
			return held
		}
	}
	record, request, found := strings.Cut(*b.Content, currentRequest)
	parts := []json.RawMessage{fmt.Appendf(nil, textPart, encode(compressed+record))}
	if found { // it stays the user's
		parts = append(parts, fmt.Appendf(nil, textPart, encode(request)))
	}
	return []json.RawMessage{fmt.Appendf(nil, `{"role":"user","content":%s}`, listOf(parts))}
}

const (
	compressed = "[Compressed]\n\n" // the label of a summary (core/internal/marker)
	textPart   = `{"type":"text","text":%s}`
)

func notObject(v json.RawMessage) bool { return v[0] != '{' }
