//go:build !js

package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// plainBody does in place of a plain upstream what the body asks of its provider. It returns the body to compact, or
// false if the gateway has answered itself.
func (x *exchange) plainBody(data []byte) ([]byte, bool) {
	if x.e != nil && strings.HasSuffix(x.e.suffix, compactPath) {
		x.p = &Prepared{Body: data}
		body, reason := x.g.compaction(x.p, x.r.Header)
		if body == nil {
			x.refuse(http.StatusBadRequest, reason, noCompaction)
			return nil, false
		}
		x.entry.Status, x.entry.Bytes = http.StatusOK, len(body)
		x.w.Header().Set("Content-Type", "application/json")
		x.w.Header().Set("X-Tamp", x.p.Note())
		_, _ = x.w.Write(body) // an error means that the client has disconnected
		return nil, false
	}
	data, x.edits = takeEdits(expand(data))
	return data, true
}

// report adds context_management to a response whose request asked for edits.
func (x *exchange) report(response *http.Response) {
	kind := response.Header.Get("Content-Type")
	stream := strings.HasPrefix(kind, "text/event-stream")
	if x.edits == nil || response.StatusCode != http.StatusOK || !stream && !strings.HasPrefix(kind, "application/json") {
		return
	}
	response.Header.Del("Content-Length")
	response.Body = &reporter{from: response.Body, lines: bufio.NewReader(response.Body), stream: stream,
		member: []byte(x.p.member(x.e))}
}

// reporter adds a member to a JSON document, or to the event message_delta of a stream.
type reporter struct {
	from    io.ReadCloser
	lines   *bufio.Reader
	stream  bool
	member  []byte
	pending []byte
	err     error
}

func (r *reporter) Close() error { return r.from.Close() }

func (r *reporter) Read(p []byte) (int, error) {
	if len(r.pending) == 0 && r.err == nil {
		if r.stream {
			r.pending, r.err = r.lines.ReadBytes('\n')
			if isDelta(r.pending) {
				r.pending = insert(r.pending, r.member)
			}
		} else if r.pending, r.err = io.ReadAll(r.lines); r.err == nil {
			r.pending, r.err = insert(r.pending, r.member), io.EOF
		}
	}
	n := copy(p, r.pending)
	if r.pending = r.pending[n:]; len(r.pending) > 0 {
		return n, nil
	}
	return n, r.err
}

// isDelta reports whether a line of a stream is the event that has the usage at the end of a message.
func isDelta(line []byte) bool {
	var event struct{ Type string }
	data, found := bytes.CutPrefix(line, []byte("data:"))
	return found && bytes.Contains(data, []byte("message_delta")) && json.Unmarshal(data, &event) == nil &&
		event.Type == "message_delta"
}

// insert adds a member at the end of the object that a text ends with.
func insert(text, member []byte) []byte {
	end := bytes.LastIndexByte(text, '}')
	if end < 0 || !json.Valid(bytes.TrimPrefix(text, []byte("data:"))) {
		return text
	}
	return append(append(append([]byte(nil), text[:end]...), member...), text[end:]...)
}
