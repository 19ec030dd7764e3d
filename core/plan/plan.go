package plan

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/view"
)

// Region is the part of a conversation that one summary replaces.
type Region = choice.Region

// Plan lists the changes to make to a conversation. It is data: print it, store it, send it, apply it later, or drop
// it.
type Plan struct {
	Base      view.Digest      `json:"base"`           // of the first Length messages
	Length    int              `json:"length"`         // number of messages the plan covers, counted from the start
	Trigger   Trigger          `json:"trigger"`        // the condition that fired, with its two numbers; "none" if none did
	Edits     []pass.Edit      `json:"edits"`          // need no model; in document order
	Regions   []Region         `json:"regions"`        // replaced by summaries; largest first
	Requests  []SummaryRequest `json:"requests"`       // for a model; may be empty
	Archive   []msg.Span       `json:"archive"`        // originals that Apply removes: save them BEFORE you use its result
	Before    int              `json:"before"`         // tokens now
	After     int              `json:"after"`          // tokens if each request is answered within its MaxTokens
	Target    int              `json:"target"`         // max tokens after Apply if a request fails; 0 = no limit
	Limit     int              `json:"limit"`          // the hard limit: max tokens after Apply, whatever fails; 0 = no limit
	Keep      []msg.Ref        `json:"keep,omitempty"` // the blocks that the host keeps, for the plan after this one
	Advice    Advice           `json:"advice"`         // whether compacting now pays
	Decisions []Action         `json:"decisions"`      // one for each block that a rule considered, unchanged ones included
	// Of bounded policies: "target_raised", "compaction_waits" and "words_cut" (the user's words do not all fit
	// into summaries); of others "window_shrunk" and "words_cut". And those of the conversation.
	Warnings []msg.Warning `json:"warnings"`
}

// Advice is the cost of a compaction now and its later saving: that of the plan, or, if the plan removes nothing,
// that of clearing every tool result that its rules do not protect.
type Advice struct {
	Freed  int `json:"freed"`  // tokens that each later call is spared; 0 if nothing can be removed
	Cached int `json:"cached"` // tokens of the previous request in the prompt cache; 0 if its entry has expired
	Kept   int `json:"kept"`   // of Cached, the tokens before the first change: they stay in the cache
	// extra cost of the next call, with that of summaries by a model of the same price; negative if it is cheaper at once
	Cost int `json:"cost"`
	// cost so far of keeping what can be cleared; of policies with clear.when "economic", which clear when it reaches Cost
	Rent  int  `json:"rent,omitempty"`
	Free  bool `json:"free"`            // the next call is not more expensive
	Calls int  `json:"calls,omitempty"` // the number of calls after which it has paid back; 0 if free, or if it never does
	// blocks of later thinking that the model loses: they are bound to the changed text
	Thinking int    `json:"thinking,omitempty"`
	Reason   string `json:"reason"`
}

// Trigger is the condition that made a plan act, or the limit that it waits for.
type Trigger struct {
	// Of clearing: "none", "every_turn", "tool_uses", "economic"; of summaries: "none", "tokens", "soft", "hard",
	// "overflow", "long_prompts" (just below the length from which the vendor charges more for the whole of a request),
	// "manual", "task_switch"; of what the host chose: "drop", "summarize". Of "economic" Used and Limit are Advice.Rent
	// and Advice.Cost: clearing pays.
	Kind  string `json:"kind"`
	Used  int    `json:"used"`  // the size now, in the trigger's unit
	Limit int    `json:"limit"` // the plan acts above this size; 0 = no limit

	// The limit above which the policy acts next, for any Kind: of clearing, if it waits for a limit ("tool_uses",
	// "tokens"); else the lowest limit of summaries ("soft", "tokens", "long_prompts", "hard", "overflow"). Absent if the
	// policy has no such limit.
	WaitsFor   string `json:"waitsFor,omitempty"`
	WaitsUsed  int    `json:"waitsUsed,omitempty"`  // the size now, in the unit of that limit
	WaitsLimit int    `json:"waitsLimit,omitempty"` // the policy acts above this size
}

// waitFor sets the limit that the policy waits for: the limit of clearing if it has one, else the limit of summaries.
func (t *Trigger) waitFor(clearing, summaries Trigger) {
	next := clearing
	if next.WaitsFor == "" {
		next = summaries
	}
	t.WaitsFor, t.WaitsUsed, t.WaitsLimit = next.WaitsFor, next.WaitsUsed, next.WaitsLimit
}

// Waits reports whether the plan changes nothing until the open tool round is finished, since it has bound thinking.
func (p *Plan) Waits() bool {
	return slices.ContainsFunc(p.Warnings, func(w msg.Warning) bool { return w.Code == waitsForRound })
}

const waitsForRound = "thinking_open_round"
