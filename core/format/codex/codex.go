// Package codex reads and writes the session logs of Codex: JSON Lines of {timestamp, type, payload}, or in older files
// one Responses item a line. The conversation is the newest replacement_history and the response items after it; every
// other line is kept in its place. Start with Parse and Render.
//
// It is not a part of the API (see package core).
package codex

import (
	"cmp"
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/format/responses"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// reader is a Parse under way.
type reader struct {
	jsonl.Log
	c    *msg.Conversation
	room document.Room
	bare bool // an older file: the lines are the items
	// Codex 0.34 to 0.64 writes the usage of a call before its items, as does a file whose first usage has none before it
	before, isKnown bool
	answered        bool          // there is an item of the model
	next            *call         // the call whose items come
	total           rawjson.Value // of the newest usage: it is written again when limits are refreshed
	tier            string        // the service of the calls that come
	record          *jsonl.Other  // the call of the newest token_usage_record, until its token_count
	others          []jsonl.Other // calls without a token_count, as those of compactions
	// the calls whose usage the API reported, by the number of entries before it; the newest line counts
	calls map[int]call
}

type call struct {
	usage *msg.Usage
	model string
}

// Interrupted is the output that Codex sends for a call without one.
const Interrupted = "aborted"

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	r := &reader{c: &msg.Conversation{Format: msg.Codex, Stateless: true}, room: msg.MaxBlocks,
		calls: map[int]call{}}
	if err := r.Read(data, r.c); err != nil {
		return nil, err
	}
	r.Format, r.bare = rollout, isBare(&r.Log)
	known := false
	for i := range r.Lines {
		if raw := r.Lines[i].Raw; raw != nil {
			known = r.line(i, raw) || known
		}
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is one of Codex")
	}
	if err := r.messages(); err != nil {
		return nil, err
	}
	r.c.Origin = &r.Log
	return r.c, nil
}

// line reads one line, and reports whether it is one of Codex.
func (r *reader) line(i int, raw rawjson.Value) bool {
	payload := raw.Member("payload")
	if payload.Kind() != '{' {
		if r.bare && (raw.Member("type").Kind() == '"' || raw.Member("role").Kind() == '"') && raw.Member("message") == nil {
			r.item(i, "", raw, jsonl.Pointer(i))
			return true
		}
		r.setInstructions(raw.Member("instructions"), jsonl.Pointer(i)+"/instructions")
		return raw.Member("record_type") != nil || raw.Member("instructions") != nil || raw.Member("git") != nil
	}
	at := jsonl.Pointer(i) + "/payload"
	switch raw.Member("type").Text() {
	case "session_meta":
		r.setVersion(payload.Member("cli_version").Text())
		r.setInstructions(payload.Member("instructions"), at+"/instructions")
		r.setInstructions(payload.Member("base_instructions").Member("text"), at+"/base_instructions/text")
	case "turn_context":
		if model := payload.Member("model").Text(); model != "" {
			r.c.Model = model
		}
	case "response_item":
		r.item(i, "payload", payload, at)
	case "compacted":
		r.compacted(i, payload, at)
	case "event_msg":
		r.event(payload)
	case "token_usage_record":
		r.endRecord()
		usage := usageOf(payload.Member("usage"), r.tier)
		r.record = &jsonl.Other{Chain: i, Side: true, Message: msg.Message{Role: msg.Assistant, Usage: usage,
			ID: payload.Member("response_id").Text(), Model: cmp.Or(payload.Member("model").Text(), r.c.Model),
			Path: jsonl.Pointer(i), Time: raw.Member("timestamp")}}
	}
	return true
}

// endRecord notes a call that no token_count has.
func (r *reader) endRecord() {
	if r.record != nil && r.record.Usage.Prompt() > 0 {
		r.others = append(r.others, *r.record)
	}
	r.record = nil
}

// usageOf reads the counts of a call, whose input has what was read from the cache and written to it.
func usageOf(counts rawjson.Value, tier string) *msg.Usage {
	u := &msg.Usage{CacheRead: document.Int(counts.Member("cached_input_tokens")),
		CacheWrite: document.Int(counts.Member("cache_write_input_tokens")),
		Output:     document.Int(counts.Member("output_tokens"))}
	u.Input = max(document.Int(counts.Member("input_tokens"))-u.CacheRead-u.CacheWrite, 0)
	switch tier {
	case "priority", "fast", "flex", "batch":
		u.Tier = tier
	}
	return u
}

// setInstructions sets the system prompt; the first session_meta of a file is the newest fork's own.
func (r *reader) setInstructions(text rawjson.Value, path string) {
	if len(r.c.System) == 0 {
		r.c.System = document.String(text, path)
	}
}

// item adds an item, unless it is the agent's own record.
func (r *reader) item(i int, in string, raw rawjson.Value, path string) {
	if kind := raw.Member("type").Text(); kind != "ghost_snapshot" && kind != "agent_message" {
		r.Entries = append(r.Entries, jsonl.Entry{Line: i, In: in, Raw: raw, Path: path})
		kind, role := raw.Member("type").Text(), raw.Member("role").Text()
		if kind == "message" && role != string(msg.Assistant) || strings.HasSuffix(kind, "_output") {
			return
		}
		if r.answered = true; r.next != nil {
			r.calls[len(r.Entries)], r.next = *r.next, nil
		}
	}
}

