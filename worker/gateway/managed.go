//go:build !js

package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"tamp/core/forward"
)

// plainBody does in place of a plain upstream what the body asks of its provider. It returns the body to compact, or
// false if the gateway has answered itself.
func (x *exchange) plainBody(data []byte) ([]byte, bool) {
	if x.e.suffix == compactPath {
		x.p = &Prepared{Body: data, budget: x.g.budget(x.r.Context())}
		body, reason := x.g.compaction(x.p, x.r.Header)
		if body == nil {
			x.refuse(http.StatusBadRequest, reason, noCompaction)
			return nil, false
		}
		x.answer(http.StatusOK, body, "application/json")
		return nil, false
	}
	data, x.edits = takeEdits(expandBlocks(expand(data)))
	return data, true
}

// answer sends a response of the gateway itself.
func (x *exchange) answer(status int, body []byte, kind string) {
	x.entry.Status, x.entry.Bytes = status, len(body)
	x.w.Header().Set("Content-Type", kind)
	x.mark(x.w.Header(), x.p.Note())
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body) // an error means that the client has disconnected
}

// report adds context_management to a response whose request asked for edits.
func (x *exchange) report(response *http.Response) {
	kind := response.Header.Get("Content-Type")
	stream := strings.HasPrefix(kind, "text/event-stream")
	if x.edits == nil || response.StatusCode != http.StatusOK || !stream && !strings.HasPrefix(kind, "application/json") {
		return
	}
	response.Header.Del("Content-Length")
	r := &reporter{from: response.Body, lines: bufio.NewReader(response.Body), stream: stream,
		member: []byte(x.p.member(x.e))}
	if block := x.p.block(); block != nil && stream {
		r.block = x.p.events()
	} else if block != nil {
		r.block = encode(block)
	}
	response.Body = r
	x.p.forget()
}

// reporter adds a member to a JSON document, or to the event message_delta of a stream. A block becomes the first one
// of the content.
type reporter struct {
	from    io.ReadCloser
	lines   *bufio.Reader
	stream  bool
	member  []byte
	block   []byte // JSON, in a stream its events; nil: none
	begun   bool   // message_start has been read
	pending []byte
	err     error
}

func (r *reporter) Close() error { return r.from.Close() }

func (r *reporter) Read(p []byte) (int, error) {
	if len(r.pending) == 0 && r.err == nil {
		if r.stream {
			r.pending, r.err = r.lines.ReadBytes('\n')
			r.pending = r.line(r.pending)
		} else if r.pending, r.err = io.ReadAll(r.lines); r.err == nil {
			r.pending, r.err = insert(r.first(r.pending), r.member), io.EOF
		}
	}
	n := copy(p, r.pending)
	if r.pending = r.pending[n:]; len(r.pending) > 0 {
		return n, nil
	}
	return n, r.err
}

// line returns a line of a stream as the client gets it.
func (r *reporter) line(line []byte) []byte {
	data, found := bytes.CutPrefix(line, []byte("data:"))
	if r.begun && len(bytes.TrimSpace(line)) == 0 { // the end of message_start
		r.begun = false
		return append(line, r.block...)
	}
	var event struct {
		Type  string
		Index *int
	}
	if !found || r.block == nil && !bytes.Contains(data, []byte("message_delta")) || json.Unmarshal(data, &event) != nil {
		return line
	}
	switch {
	case event.Type == "message_delta":
		return insert(line, r.member)
	case r.block == nil:
	case event.Type == "message_start":
		r.begun = true
	case event.Index != nil:
		shifted := forward.SetMember(bytes.TrimSpace(data), "index", encode(*event.Index+1))
		return append(append([]byte("data: "), shifted...), '\n')
	}
	return line
}

// first adds the block to the content of a message.
func (r *reporter) first(body []byte) []byte {
	var content []json.RawMessage
	if r.block == nil || !json.Valid(body) || json.Unmarshal(forward.Member(body, "content"), &content) != nil {
		return body
	}
	return forward.SetMember(body, "content", listOf(append([]json.RawMessage{r.block}, content...)))
}
