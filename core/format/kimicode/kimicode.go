// Package kimicode reads the session logs of Kimi Code (agents/main/wire.jsonl): JSON Lines of events, of which some
// append to the context of the agent. A message of the assistant is the events of one step. The format is read only: an
// event is not a message, and Kimi Code replays them all. Start with Parse.
//
// The form is that of version 2.1.0 of @moonshot-ai/kimi-code.
//
// It is not a part of the API (see package core).
package kimicode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	r := newReader(&msg.Conversation{Format: msg.KimiCode})
	if err := r.Read(data, r.c); err != nil {
		return nil, err
	}
	if err := r.lines(); err != nil {
		return nil, err
	}
	if !r.known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is an event of Kimi Code")
	}
	r.c.Messages, r.c.Origin = r.messages, &r.Log
	return r.c, document.Count(r.messages)
}

// Render returns the log that was read. It cannot write a change.
func Render(c *msg.Conversation) ([]byte, error) {
	return record.ReadOnly(c, Parse, "logs of Kimi Code")
}

// reader is a Parse under way.
type reader struct {
	jsonl.Log
	c        *msg.Conversation
	room     document.Room
	messages []msg.Message
	step     int               // the message of the open step, -1 if none is open
	name     map[string]string // of the calls, by id
	known    bool
	earlier  []*msg.Conversation
	others   []jsonl.Other
}

func newReader(c *msg.Conversation) *reader {
	return &reader{c: c, room: msg.MaxBlocks, step: -1, name: map[string]string{}}
}

