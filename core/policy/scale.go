package policy

// Limits are the limits of a policy for one conversation, in tokens.
type Limits struct {
	Window int // the context window
	Fixed  int // system prompt and tools, which no compaction changes; 0 unless Trigger.Scale
	Soft   int // compact above this size; 0 = no limit
	Hard   int // the next request must not be larger; 0 = no limit but the window
	Target int // the size after compaction; 0 = just below the limit that fired
}

// LimitsFor returns the limits in a window, for a system prompt and tools of fixed tokens.
//
// With Trigger.Scale, shares are of what can change: soft = fixed + softPermille × (window − fixed), and hard and
// target alike. BufferTokens is then at most a sixteenth of the window, and the hard limit is never below the soft one:
// with fixed numbers, a small window would compact at every second call.
func (t *Triggers) LimitsFor(window, fixed int) Limits {
	if !t.Scale {
		fixed = 0
	}
	fixed = min(fixed, window)
	l := Limits{Window: window, Fixed: fixed}
	share := func(permille int) int {
		if permille == 0 {
			return 0
		}
		return fixed + int(int64(window-fixed)*int64(permille)/1000)
	}
	l.Soft, l.Target = share(t.SoftPermille), share(t.TargetPermille)
	switch {
	case t.HardPermille > 0:
		buffer := t.BufferTokens
		if t.Scale {
			buffer = min(buffer, window/16)
		}
		l.Hard = share(t.HardPermille) - buffer
		if t.Scale {
			l.Hard = max(l.Hard, l.Soft)
		}
	case t.ReserveOutput > 0:
		l.Hard = window - t.ReserveOutput
	}
	return l
}

// Below returns the triggers in a window, for a price that is higher for prompts of more than `above` tokens, 0 for
// none: with LongPrompts, Tokens is at most 15/16 of that, since counts have errors. lowered reports whether Tokens is
// that limit.
func (t Triggers) Below(above, window int) (below Triggers, lowered bool) {
	limit := above - above/16
	if !t.LongPrompts || above == 0 || above >= window || t.Tokens > 0 && t.Tokens <= limit {
		return t, false
	}
	t.Tokens = limit
	return t, true
}

// RecentTokensFor returns Pin.RecentTokens in a window: with Trigger.Scale, at most an eighth of the window without
// system prompt and tools.
func (p *Policy) RecentTokensFor(window, fixed int) int {
	if !p.Trigger.Scale || p.Pin.RecentTokens == 0 {
		return p.Pin.RecentTokens
	}
	return min(p.Pin.RecentTokens, max(window-fixed, 0)/8)
}

// Bounded returns a policy like p for summaries of what the host chose: they are bounded, by the rules of the default
// preset if those of p are not.
func (p *Policy) Bounded() *Policy {
	if p.IsBounded() {
		return p
	}
	bounded := *p
	bounded.Summary = presets[0].Policy.Summary
	return &bounded
}

// IsBounded reports whether the policy bounds its summaries: it condenses old ones, and folds old prompts into
// summaries if the target is missed otherwise.
func (p *Policy) IsBounded() bool {
	return p.Summary.Strategy == "regions" && p.Summary.Granularity == "span" && p.Summary.SummaryPermille > 0
}
