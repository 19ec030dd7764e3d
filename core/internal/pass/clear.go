package pass

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"tamp/core/msg"
	"tamp/core/tokens"
)

// Clearing replaces the content of old tool results by a placeholder. One pass serves every published design: the
// policies differ only in which results are protected. A result that the provider produced itself, inside an assistant
// message, is part of that message and never cleared.

// Clear is the policy of the pass. See core.Preset for the values of each design.
type Clear struct {
	Enabled          bool     `json:"enabled"`
	ConsumedOnly     bool     `json:"consumedOnly"`     // only results that a later assistant message has seen
	KeepRecent       int      `json:"keepRecent"`       // the newest results that stay, counted by result
	MinChars         int      `json:"minChars"`         // texts of at most so many code points stay
	KeepTools        []string `json:"keepTools"`        // tools whose results stay
	ProtectTokens    int      `json:"protectTokens"`    // the newest results up to this sum (cjk counter) stay; 0 = off
	ProtectExchanges int      `json:"protectExchanges"` // results in the newest exchanges stay; 0 = off
	MinSavings       int      `json:"minSavings"`       // nothing happens unless the candidates hold more tokens (cjk) than this
	TriggerTokens    int      `json:"triggerTokens"`    // nothing happens until the conversation is over this size; 0 = always
	TriggerToolUses  int      `json:"triggerToolUses"`  // instead of triggerTokens: until there are more calls than this
	ClearAtLeast     int      `json:"clearAtLeast"`     // nothing happens unless this many tokens are freed
	ClearToolInputs  []string `json:"clearToolInputs"`  // tools whose calls' inputs go with the results; "*" = all
	Placeholder      string   `json:"placeholder"`      // {tool} is replaced by the tool's name
	Sticky           bool     `json:"sticky"`           // what was cleared stays cleared, and nothing new is until minSavings can go

	Was    func(*msg.Block) bool `json:"-"` // with sticky: whether a result was cleared in an earlier turn
	Before int                   `json:"-"` // with sticky: the first message of the recent window, whose results stay
}

// result is one tool result on its way through the rules.
type result struct {
	ref    msg.Ref
	block  *msg.Block
	tool   string
	before int // tokens
	text   int // tokens of the text alone, by the published rule (cjk); only counted where a rule asks
	fate   Fate
	reason string
	chosen bool // may be cleared
	was    bool // cleared in an earlier turn
}

// Trigger says what the pass waits for: the words "tool_uses" or "tokens" with the size now and the size that
// must be passed; "" where it runs at every turn.
func (p Clear) Trigger(in *Input) (kind string, used, limit int) {
	switch {
	case !p.Enabled:
	case p.TriggerToolUses > 0:
		uses := 0
		for m := range in.Conversation.Messages {
			for b := range in.Conversation.Messages[m].Blocks {
				if block := &in.Conversation.Messages[m].Blocks[b]; block.Kind == msg.KindToolUse && !block.Server {
					uses++
				}
			}
		}
		return "tool_uses", uses, p.TriggerToolUses
	case p.TriggerTokens > 0:
		return "tokens", in.Counts.Total, p.TriggerTokens
	}
	return "", 0, 0
}

// Run decides about every tool result, oldest first.
func (p Clear) Run(in *Input) []Decision {
	if !p.Enabled {
		return nil
	}
	results := p.collect(in, 0)
	p.protect(in, results)
	if kind, used, limit := p.Trigger(in); kind != "" && used <= limit {
		p.spare(results, "nothing is cleared before "+strconv.Itoa(limit)+" "+kind+", now "+strconv.Itoa(used))
	}
	decisions := p.decide(in, results)
	if freed := freed(decisions); freed > 0 && freed < p.ClearAtLeast {
		why := "clearing would free " + strconv.Itoa(freed) + " tokens, less than clearAtLeast " + strconv.Itoa(p.ClearAtLeast)
		for i := range decisions {
			if decisions[i].Edit != nil {
				decisions[i] = Decision{Ref: decisions[i].Ref, Fate: Kept, Tool: decisions[i].Tool, Reason: why}
			}
		}
	}
	return decisions
}

// Ever decides about the tool results from a message on by the rules that do not depend on how new a result is: what this policy
// clears now, or once nothing newer protects it.
func (p Clear) Ever(in *Input, from int) []Decision {
	if !p.Enabled {
		return nil
	}
	p.ConsumedOnly, p.Sticky = false, false
	p.KeepRecent, p.ProtectTokens, p.ProtectExchanges = 0, 0, 0
	p.MinSavings, p.TriggerTokens, p.TriggerToolUses, p.ClearAtLeast = 0, 0, 0, 0
	results := p.collect(in, from)
	p.protect(in, results)
	return p.decide(in, results)
}

// collect lists the tool results from a message on, oldest first.
func (p Clear) collect(in *Input, from int) []result {
	c := in.Conversation
	var results []result
	for m := from; m < len(c.Messages); m++ {
		for b := range c.Messages[m].Blocks {
			ref := msg.Ref{Message: m, Block: b}
			block, before := in.block(ref)
			if block.Kind == msg.KindToolResult && !block.Server {
				results = append(results, result{ref: ref, block: block, before: before, tool: in.Pairing.ToolName(c, ref)})
			}
		}
	}
	return results
}

