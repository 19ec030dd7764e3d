package format

import (
	"bytes"

	"tamp/core/format/claudecode"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Agent is what a session log says about the limits of its agent, which are not those of the model.
type Agent struct {
	Window      int          `json:"window,omitempty"` // of Codex: model_context_window, the newest one; 0 if it is not in the log
	Compactions []Compaction `json:"compactions"`      // those of the agent itself, in file order
}

// Compaction is a compaction that the agent made.
type Compaction struct {
	// what the log calls it: "compacted" (Codex), "compact_boundary" (Claude Code) or "compaction" (pi)
	Name    string `json:"name"`
	Path    string `json:"path"`              // JSON Pointer of its line
	Trigger string `json:"trigger,omitempty"` // of Claude Code: "auto" or "manual"
	Before  int    `json:"before,omitempty"`  // tokens before it, if the log has them
	After   int    `json:"after,omitempty"`   // tokens after it, if the log has them
	Calls   int    `json:"calls,omitempty"`   // of a replay: calls before it
}

// AgentOf returns what a session log says about its agent; nil if that is nothing.
func AgentOf(c *msg.Conversation) *Agent {
	a := &Agent{Compactions: []Compaction{}}
	if l, ok := c.Origin.(*jsonl.Log); ok {
		for i := range l.Lines {
			a.read(c.Format, i, l.Lines[i].Raw)
		}
	}
	for i, raw := range claudecode.Lines(c) {
		a.read(c.Format, i, raw)
	}
	if a.Window == 0 && len(a.Compactions) == 0 {
		return nil
	}
	return a
}

func (a *Agent) read(name Name, i int, line rawjson.Value) {
	if !bytes.Contains(line, []byte("compact")) && !bytes.Contains(line, []byte("model_context_window")) {
		return // nearly all lines
	}
	add := func(trigger, before, after rawjson.Value) {
		kind := line.Member("subtype").Text()
		if name != msg.ClaudeCode {
			kind = line.Member("type").Text()
		}
		a.Compactions = append(a.Compactions, Compaction{Name: kind, Path: jsonl.Pointer(i), Trigger: trigger.Text(),
			Before: document.Int(before), After: document.Int(after)})
	}
	payload := line.Member("payload")
	switch kind := line.Member("type").Text(); {
	case name == msg.Codex && kind == "event_msg":
		for _, at := range [...]rawjson.Value{payload, payload.Member("info")} { // of task_started, of token_count
			if window := document.Int(at.Member("model_context_window")); window > 0 {
				a.Window = window
			}
		}
	case name == msg.Codex && kind == "compacted" && payload.Kind() == '{', name == msg.Pi && kind == "compaction":
		add(nil, line.Member("tokensBefore"), nil)
	case name == msg.ClaudeCode && kind == "system" && line.Member("subtype").Text() == "compact_boundary":
		meta := line.Member("compactMetadata")
		add(meta.Member("trigger"), meta.Member("preTokens"), meta.Member("postTokens"))
	}
}
