package pass

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"tamp/core/internal/marker"
	"tamp/core/internal/secrets"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/tokens"
)

// Clearing replaces the content of old tool results by a placeholder. One pass implements all published designs, which
// differ only in which results they protect. The result of a server tool is part of an assistant message and is never
// cleared.

// Clear is the policy of the pass. policy.Preset has the values of each design.
type Clear struct {
	Enabled          bool     `json:"enabled"`
	ConsumedOnly     bool     `json:"consumedOnly"`     // results of an open round do not count as newest ones; none is cleared
	KeepRecent       int      `json:"keepRecent"`       // the number of newest results that stay
	MinChars         int      `json:"minChars"`         // texts of at most this many code points stay
	KeepTools        []string `json:"keepTools"`        // tools whose results stay
	ProtectTokens    int      `json:"protectTokens"`    // the newest results up to this sum (cjk counter) stay; 0 = off
	ProtectExchanges int      `json:"protectExchanges"` // results in the newest exchanges stay; 0 = off
	// nothing happens unless the candidates hold more tokens (cjk) than this
	MinSavings int `json:"minSavings"`
	// nothing happens until the conversation is over this size; 0 = always
	TriggerTokens int `json:"triggerTokens"`
	// replaces triggerTokens: nothing happens until there are more calls than this
	TriggerToolUses int      `json:"triggerToolUses"`
	ClearAtLeast    int      `json:"clearAtLeast"`    // nothing happens unless this many tokens are freed
	ClearToolInputs []string `json:"clearToolInputs"` // tools whose calls lose their input with the result; "*" = all
	Placeholder     string   `json:"placeholder"`     // see marker.Placeholder
	// the lines of a result that stay have a name that no text before has, for each of this number of bytes; 0 = no line
	BytesPerName int `json:"bytesPerName"`
	// cleared results stay cleared; new ones are cleared only if they save more than minSavings
	Sticky bool `json:"sticky"`
	// "" clears when the limits above allow it; "economic" only when it pays, see Terms: includes sticky and replaces
	// minSavings
	When string `json:"when"`
	// with "economic": clear when the rent is this share of the cost of clearing
	RentPermille int `json:"rentPermille"`

	// with sticky: reports whether a result was cleared in an earlier turn
	Was    func(msg.Ref, *msg.Block) bool `json:"-"`
	Waits  func(result int) bool          `json:"-"` // reports whether a result stays for now, by its index; nil: none does
	InUse  func(result int) bool          `json:"-"` // reports the result with the skill in use; nil: none is in use
	Reads  Reads                          `json:"-"` // what a call is about; nil: unknown, and no result waits
	Skill  func(call *msg.Block) string   `json:"-"` // how a call loads a skill; "" if it loads none; nil: none does
	Found  func(result int) Replacement   `json:"-"` // what replaces a result, by its index; nil: it is computed
	Name   func(string) string            `json:"-"` // of an original, if the placeholder has {ref}; nil: only the length matters
	Before int                            `json:"-"` // with sticky: the first message of the recent window, whose results stay
}

// Economic is the value of Clear.When that clears only when it pays.
const Economic = "economic"

// IsSticky reports whether cleared results stay cleared.
func (p *Clear) IsSticky() bool { return p.Sticky || p.When == Economic }

// wasCleared reports whether a result was cleared in an earlier turn and stays so. Invariant: the rules for results
// that the model has not answered and for the recent window come first, so that no State removes what is new.
func (p *Clear) wasCleared(in *Input, ref msg.Ref, b *msg.Block, tool string) bool {
	return p.IsSticky() && p.Was != nil && p.Was(ref, b) && !IsUsers(in, ref, tool)
}

// keeps returns the reason if the results of a tool stay, else "".
func (p *Clear) keeps(in *Input, ref msg.Ref, tool string) string {
	switch {
	case slices.Contains(p.KeepTools, tool):
		return "results of " + tool + " are kept"
	case IsUsers(in, ref, tool):
		return "the user's words"
	}
	return ""
}