// setVersion notes whether usage comes before the items of its call, by the version that wrote the lines after it.
func (r *reader) setVersion(version string) {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	if n, err := strconv.Atoi(minor); err == nil {
		r.before, r.isKnown = major == "0" && n >= 34 && n <= 64, true
	}
}

// compacted begins the history again: with the list of the line or, in older files, with the prompts so far and the
// summary.
func (r *reader) compacted(i int, payload rawjson.Value, at string) {
	history := payload.Member("replacement_history")
	var list []jsonl.Entry
	if history.Kind() == '[' {
		for k, e := range history.List() {
			list = append(list, jsonl.Entry{Line: i, Listed: true, Raw: e,
				Path: document.At(at+"/replacement_history", k)})
		}
	} else {
		for _, e := range r.Entries {
			if e.Raw.Member("role").Text() == string(msg.User) {
				e.Line, e.Listed, e.In, e.Path = i, true, "", document.At(at+"/replacement_history", len(list))
				list = append(list, e)
			}
		}
		part := rawjson.Value(`{"type":"input_text"}`).With("text", payload.Member("message"))
		list = append(list, jsonl.Entry{Line: i, Listed: true, Raw: rawjson.Value(`{"type":"message","role":"user"}`).With("content",
			rawjson.Value("[]").WithElements([]rawjson.Value{part})), Path: document.At(at+"/replacement_history", len(list))})
	}
	r.Entries = list
	clear(r.calls)
}

// event reads the API's token counts, and the turns that the user took back.
func (r *reader) event(payload rawjson.Value) {
	switch payload.Member("type").Text() {
	case "token_count":
		info := payload.Member("info")
		last, total := info.Member("last_token_usage"), info.Member("total_token_usage")
		if document.Int(last.Member("input_tokens")) == 0 || total != nil && document.Same(total, r.total) {
			break // Codex writes zeros after a compaction
		}
		if !r.isKnown {
			r.before, r.isKnown = !r.answered, true
		}
		r.total, r.record = total, nil
		call := call{usageOf(last, cmp.Or(payload.Member("service_tier").Text(), r.tier)), r.c.Model}
		if r.before {
			r.next = &call
		} else {
			r.calls[len(r.Entries)] = call
		}
	case "thread_settings_applied":
		for _, at := range [...]string{"service_tier", "settings/service_tier", "thread_settings/service_tier"} {
			if tier := record.At(payload, at); tier != nil {
				r.tier = tier.Text()
			}
		}
	case "thread_rolled_back":
		for range min(document.Int(payload.Member("num_turns")), len(r.Entries)) {
			end := len(r.Entries) - 1
			for end > 0 && r.Entries[end].Raw.Member("role").Text() != string(msg.User) {
				end--
			}
			r.Entries = r.Entries[:max(end, 0)]
		}
	}
}

// messages reads the entries as messages.
func (r *reader) messages() error {
	var out []msg.Message
	for k, e := range r.Entries {
		role, blocks, err := responses.Item(e.Raw, e.Path, nil, &r.room)
		if err != nil {
			return err
		}
		out = responses.Add(out, role, blocks, e.Raw, e.Path, document.Run{Start: k, End: k + 1})
		if !e.Listed {
			out[len(out)-1].Time = r.Lines[e.Line].Raw.Member("timestamp")
		}
		if call, ok := r.calls[k+1]; ok {
			for m := len(out) - 1; m >= 0; m-- {
				if out[m].Role == msg.Assistant {
					out[m].Usage, out[m].Model = call.usage, call.model
					break
				}
			}
		}
	}
	responses.Link(nil, out, nil)
	r.c.Messages = out
	return document.Count(out)
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
// A new item becomes a line after that of the item before it.
func Render(c *msg.Conversation) ([]byte, error) {
	l := jsonl.From(c, rollout)
	var items []document.Item
	for i := range c.Messages {
		made, err := responses.WrittenAt(&c.Messages[i], l.Path)
		if err != nil {
			return nil, err
		}
		items = append(items, made...)
	}
	return l.Render(items), nil
}

var rollout = jsonl.Format{List: [2]string{"payload", "replacement_history"}, Element: parts, Wrap: wrapped}

// wrapped returns the line of a new item, with the time of the line like.
func wrapped(l *jsonl.Log, item rawjson.Value, like int) rawjson.Value {
	item = parts(item)
	if len(l.Lines) > 0 && isBare(l) {
		return item
	}
	line := l.Like(rawjson.Value("{}"), like, "timestamp")
	return line.With("type", rawjson.Value(`"response_item"`)).With("payload", item)
}

// isBare reports an older file: the lines are the items. In a newer one, such a line is of another program.
func isBare(l *jsonl.Log) bool {
	for _, line := range l.Lines {
		if line.Raw.Member("payload").Kind() == '{' {
			return false
		}
	}
	return true
}

// parts returns the client's own message of the assistant with an array as its content: Codex reads no string. The
// phase keeps it apart from the response after it.
func parts(item rawjson.Value) rawjson.Value {
	content := item.Member("content")
	if content.Kind() != '"' {
		return item
	}
	part := rawjson.Value(`{"type":"output_text"}`).With("text", content)
	return rawjson.Value(`{"type":"message","role":"assistant"}`).With("content",
		rawjson.Value("[]").WithElements([]rawjson.Value{part})).With("phase", rawjson.Value(`"final_answer"`))
}