func (r *reader) lines() error {
	for i := range r.Lines {
		if raw := r.Lines[i].Raw; raw != nil {
			if err := r.line(i, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) line(i int, raw rawjson.Value) error {
	path, time := jsonl.Pointer(i), raw.Member("time")
	kind := raw.Member("type").Text()
	r.known = r.known || raw.Member("agentId") != nil || kind == "metadata" && raw.Member("created_at") != nil
	switch kind {
	case "profile.bind":
		if prompt := document.String(raw.Member("systemPrompt"), path+"/systemPrompt"); prompt != nil {
			r.c.System = prompt
		}
	case "llm.tools_snapshot":
		tools, err := document.Tools(raw.Member("tools"), "tools")
		if err != nil {
			return err
		}
		r.c.Tools = tools
	case "llm.request":
		r.c.Model = cmp.Or(raw.Member("model").Text(), r.c.Model)
	case "usage.record":
		r.usage(path, raw)
	case "context.append_message":
		r.step = -1
		return r.message(raw.Member("message"), path+"/message", time)
	case "context.append_loop_event":
		return r.event(raw.Member("event"), path+"/event", time)
	case "context.apply_compaction":
		r.compact(raw, path, time)
	case "context.undo":
		r.undo(document.Int(raw.Member("count")))
	case "context.clear":
		r.end()
		r.messages, r.step = nil, -1
	}
	return nil
}

// usage gives the open step the counts of its call. Other calls, such as those of compactions, are of no message.
func (r *reader) usage(path string, raw rawjson.Value) {
	if u := usageOf(raw); u != nil && !r.count(u) {
		r.others = append(r.others, jsonl.Other{Side: true, Message: msg.Message{Role: msg.Assistant, Usage: u,
			Model: r.c.Model, Path: path, Time: raw.Member("time")}})
	}
}

func usageOf(raw rawjson.Value) *msg.Usage {
	return record.Usage(raw.Member("usage"), "inputOther|inputCacheRead|inputCacheCreation|output")
}

// count gives the open step the counts of its call, and reports whether it had none.
func (r *reader) count(u *msg.Usage) bool {
	if r.step < 0 || r.messages[r.step].Usage != nil {
		return false
	}
	r.messages[r.step].Usage = u
	return true
}

// message appends a message of the context.
func (r *reader) message(raw rawjson.Value, path string, time rawjson.Value) error {
	m := msg.Message{Role: msg.Role(raw.Member("role").Text()), Raw: raw, Path: path, Time: time,
		ID: raw.Member("id").Text()}
	origin := raw.Member("origin").Member("kind").Text()
	m.Meta = origin != "" && origin != "user"
	if m.Role == msg.Tool {
		m.Role = msg.User
		b := msg.Block{Kind: msg.KindToolResult, Type: "tool", Raw: raw, Path: path, ID: raw.Member("toolCallId").Text(),
			IsError: raw.Member("isError").IsTrue(), Text: texts(raw.Member("content"))}
		b.Name = r.name[b.ID]
		return r.add(m, b)
	}
	if m.Role != msg.Assistant && m.Role != msg.User {
		m.Role = msg.User
	}
	for k, part := range raw.Member("content").List() {
		b, err := r.part(part, document.At(path+"/content", k))
		if err != nil {
			return err
		}
		if origin == "compaction_summary" && b.Kind == msg.KindText {
			b.Kind = msg.KindSummary
		}
		m.Blocks = append(m.Blocks, b)
	}
	for k, call := range raw.Member("toolCalls").List() {
		m.Blocks = append(m.Blocks, r.call(call, document.At(path+"/toolCalls", k), "id"))
	}
	if len(m.Blocks) > 0 {
		r.messages = append(r.messages, m)
	}
	return nil
}

// part reads one part of a content.
func (r *reader) part(raw rawjson.Value, path string) (b msg.Block, err error) {
	if err := r.room.Take(path); err != nil {
		return b, err
	}
	b = msg.Block{Raw: raw.Clip(), Path: path, Type: raw.Member("type").Text()}
	switch b.Type {
	case "text":
		b.Kind, b.Text = msg.KindText, raw.Member("text").Text()
	case "think":
		b.Kind, b.Text, b.Sealed = msg.KindThinking, raw.Member("think").Text(), document.Sealed(raw.Member("encrypted"))
	case "image_url":
		block.Media(&b, "image/", raw.Member("imageUrl"))
		b.Kind = msg.KindImage
	default:
		b.Kind = msg.KindOther
		document.Other(&b)
	}
	return b, nil
}

// call reads a call; id is the name of the member with its id.
func (r *reader) call(raw rawjson.Value, path, id string) msg.Block {
	b := msg.Block{Kind: msg.KindToolUse, Type: "tool.call", Raw: raw, Path: path, ID: raw.Member(id).Text()}
	b.Name = cmp.Or(raw.Member("name").Text(), raw.Member("function").Member("name").Text())
	for _, args := range [...]rawjson.Value{raw.Member("args"), raw.Member("arguments"),
		raw.Member("function").Member("arguments")} {
		if b.Text == "" && args != nil {
			b.Text = block.Value(args)
		}
	}
	if b.Text == "" {
		b.Text = "{}"
	}
	r.name[b.ID] = b.Name
	return b
}

// event reads an event of a step.
func (r *reader) event(raw rawjson.Value, path string, time rawjson.Value) error {
	switch raw.Member("type").Text() {
	case "step.begin":
		r.messages, r.step = append(r.messages, msg.Message{Role: msg.Assistant, Path: path, Time: time, Raw: raw,
			ID: raw.Member("uuid").Text(), Model: r.c.Model}), len(r.messages)
	case "content.part":
		b, err := r.part(raw.Member("part"), path+"/part")
		if err != nil {
			return err
		}
		r.addToStep(b, raw)
	case "tool.call":
		r.addToStep(r.call(raw, path, "toolCallId"), raw)
	case "tool.result":
		result := raw.Member("result")
		b := msg.Block{Kind: msg.KindToolResult, Type: "tool.result", Raw: raw, Path: path,
			ID:      raw.Member("toolCallId").Text(),
			IsError: result.Member("isError").IsTrue(), Text: sent(result)}
		b.Name = r.name[b.ID]
		return r.add(msg.Message{Role: msg.User, Path: path, Time: time, Raw: raw}, b)
	case "step.end":
		r.count(usageOf(raw))
		if r.step >= 0 && r.step == len(r.messages)-1 && len(r.messages[r.step].Blocks) == 0 {
			r.messages = r.messages[:r.step]
		}
		r.step = -1
	}
	return nil
}

// addToStep adds a block to the message of the open step.
func (r *reader) addToStep(b msg.Block, line rawjson.Value) {
	if r.step < 0 {
		r.messages, r.step = append(r.messages, msg.Message{Role: msg.Assistant, Path: b.Path, Model: r.c.Model}),
			len(r.messages)
	}
	m := &r.messages[r.step]
	m.Blocks, m.Lines, m.Raw = append(m.Blocks, b), append(m.Lines, line), nil
}

// add adds a result: to the message of results before it, if there is one.
func (r *reader) add(m msg.Message, b msg.Block) error {
	if err := r.room.Take(b.Path); err != nil {
		return err
	}
	if n := len(r.messages) - 1; n >= 0 && r.messages[n].Role == msg.User &&
		r.messages[n].Blocks[0].Kind == msg.KindToolResult {
		last := &r.messages[n]
		if len(last.Lines) == 0 {
			last.Lines = []rawjson.Value{last.Raw}
		}
		last.Blocks, last.Lines, last.Raw = append(last.Blocks, b), append(last.Lines, m.Raw), nil
		return nil
	}
	m.Blocks = []msg.Block{b}
	r.messages = append(r.messages, m)
	return nil
}

// The lines that Kimi Code adds to a result when it sends it (toolResultRender.ts of its package agent-core-v2).
const (
	failed      = "<system>ERROR: Tool execution failed.</system>"
	failedEmpty = "<system>ERROR: Tool execution failed. Tool output is empty.</system>"
	empty       = "<system>Tool output is empty.</system>"
)

// sent returns the text of a result as the model gets it: with the time that the tool took, its failure and a note.
func sent(result rawjson.Value) string {
	text, isError := texts(result.Member("output")), result.Member("isError").IsTrue()
	switch {
	case isError && text == "":
		text = failedEmpty
	case isError:
		text = failed + "\n" + text
	case strings.TrimSpace(text) == "":
		text = empty
	}
	if time := result.Member("durationMs"); time != nil {
		ms := document.Int(time)
		text = "Wall time: " + strconv.Itoa(ms/1000) + "." + strconv.Itoa(1000 + ms%1000)[1:] + " seconds\n" + text
	}
	if note := result.Member("note").Text(); note != "" {
		text += "\n" + note
	}
	return text
}

// texts returns the text of an output: a string, or the texts of its parts.
func texts(value rawjson.Value) (text string) {
	if value.Kind() != '[' {
		return block.Value(value)
	}
	for _, part := range value.List() {
		if one := part.Member("text").Text(); one != "" && text != "" {
			text += "\n" + one
		} else {
			text += one
		}
	}
	return text
}

// compact replaces the messages by those that a compaction keeps: prompts of the user, or the newest messages, and its
// summary.
func (r *reader) compact(raw rawjson.Value, path string, time rawjson.Value) {
	r.end()
	text, at := raw.Member("contextSummary"), path+"/contextSummary"
	if text.Kind() != '"' {
		text, at = raw.Member("summary"), path+"/summary"
	}
	summary := msg.Block{Kind: msg.KindSummary, Type: "text", Raw: text, Path: at, Text: text.Text()}
	if text.Kind() == '{' {
		summary.Text = texts(text.Member("content"))
	}
	made := msg.Message{Role: msg.User, Path: path, Time: time, Raw: raw, Meta: true, Blocks: []msg.Block{summary}}
	kept, n := raw.Member("keptUserMessageCount"), document.Int(raw.Member("compactedCount"))
	switch head := document.Int(raw.Member("keptHeadUserMessageCount")); {
	case kept != nil:
		var prompts []msg.Message
		for i := range r.messages {
			if m := &r.messages[i]; m.Role == msg.User && !m.Meta && m.Blocks[0].Kind != msg.KindToolResult {
				prompts = append(prompts, *m)
			}
		}
		from := max(len(prompts)-max(document.Int(kept)-head, 0), min(head, len(prompts)))
		r.messages = append(append(slices.Clone(prompts[:min(head, len(prompts))]), prompts[from:]...), made)
	case n > 0 && n < len(r.messages):
		r.messages = append([]msg.Message{made}, r.messages[n:]...)
	default:
		r.messages = []msg.Message{made}
	}
	r.step = -1
}

// end notes the messages as a part of the log before a compaction.
func (r *reader) end() {
	r.earlier = append(r.earlier, &msg.Conversation{Format: msg.KimiCode, Model: r.c.Model, System: r.c.System,
		Tools:    r.c.Tools,
		Messages: slices.Clone(r.messages)})
	if len(r.earlier) > jsonl.MaxSegments {
		r.earlier = r.earlier[1:]
	}
}

// undo takes back the newest prompts of the user, with all that follows.
func (r *reader) undo(count int) {
	r.step = -1
	for ; count > 0 && len(r.messages) > 0; count-- {
		end := len(r.messages) - 1
		for end > 0 && (r.messages[end].Role != msg.User || r.messages[end].Meta ||
			r.messages[end].Blocks[0].Kind == msg.KindToolResult) {
			end--
		}
		for i := end; i < len(r.messages); i++ {
			if m := &r.messages[i]; m.Usage != nil {
				r.others = append(r.others, jsonl.Other{Message: *m})
			}
		}
		r.messages = r.messages[:end]
	}
}

// Segments returns the parts of a log before its compactions, and the calls that are in none. c is the conversation
// that Parse returned.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return s
	}
	r := newReader(&msg.Conversation{})
	r.Log = jsonl.Log{Data: l.Data, Lines: l.Lines}
	s.Unread = r.lines() != nil
	s.Earlier, s.Others = r.earlier, r.others
	return s
}