// protect applies the rules that shield a result, and marks what is left as chosen.
func (p Clear) protect(in *Input, results []result) {
	consumedBefore := lastAssistant(in.Conversation)
	newestExchanges := exchangeStart(in.Conversation, p.ProtectExchanges)
	newest, sum, candidates := 0, 0, 0
	for i := len(results) - 1; i >= 0; i-- {
		r := &results[i]
		r.fate = Pinned
		if r.was = p.Sticky && p.Was != nil && p.Was(r.block); r.was {
			r.fate, r.chosen = Kept, true // cleared before, so that the prefix reads the same in every turn
			newest++
			continue
		}
		if p.ConsumedOnly && r.ref.Message >= consumedBefore {
			r.reason = "the model has not answered it yet"
			continue
		}
		if newest++; newest <= p.KeepRecent {
			r.reason = "one of the newest " + strconv.Itoa(p.KeepRecent) + " results"
			continue
		}
		if p.Sticky && r.ref.Message >= p.Before {
			r.reason = "in the recent window"
			continue
		}
		if r.ref.Message >= newestExchanges {
			r.reason = "in the newest " + strconv.Itoa(p.ProtectExchanges) + " exchanges"
			continue
		}
		if slices.Contains(p.KeepTools, r.tool) {
			r.reason = "results of " + r.tool + " are kept"
			continue
		}
		if p.ProtectTokens > 0 || p.MinSavings > 0 {
			r.text = tokens.CJK.Count(r.block.Text)
			if sum += r.text; p.ProtectTokens > 0 && sum <= p.ProtectTokens {
				r.reason = "within the newest " + strconv.Itoa(p.ProtectTokens) + " tokens of results"
				continue
			}
		}
		r.fate = Kept
		switch {
		case isPlaceholder(r.block.Text, p.Placeholder, r.tool):
			r.reason = "already cleared"
		case !r.block.HasMedia() && !longer(r.block.Text, p.MinChars):
			r.reason = "no longer than " + strconv.Itoa(p.MinChars) + " characters"
		default:
			r.chosen = true
			candidates += r.text
		}
	}
	if p.MinSavings > 0 && candidates <= p.MinSavings {
		p.spare(results, "the candidates hold "+strconv.Itoa(candidates)+" tokens, not more than minSavings "+strconv.Itoa(p.MinSavings))
	}
}

// spare takes every chosen result back.
func (p Clear) spare(results []result, why string) {
	for i := range results {
		if results[i].chosen && !results[i].was {
			results[i].chosen, results[i].reason = false, why
		}
	}
}

// decide writes the edits for the chosen results, and for their calls' inputs where the policy says so.
func (p Clear) decide(in *Input, results []result) []Decision {
	decisions := make([]Decision, 0, len(results))
	open := msg.OpenRound(in.Conversation)
	for i := range results {
		r := &results[i]
		d := Decision{Ref: r.ref, Fate: r.fate, Tool: r.tool, Reason: r.reason}
		if !r.chosen {
			decisions = append(decisions, d)
			continue
		}
		text := placeholder(p.Placeholder, r.tool)
		after := in.after(r.block.WithText(text))
		switch {
		case !r.block.HasMedia() && !longer(r.block.Text, utf8.RuneCountInString(text)):
			d.Reason = "no longer than its placeholder"
		case after > r.before:
			d.Reason = "its placeholder would cost more tokens" // a run of spaces, for one
		default:
			d.Fate, d.Reason = Cleared, "an old result of "+r.tool+" that no rule protects"
			d.Edit = &Edit{Message: r.ref.Message, Block: r.ref.Block, Kind: ClearResult, Text: text, Tool: r.tool,
				Tokens: r.before, After: after, Reason: d.Reason}
			if call, ok := p.clearInput(in, r, open); ok {
				decisions = append(decisions, call)
			}
		}
		decisions = append(decisions, d)
	}
	return decisions
}

// clearInput decides about the call that a cleared result answers. The assistant message of an open round goes back
// to the provider unmodified (rule A9_thinking_open), so its calls stay.
func (p Clear) clearInput(in *Input, r *result, open int) (Decision, bool) {
	if !slices.Contains(p.ClearToolInputs, "*") && !slices.Contains(p.ClearToolInputs, r.tool) {
		return Decision{}, false
	}
	ref, ok := in.Pairing.Call(r.ref)
	if !ok || ref.Message >= open {
		return Decision{}, false
	}
	call, before := in.block(ref)
	after := in.after(call.WithInput("{}"))
	if len(call.Text) <= len("{}") || after > before {
		return Decision{}, false
	}
	why := "the input of a cleared call of " + r.tool
	return Decision{Ref: ref, Fate: Cleared, Tool: r.tool, Reason: why, Edit: &Edit{Message: ref.Message, Block: ref.Block,
		Kind: ClearInput, Text: "{}", Tool: r.tool, Tokens: before, After: after, Reason: why}}, true
}

func freed(decisions []Decision) int {
	total := 0
	for i := range decisions {
		if e := decisions[i].Edit; e != nil {
			total += e.Tokens - e.After
		}
	}
	return total
}

// lastAssistant returns the index of the last assistant message: a result before it is consumed.
func lastAssistant(c *msg.Conversation) int {
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if c.Messages[m].Role == msg.Assistant {
			return m
		}
	}
	return 0
}

// exchangeStart returns the index of the message where the newest n exchanges begin, past the end for none.
func exchangeStart(c *msg.Conversation, n int) int {
	start := len(c.Messages)
	for m := len(c.Messages) - 1; m >= 0 && n > 0; m-- {
		if c.Messages[m].IsPrompt() {
			start = m
			n--
		}
	}
	if n > 0 {
		return 0 // fewer exchanges than that: all are protected
	}
	return start
}
