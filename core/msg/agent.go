package msg

// Agent is what a session log says about the limits of its agent, which are not those of the model.
type Agent struct {
	Window int `json:"window,omitempty"` // of Codex: model_context_window, the newest one; 0 if it is not in the log
	// of Claude Code: 200,000 if the newest compaction that it started itself came below that, and no call since then was
	// larger; else 0
	Limit       int          `json:"limit,omitempty"`
	Compactions []Compaction `json:"compactions"` // those of the agent itself, in file order
}

// Compaction is a compaction that the agent made.
type Compaction struct {
	// what the log calls it: "compacted" (Codex), "compact_boundary" (Claude Code) or "compaction" (pi)
	Name    string `json:"name"`
	Path    string `json:"path"`              // JSON Pointer of its line
	Trigger string `json:"trigger,omitempty"` // of Claude Code: "auto" or "manual"
	Before  int    `json:"before,omitempty"`  // tokens before it, if the log has them
	Calls   int    `json:"calls,omitempty"`   // of a replay: calls before it
}
