package core

import (
	"errors"
	"unicode/utf8"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/view"
)

// Report is the fate of every block under a policy, without applying it.
type Report struct {
	Format   string          `json:"format"`
	Model    string          `json:"model,omitempty"`
	Counter  string          `json:"counter"`
	System   []BlockReport   `json:"system"`
	Tools    []BlockReport   `json:"tools"`
	Messages []MessageReport `json:"messages"`
	Low      int             `json:"low"`     // tokens now, 10th percentile; equal to Before if exact
	High     int             `json:"high"`    // tokens now, 90th percentile
	Exact    bool            `json:"exact"`   // the counter is the model's own, and no part was estimated
	Profile  string          `json:"profile"` // the model family whose rules were used
	// the model binds thinking to what precedes it, so that the setting thinking has an effect
	BindsThinking bool `json:"bindsThinking,omitempty"`
	// the tokens by the API's usage on the messages; absent without plausible usage
	Usage  *tokens.Measured `json:"usage,omitempty"`
	Before int              `json:"before"` // tokens
	After  int              `json:"after"`
	Window int              `json:"window"` // the context window in tokens, see WindowOf
	// "policy", "log", "compaction", "catalog" or "assumed", see WindowOf
	WindowSource string             `json:"windowSource"`
	Trigger      Trigger            `json:"trigger"`
	Actions      []Action           `json:"actions"`
	Problems     []validity.Problem `json:"problems"`          // rules that the current conversation violates; at most 1,000
	Omitted      int                `json:"omitted,omitempty"` // number of problems that are not listed
	Warnings     []msg.Warning      `json:"warnings"`
	// what a session log says about its agent: its own window and its own compactions
	Agent *msg.Agent `json:"agent,omitempty"`
}

// MessageReport is the fate of one message.
type MessageReport struct {
	Index  int           `json:"index"`
	Role   string        `json:"role"`
	Path   string        `json:"path"`
	Turn   int           `json:"turn"` // from 1
	Tokens int           `json:"tokens"`
	After  int           `json:"after"`
	Open   bool          `json:"open,omitempty"` // a part of the tool round that is still open
	Blocks []BlockReport `json:"blocks"`
}

// BlockReport is the fate of one block.
type BlockReport struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Tool    string `json:"tool,omitempty"`
	ID      string `json:"id,omitempty"`
	Tokens  int    `json:"tokens"`
	After   int    `json:"after"`
	Fate    string `json:"fate"` // "kept", "pinned", "cleared", "dropped", "truncated", "summarized", "broken"
	Why     string `json:"why"`
	Preview string `json:"preview"` // the first 200 code points of its text
	Chars   int    `json:"chars"`   // code points of its text
}

// previewLength is the length of a preview in code points: enough to recognize a block, small enough for ten thousand
// blocks.
const previewLength = 200

// Inspect returns the fate of every block with its reason. The errors are those of NewPlan, except context_overflow,
// which becomes a warning of the report.
func Inspect(c *msg.Conversation, st State, p policy.Policy, env Env) (*Report, error) {
	plan.SetUnasked(&env)
	made, draft, err := plan.Explain(c, st, &p, &env)
	overflow := isOverflow(err)
	if overflow { // a report helps more than the error
		made = draft.Finish()
		made.Warnings = append(made.Warnings, msg.Warning{Code: string(msg.ContextOverflow), Message: err.Error()})
	} else if err != nil {
		return nil, err
	}
	in := draft.View()
	sure := in.Meter.WithInterval(c, in.Counts)
	problems, omitted := validity.CheckAll(c)
	r := &Report{Format: c.Format, Model: c.Model, Counter: in.Counts.Counter, Low: sure.Low, High: sure.High,
		Exact: sure.Exact, Profile: sure.Profile, BindsThinking: validity.BindsThinking(c), Usage: sure.Usage,
		Before: made.Before, After: made.After, Trigger: made.Trigger, Agent: c.Agent,
		Actions: made.Decisions, Warnings: made.Warnings,
		Problems: append([]validity.Problem{}, problems...), Omitted: omitted,
		System: []BlockReport{}, Tools: []BlockReport{}, Messages: make([]MessageReport, len(c.Messages))}
	r.Window, r.WindowSource = WindowOf(&p, c)
	for i := range c.System {
		b := &c.System[i]
		r.System = append(r.System, blockReport(b, in.Meter.Block(b), "the system prompt is never touched"))
	}
	for i := range c.Tools {
		b := &c.Tools[i]
		r.Tools = append(r.Tools, blockReport(b, in.Meter.Tool(b), "tool definitions are never touched"))
	}
	turns, open := view.TurnsOf(in.Conversation), msg.OpenRound(c)
	for m := range c.Messages {
		r.Messages[m] = messageReport(in, m, turns[m], open)
	}
	for _, d := range draft.Blocks() {
		b := &r.Messages[d.Ref.Message].Blocks[d.Ref.Block]
		b.Fate, b.Why, b.Tool = string(d.Fate), d.Reason, d.Tool
		if d.Edit != nil {
			b.After = d.Edit.After
			r.Messages[d.Ref.Message].After += d.Edit.After - d.Edit.Tokens
		}
	}
	markRegions(r, made)
	markBroken(r)
	return r, nil
}