// IsUsers reports a result of a tool with the user's words: the answer to a question of the agent, or the reason for
// which a call was rejected.
func IsUsers(in *Input, ref msg.Ref, tool string) bool {
	return provenance.MayQuote(&in.Conversation.Messages[ref.Message], ref.Block) ||
		provenance.AsksUser(tool) && !in.Conversation.At(ref).IsError
}

// minSavings is MinSavings, which an economic policy does not need.
func (p *Clear) minSavings() int {
	if p.When == Economic {
		return 0
	}
	return p.MinSavings
}

// result is one tool result and the decision about it so far.
type result struct {
	ref    msg.Ref
	block  *msg.Block
	tool   string
	before int // tokens
	text   int // tokens of the text alone, by the published rule (cjk); 0 unless a rule needs it
	fate   Fate
	reason string
	chosen bool // may be cleared
	was    bool // cleared in an earlier turn
}

// Trigger returns what the pass waits for: kind is "tool_uses" or "tokens", used the current number, limit the number
// that it must exceed. kind is "" if the pass is off or runs in every turn.
func (p Clear) Trigger(in *Input) (kind string, used, limit int) {
	switch {
	case !p.Enabled:
	case p.TriggerToolUses > 0:
		uses := 0
		for it := in.Conversation.Walk(); it.Next(); {
			block := it.Block
			if block.Kind == msg.KindToolUse && !block.Server {
				uses++
			}
		}
		return "tool_uses", uses, p.TriggerToolUses
	case p.TriggerTokens > 0:
		return "tokens", in.Counts.Total, p.TriggerTokens
	}
	return "", 0, 0
}

// Run returns a decision for every tool result, oldest first.
func (p Clear) Run(in *Input) []Decision {
	if !p.Enabled {
		return nil
	}
	results := p.collect(in, 0)
	p.protect(in, results, msg.OpenRound(in.Conversation))
	if kind, used, limit := p.Trigger(in); kind != "" && used <= limit {
		p.deselect(results, "nothing is cleared before "+strconv.Itoa(limit)+" "+kind+", now "+strconv.Itoa(used))
	}
	decisions := p.decide(in, results)
	if freed := freed(decisions); freed > 0 && freed < p.ClearAtLeast {
		why := "clearing would free " + strconv.Itoa(freed) + " tokens, less than clearAtLeast " +
			strconv.Itoa(p.ClearAtLeast)
		for i := range decisions {
			if decisions[i].Edit != nil {
				decisions[i] = Decision{Ref: decisions[i].Ref, Fate: Kept, Tool: decisions[i].Tool, Reason: why}
			}
		}
	}
	return decisions
}

// Ever returns a decision for each tool result from a message on, by the rules that do not depend on its age: it clears
// the results that this policy clears now or later.
func (p Clear) Ever(in *Input, from int) []Decision {
	if !p.Enabled {
		return nil
	}
	p.ConsumedOnly, p.Sticky, p.When = false, false, ""
	p.KeepRecent, p.ProtectTokens, p.ProtectExchanges = 0, 0, 0
	p.MinSavings, p.TriggerTokens, p.TriggerToolUses, p.ClearAtLeast = 0, 0, 0, 0
	results := p.collect(in, from)
	p.protect(in, results, len(in.Conversation.Messages))
	return p.decide(in, results)
}

// collect lists the tool results from a message on, oldest first.
func (p Clear) collect(in *Input, from int) []result {
	c := in.Conversation
	results := make([]result, 0, in.Pairing.Len())
	for it := c.WalkIn(msg.Span{Start: from, End: len(c.Messages)}); it.Next(); {
		ref := it.Ref
		block, before := in.block(ref)
		if block.Kind == msg.KindToolResult && !block.Server {
			results = append(results, result{ref: ref, block: block, before: before, tool: in.Pairing.ToolName(c, ref)})
		}
	}
	return results
}

