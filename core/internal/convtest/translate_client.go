package convtest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// isClient reports whether the messages of a format are those of a client.
func isClient(format string) bool {
	return format == msg.Pi || format == msg.OpenCode || format == msg.GeminiCLI || format == msg.AISDKUI
}

// isRecord reports whether a part of the format has a call together with its result.
func isRecord(format string) bool { return isClient(format) && format != msg.Pi }

// records writes messages of the Messages API as those of a client. Where a part has a call together with its result,
// an answer of the model is held back until its results are there.
type records struct {
	*client
	held   []string // parts of the answer that is held back
	calls  []rawjson.Value
	merged bool // the answers to one prompt are one record
	ids    int
}

func newRecords(d Dice, format string) *records {
	return &records{merged: format == msg.AISDKUI && d.One(2), client: &client{gen: &gen{}, format: format,
		results: map[string]rawjson.Value{}, names: map[string]string{}}}
}

func (r *records) add(role string, content []rawjson.Value) (out []string) {
	if role == "system" {
		return nil
	}
	var rest []rawjson.Value
	for _, b := range content {
		r.names[b.Member("id").Text()] = b.Member("name").Text()
		switch id := b.Member("tool_use_id").Text(); {
		case b.Member("type").Text() != "tool_result":
			rest = append(rest, b)
		case r.format == msg.Pi:
			out = append(out, r.part(b))
		default:
			r.results[id] = b
		}
	}
	if len(rest) == 0 {
		return out
	}
	if len(r.held) > 0 || len(r.calls) > 0 {
		if role == "assistant" && r.merged {
			r.held = append(r.held, r.flushed()...)
			r.held = append(r.held, `{"type":"step-start"}`)
		} else {
			out = append(out, r.flush()...)
		}
	}
	if role == "assistant" {
		r.calls = rest
		if r.format == msg.Pi {
			return append(out, r.flush()...)
		}
		return out
	}
	r.calls = rest
	return append(out, r.record("user", r.flushed())...)
}

// flushed returns the parts of the answer that waits.
func (r *records) flushed() (parts []string) {
	for _, b := range r.calls {
		if part := r.part(b); part != "" {
			parts = append(parts, part)
		}
	}
	r.calls = nil
	return parts
}

// flush returns the record of the answer that is held back, with the results that there are.
func (r *records) flush() []string {
	parts := append(r.held, r.flushed()...)
	r.held = nil
	return r.record("assistant", parts)
}

func (r *records) record(role string, parts []string) []string {
	var calls []string
	if r.format == msg.GeminiCLI {
		all := parts
		parts = nil
		for _, part := range all {
			if rawjson.Value(part).Member("args") != nil {
				calls = append(calls, part)
			} else {
				parts = append(parts, part)
			}
		}
	}
	if len(parts)+len(calls) == 0 {
		return nil
	}
	r.ids++
	own := map[string]string{msg.OpenCode: `"step-finish","tokens"`, msg.AISDKUI: `"data-state","data"`}[r.format]
	if role == "assistant" && own != "" { // parts of the client's own
		own = `{"type":` + own + `:{"n":` + strconv.Itoa(r.ids) + `}}`
		parts = append([]string{`{"type":"step-start"}`}, append(parts, own)...)
	}
	id, list, assistant := quote("m"+strconv.Itoa(r.ids)), "["+strings.Join(parts, ",")+"]", role == "assistant"
	record := `{"id":` + id + `,"role":` + quote(role) + `,"parts":` + list + `}`
	switch r.format {
	case msg.Pi:
		record = `{"role":` + quote(role) + `,"content":` + list
		if assistant {
			record += `,"model":"claude-sonnet-4-5","usage":{"input":10,"output":7,"cacheRead":200},"stopReason":"stop"`
		}
		record += `}`
	case msg.OpenCode:
		model := ""
		if assistant {
			model = `,"modelID":"claude-sonnet-4-5"`
		}
		record = `{"info":{"role":` + quote(role) + `,"id":` + id + `,"sessionID":"s"` + model + `},"parts":` + list + `}`
	case msg.GeminiCLI:
		record = `{"id":` + id + `,"type":"user","content":` + list + `}`
		if assistant {
			record = `{"id":` + id + `,"type":"gemini","model":"gemini-3-pro-preview","content":` + list +
				`,"toolCalls":[` + strings.Join(calls, ",") + `]}`
		}
	}
	return []string{record}
}

// clientDocument is a history of a client without a message.
func (s *Session) clientDocument() []byte {
	switch {
	case s.Format == msg.Pi && s.bare: // an older file
		return []byte(`{"type":"session","cwd":"/project"}` + "\n")
	case s.Format == msg.Pi:
		return []byte(`{"type":"session","version":3,"id":"s","cwd":"/project"}` + "\n")
	case s.Format == msg.GeminiCLI && s.bare:
		return []byte(`{"sessionId":"s","projectHash":"p","messages":[]}`)
	case s.Format == msg.GeminiCLI:
		return []byte(`{"sessionId":"s","projectHash":"p"}` + "\n")
	case s.bare:
		return []byte(`[]`)
	case s.Format == msg.OpenCode:
		return []byte(`{"info":{"id":"s"},"messages":[]}`)
	}
	return []byte(`{"id":"chat","messages":[]}`)
}

// growLines adds a message a line, and the lines of the client between them.
func (s *Session) growLines(document []byte, from, to int) []byte {
	out := bytes.NewBuffer(bytes.Clone(document))
	if n := len(document); n > 0 && document[n-1] != '\n' {
		out.WriteByte('\n')
	}
	parent := "null" // the last entry of pi is the leaf
	for line := range strings.Lines(string(document)) {
		if raw := rawjson.Value(strings.TrimSpace(line)); raw.Member("type").Text() != "session" && raw.Member("id") != nil {
			parent = string(raw.Member("id"))
		}
	}
	for n := from; n < to; n++ {
		stamp := fmt.Sprintf(`"timestamp":"2026-01-02T03:04:%02d.000Z"`, 10+n%50)
		add := func(id, members string) {
			if id = quote(id); !s.bare {
				members, parent = members+`,"id":`+id+`,"parentId":`+parent, id
			}
			fmt.Fprintf(out, "{%s,%s}\n", members, stamp)
		}
		if s.Format == msg.GeminiCLI {
			if n%5 == 3 {
				out.WriteString(`{"id":"i` + strconv.Itoa(n) + `","type":"info","content":"/stats"}` + "\n" +
					`{"$set":{"lastUpdated":"x"}}` + "\n")
			}
			out.WriteString(s.Messages[n] + "\n")
			continue
		}
		if n%5 == 3 {
			add("c"+strconv.Itoa(n), `"type":"model_change","provider":"x","modelId":"claude-sonnet-4-5"`)
		}
		add("e"+strconv.Itoa(n), `"type":"message","message":`+s.Messages[n])
	}
	return out.Bytes()
}
