package gateway

import (
	"encoding/json"

	"tamp/core/forward"
	"tamp/core/msg"
	"tamp/core/policy"
)

// managedEdit is one element of context_management.edits.
type managedEdit struct {
	Type            string          `json:"type"`
	Trigger         managedAmount   `json:"trigger"`
	Keep            managedAmount   `json:"keep"`
	ClearAtLeast    managedAmount   `json:"clear_at_least"`
	ExcludeTools    []string        `json:"exclude_tools"`
	ClearToolInputs json.RawMessage `json:"clear_tool_inputs"` // a bool, or a list of tools
	Pause           bool            `json:"pause_after_compaction"`
}

// managedAmount is {"type": …, "value": n}, or "all".
type managedAmount struct {
	Type  string `json:"type"`
	Value *int   `json:"value"`
}

func (a *managedAmount) UnmarshalJSON(data []byte) error {
	if string(data) == `"all"` {
		*a = managedAmount{"all", new(int)}
		return nil
	}
	type plain managedAmount
	return json.Unmarshal(data, (*plain)(a))
}

// or returns the value, or the vendor's default.
func (a *managedAmount) or(n int) int {
	if a.Value == nil {
		return n
	}
	return *a.Value
}

const (
	editToolUses = "clear_tool_uses_20250919"
	editThinking = "clear_thinking_20251015"
	editCompact  = "compact_20260112"
)

const (
	compactionKind = "compaction" // the type of the block that editCompact makes
	defaultTrigger = 150_000      // of editCompact, in tokens
)

// apply sets the values of the edit, with the vendor's defaults.
func (e *managedEdit) apply(p *policy.Policy) {
	switch e.Type {
	case editToolUses:
		preset, _ := policy.Preset("clear_tool_uses")
		p.Clear = preset.Clear
		if p.Clear.TriggerTokens = e.Trigger.or(p.Clear.TriggerTokens); e.Trigger.Type == "tool_uses" {
			p.Clear.TriggerTokens, p.Clear.TriggerToolUses = 0, e.Trigger.or(0)
		}
		p.Clear.KeepRecent, p.Clear.ClearAtLeast = e.Keep.or(p.Clear.KeepRecent), e.ClearAtLeast.or(0)
		p.Clear.KeepTools = e.ExcludeTools
		if string(e.ClearToolInputs) == "true" {
			p.Clear.ClearToolInputs = []string{"*"}
		} else {
			_ = json.Unmarshal(e.ClearToolInputs, &p.Clear.ClearToolInputs)
		}
	case editThinking:
		p.Thinking.KeepTurns = e.Keep.or(1) // 0 keeps all, as "all"
	case editCompact:
		p.Trigger.Tokens = e.Trigger.or(defaultTrigger)
	}
}

// takeEdits removes context_management from a body. It returns nil as the edits, and the body as it is, if one of them
// is unknown or invalid: then the upstream answers.
func takeEdits(body []byte) (rest []byte, edits []managedEdit) {
	var m struct {
		Edits []managedEdit `json:"edits"`
	}
	if msg.Validate(body) != nil || json.Unmarshal(forward.Member(body, "context_management"), &m) != nil {
		return body, nil
	}
	p, _ := policy.Preset(policy.Default)
	for i := range m.Edits {
		switch m.Edits[i].Type {
		case editToolUses, editThinking, editCompact:
			m.Edits[i].apply(&p)
		default:
			return body, nil
		}
	}
	if p.Validate() != nil {
		return body, nil
	}
	return forward.SetMember(body, "context_management", nil), m.Edits
}

// The item of OpenAI's compaction holds the compacted items themselves: the client sends it back, so no state is
// needed. It hides nothing, since they are the client's own.
const itemPrefix = "tamp1:"