// protect applies the rules that protect results, and marks the other results as chosen. The results from message open
// on stay, whatever the policy says: the model has not read them.
func (p Clear) protect(in *Input, results []result, open int) {
	consumedBefore := lastAssistant(in.Conversation)
	newestExchanges := ExchangeStart(in.Conversation, p.ProtectExchanges)
	newest, sum, candidates := 0, 0, 0
	for i := len(results) - 1; i >= 0; i-- {
		r := &results[i]
		r.fate = Pinned
		if p.ConsumedOnly && r.ref.Message >= consumedBefore {
			r.reason = notAnswered
			continue
		}
		if newest++; newest <= p.KeepRecent {
			r.reason = "one of the newest " + strconv.Itoa(p.KeepRecent) + " results"
			continue
		}
		if p.IsSticky() && r.ref.Message >= p.Before {
			r.reason = "in the recent window"
			continue
		}
		if r.was = r.ref.Message < open && p.wasCleared(in, r.ref, r.block, r.tool); r.was {
			r.fate, r.chosen = Kept, true // keep it cleared, so that the prefix does not change between turns
			continue
		}
		if p.InUse != nil && p.InUse(i) {
			r.reason = "the skill in use"
			continue
		}
		if p.Waits != nil && p.Waits(i) {
			r.reason = "it was read for this prompt of the user or for the one before"
			continue
		}
		if r.ref.Message >= newestExchanges {
			r.reason = "in the newest " + strconv.Itoa(p.ProtectExchanges) + " exchanges"
			continue
		}
		if r.reason = p.keeps(in, r.ref, r.tool); r.reason != "" {
			continue
		}
		if p.ProtectTokens > 0 || p.minSavings() > 0 {
			r.text = tokens.CJK.Count(r.block.Text)
			if sum += r.text; p.ProtectTokens > 0 && sum <= p.ProtectTokens {
				r.reason = "within the newest " + strconv.Itoa(p.ProtectTokens) + " tokens of results"
				continue
			}
		}
		if r.ref.Message >= open {
			r.reason = notAnswered
			continue
		}
		r.fate = Kept
		if r.reason = p.stays(r.block, r.tool); r.reason == "" {
			r.chosen = true
			candidates += r.text
		}
	}
	if p.minSavings() > 0 && candidates <= p.minSavings() {
		p.deselect(results,
			"the candidates hold "+strconv.Itoa(candidates)+" tokens, not more than minSavings "+strconv.Itoa(p.MinSavings))
	}
}

const notAnswered = "the model has not answered it yet"

// stays returns the reason if a result stays at any age, else "".
func (p Clear) stays(b *msg.Block, tool string) string {
	_, cleared := marker.CutPlaceholder(b.Text, p.Placeholder, tool)
	switch {
	case cleared:
		return "already cleared"
	case b.IsSummary():
		return "a summary is never compacted again"
	case !b.HasMedia() && !longer(b.Text, p.MinChars):
		return "no longer than " + strconv.Itoa(p.MinChars) + " characters"
	}
	return ""
}

// Replacement is the text in place of a result, and the tokens of the result with it. If the result is better kept, Why
// is the reason.
type Replacement struct {
	Text  string
	After int
	Why   string
}

// replacement returns the placeholder of a result, with the lines that stay below it.
func (p Clear) replacement(in *Input, ref msg.Ref, tool, kept string) (r Replacement) {
	b, before := in.block(ref)
	if r.Text = p.placeholder(in, ref, tool); kept != "" {
		r.Text += "\n" + kept
	}
	if !b.HasMedia() && !longer(b.Text, utf8.RuneCountInString(r.Text)) {
		r.Why = "no longer than its placeholder"
	} else if r.After = in.after(b.WithText(r.Text)); r.After > before {
		r.Why = "its placeholder would cost more tokens" // if the text is a run of spaces, for example
	}
	return r
}

