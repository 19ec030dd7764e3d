package convtest

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

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
