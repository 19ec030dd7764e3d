package format

import (
	"bytes"

	"tamp/core/format/claudecode"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// standardWindow is the window of Claude Code's sessions whose model has no suffix [1m]. It compacts by itself about
// 33,000 tokens below the window, whatever the model can hold: recorded logs have boundaries at 167,000 to 168,000.
const standardWindow = 200_000

// agentOf returns what a session log says about its agent; nil if that is nothing.
func agentOf(c *msg.Conversation) *msg.Agent {
	name, kind, size := "compaction", "type", "tokensBefore" // of pi
	switch c.Format {
	case msg.Codex:
		name = "compacted"
	case msg.ClaudeCode:
		name, kind, size = "compact_boundary", "subtype", "compactMetadata/preTokens"
	case msg.QwenCode:
		name, kind, size = "chat_compression", "subtype", "systemPayload/info/originalTokenCount"
	case msg.CopilotCLI:
		name, size = "session.compaction_complete", "data/preCompactionTokens"
	}
	a := &msg.Agent{Compactions: []msg.Compaction{}}
	for i := 0; ; i++ {
		line, ok := Line(c, i)
		if !ok {
			break
		}
		if bytes.Contains(line, []byte("model_context_window")) {
			if n := document.Int(record.At(line, "payload/info/model_context_window")); n > 0 {
				a.Window = n
			}
		}
		if bytes.Contains(line, []byte(name)) && record.At(line, kind).Text() == name {
			a.Compactions = append(a.Compactions, msg.Compaction{Name: name, Path: jsonl.Pointer(i),
				Trigger: record.At(line, "compactMetadata/trigger").Text(), Before: document.Int(record.At(line, size))})
		}
	}
	if a.Window == 0 && len(a.Compactions) == 0 {
		return nil
	}
	if last := len(a.Compactions) - 1; last >= 0 && a.Compactions[last].Trigger == "auto" &&
		a.Compactions[last].Before <= standardWindow && largestPrompt(c) <= standardWindow {
		a.Limit = standardWindow
	}
	return a
}

// largestPrompt is the size of the largest request by the usage in the log.
func largestPrompt(c *msg.Conversation) (n int) {
	for i := range c.Messages {
		if u := c.Messages[i].Usage; u != nil {
			n = max(n, u.Prompt())
		}
	}
	return n
}

// SessionOf returns the id of a session of Codex, and those of the sessions that it was forked from: a fork has their
// items, with times of its own. Both are empty for other formats, whose forks keep the ids of their answers.
func SessionOf(c *msg.Conversation) (id string, forkedFrom []string) {
	for i := 0; c.Format == msg.Codex; i++ {
		line, ok := Line(c, i)
		if !ok {
			break
		}
		if !bytes.Contains(line, []byte(`"session_meta"`)) {
			continue
		}
		meta := line.Member("payload")
		for _, name := range [...]string{"id", "forked_from_id", "parent_thread_id"} {
			other, n := meta.Member(name).Text(), len(forkedFrom)
			if id == "" {
				id = other
			} else if other != "" && other != id && (n == 0 || forkedFrom[n-1] != other) {
				forkedFrom = append(forkedFrom, other)
			}
		}
	}
	return id, forkedFrom
}

// RequestOf returns the id of the request that a line of a log of Claude Code has, "" if it has none.
func RequestOf(c *msg.Conversation, line int) string { return claudecode.Request(c, line) }

// Line returns a line of a log, false after the last one.
func Line(c *msg.Conversation, i int) (rawjson.Value, bool) {
	if l, ok := c.Origin.(*jsonl.Log); ok && i < len(l.Lines) {
		return l.Lines[i].Raw, true
	}
	return claudecode.Line(c, i)
}