// minNamed is the number of bytes from which a result gets a placeholder with a ref, which is then a twentieth of it,
// and keeps lines. In long sessions, hundreds of placeholders of small results would cost more than what they name is
// worth.
const minNamed = 2000

// placeholder returns the text that replaces a result. That of a skill has its name, whatever the policy says: the
// model may go on under its rules, and has to know that it no longer has them.
func (p Clear) placeholder(in *Input, ref msg.Ref, tool string) string {
	b, before := in.block(ref)
	fields := marker.Placeholder{Tool: tool, Tokens: before, Ref: "0123456789abcdef"}
	template, skill := p.Placeholder, p.skill(in, ref)
	if skill != "" {
		template = marker.PlaceholderLeftOut
	}
	if marker.NeedsRef(template) {
		if len(b.Text) < minNamed && skill == "" {
			return fields.Expand(marker.PlaceholderUsed)
		}
		if p.Name != nil {
			fields.Ref = p.Name(b.Text)
		}
	}
	if call, ok := in.Pairing.Call(ref); ok && p.Reads != nil && marker.NeedsCall(template) {
		call := in.Conversation.At(call)
		fields.About = secrets.Mask(p.Reads(call.Name, call.Text, func(string, string, bool, bool) {}))
	}
	return fields.Expand(template)
}

// skill returns how the call of a result loads a skill; "" if it loads none.
func (p *Clear) skill(in *Input, ref msg.Ref) string {
	if p.Skill == nil {
		return ""
	}
	call, ok := in.Pairing.Call(ref)
	if !ok {
		return ""
	}
	return p.Skill(in.Conversation.At(call))
}

// deselect removes every chosen result from the choice, except those cleared in an earlier turn. why becomes their
// reason.
func (p Clear) deselect(results []result, why string) {
	for i := range results {
		if results[i].chosen && !results[i].was {
			results[i].chosen, results[i].reason = false, why
		}
	}
}

// decide returns the decisions, with edits for the chosen results and, if the policy says so, for the inputs of their
// calls.
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
		var by Replacement
		if p.Found != nil {
			by = p.Found(i)
		} else {
			by = p.replacement(in, r.ref, r.tool, "")
		}
		if by.Why != "" {
			d.Reason = by.Why
		} else {
			d.Fate, d.Reason = Cleared, "an old result of "+r.tool+" that no rule protects"
			d.Edit = &Edit{Message: r.ref.Message, Block: r.ref.Block, Kind: ClearResult, Text: by.Text, Tool: r.tool,
				Tokens: r.before, After: by.After, Reason: d.Reason}
			if call, ok := p.clearInput(in, r, open); ok {
				decisions = append(decisions, call)
			}
		}
		decisions = append(decisions, d)
	}
	return decisions
}

// clearInput decides about the call that a cleared result answers. The assistant message of an open round must be
// sent back unmodified (rule A9_thinking_open), so its calls stay.
func (p Clear) clearInput(in *Input, r *result, open int) (Decision, bool) {
	if !slices.Contains(p.ClearToolInputs, "*") && !slices.Contains(p.ClearToolInputs, r.tool) {
		return Decision{}, false
	}
	ref, ok := in.Pairing.Call(r.ref)
	if !ok || ref.Message >= open {
		return Decision{}, false
	}
	call, before := in.block(ref)
	if call.Bound {
		return Decision{}, false
	}
	if call.Server { // in invalid input, a user's result can answer it; it is part of the assistant's message
		return Decision{}, false
	}
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

// ExchangeStart returns the index of the first message of the newest n exchanges, len(c.Messages) if n is 0.
func ExchangeStart(c *msg.Conversation, n int) int {
	start := len(c.Messages)
	for m := len(c.Messages) - 1; m >= 0 && n > 0; m-- {
		if provenance.IsPrompt(&c.Messages[m]) {
			start = m
			n--
		}
	}
	if n > 0 {
		return 0 // fewer exchanges than that: all are protected
	}
	return start
}