func isOverflow(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == msg.ContextOverflow
}

// markRegions marks the blocks that summaries would replace. After is the block's share of the summary.
func markRegions(r *Report, made *Plan) {
	maxTokens := map[string]int{}
	for _, q := range made.Requests {
		maxTokens[q.ID] = q.MaxTokens
	}
	for _, region := range made.Regions {
		answer := 0
		for _, id := range region.Requests {
			answer += maxTokens[id]
		}
		answer = min(answer, region.Tokens)
		mark := func(m, b int) {
			block := &r.Messages[m].Blocks[b]
			share := 0
			if region.Tokens > 0 {
				share = int(int64(block.Tokens) * int64(answer) / int64(region.Tokens))
			}
			r.Messages[m].After += share - block.After
			block.After, block.Fate, block.Why = share, string(pass.Summarized), "replaced by a summary"
		}
		for _, ref := range region.Blocks {
			mark(ref.Message, ref.Block)
		}
		for _, s := range region.Spans {
			for m := s.Start; region.Blocks == nil && m < s.End; m++ {
				for b := range r.Messages[m].Blocks {
					mark(m, b)
				}
			}
		}
	}
}

func messageReport(in *view.View, m, turn, open int) MessageReport {
	message, counts := &in.Conversation.Messages[m], &in.Counts.Messages[m]
	r := MessageReport{Index: m, Role: string(message.Role), Path: message.Path, Turn: turn,
		Tokens: counts.Tokens, After: counts.Tokens, Open: m >= open, Blocks: make([]BlockReport, len(message.Blocks))}
	fallback := message.Fallback()
	for b := range message.Blocks {
		block := &message.Blocks[b]
		r.Blocks[b] = blockReport(block, counts.Blocks[b], "")
		r.Blocks[b].Fate, r.Blocks[b].Why = untouched(message, b, m >= open, fallback)
	}
	return r
}

// untouched returns the fate and the reason of a block without a decision; fallback is that of the message.
func untouched(message *msg.Message, index int, open bool, fallback int) (fate, why string) {
	b := &message.Blocks[index]
	switch {
	case open:
		return string(pass.Pinned), "part of the tool round that is still open"
	case b.IsSummary():
		return string(pass.Pinned), "a summary is never compacted again"
	case b.Kind == msg.KindToolResult:
		return string(pass.Kept), "this policy clears no tool results"
	case b.Kind == msg.KindToolUse:
		return string(pass.Kept), "a call stays: it says what the agent did"
	case b.Kind == msg.KindThinking && index < fallback:
		return string(pass.Kept), "not in the prompt: another model went on with the answer"
	case b.Kind == msg.KindThinking:
		return string(pass.Kept), "this policy keeps all thinking"
	case b.Kind == msg.KindOther:
		return string(pass.Kept), "of a type that is kept as it is"
	case provenance.IsInjected(message, index):
		return string(pass.Kept), "injected by the agent"
	case message.Role == msg.Assistant:
		return string(pass.Kept), "the assistant's own words"
	case message.Role == msg.User:
		return string(pass.Kept), "the user's own words"
	}
	return string(pass.Pinned), "instructions are never touched"
}

func blockReport(b *msg.Block, size int, why string) BlockReport {
	return BlockReport{Path: b.Path, Kind: string(b.Kind), Type: b.Type, Tool: b.Name, ID: b.ID, Tokens: size,
		After: size,
		Fate:  string(pass.Pinned), Why: why, Preview: summarize.First(b.Text,
			previewLength), Chars: utf8.RuneCountInString(b.Text)}
}

// markBroken marks the blocks that a provider would refuse. A problem of a whole message marks all its blocks.
func markBroken(r *Report) {
	broken := map[string]string{}
	for _, p := range r.Problems {
		if p.Severity == validity.SeverityError && broken[p.Path] == "" {
			broken[p.Path] = p.Message
		}
	}
	if len(broken) == 0 {
		return
	}
	for m := range r.Messages {
		message := &r.Messages[m]
		for b := range message.Blocks {
			block := &message.Blocks[b]
			why := broken[block.Path]
			if why == "" {
				why = broken[message.Path]
			}
			if why != "" {
				block.Fate, block.Why = "broken", why
			}
		}
	}
}
