package replay

import (
	"slices"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// Break is the sum of the tokens paid again for one cause:
//
//   - "idle": the cache entry expired before the call
//   - "system": nothing was read, without a pause: system prompt or tools changed
//   - "edit": only a start of the previous prompt was read: an earlier message changed
//   - "compaction": the agent or the policy compacted the conversation
//   - "two_sessions": another session or subagent in turn with this one
//   - "no_breakpoint": tokens of the previous prompt that were never written to the cache
//   - "lookback": the replay found no entry within the 20 blocks that the provider looks back
//   - "model": another model, with a cache of its own
type Break struct {
	Cause  string `json:"cause"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"`
	Cost   int    `json:"cost"` // more than reading them from the cache
}

// CallBreak is what one call paid again for one cause, see Break.
type CallBreak struct {
	Cause  string `json:"cause"`
	Tokens int    `json:"tokens"`
	Cost   int    `json:"cost"` // more than reading them from the cache
}

// minBreak is the smallest number of tokens that counts as a break: fewer are not cached alone.
const minBreak = models.DefaultMinCacheTokens

// breaks compares each call with those before it.
type breaks struct {
	previous, earlier *msg.Usage
	model             string // of the previous call
}

// add sets the breaks of a call: by the usage in the log if there is no compaction, else by the bill of the replay.
func (x *breaks) add(call *Call, r *round, p models.Price) {
	u := &msg.Usage{Input: call.Input, CacheRead: call.CacheRead, CacheWrite: call.CacheWrite}
	if r.w.o.None && r.w.uses > 0 {
		u = call.API
	}
	if u == nil || u.Prompt() == 0 {
		return
	}
	p = p.At(u.Prompt())
	if x.previous != nil {
		last, inTurn := x.previous, call.API != nil && alternates(u, x.previous, x.earlier)
		if inTurn {
			last = x.earlier
		}
		cached := last.CacheRead + last.CacheWrite
		if !hasBreakpoints(r.w.c.Format) || r.w.automatic {
			cached = last.Prompt() // an automatic cache has all of it
		}
		lost := min(cached, u.Prompt()) - u.CacheRead
		if lost >= minBreak {
			call.addBreak(x.cause(call, r, u, last, inTurn), lost, u, p)
		}
		never := min(last.Prompt(), u.Prompt()) - u.CacheRead - max(lost, 0)
		if never >= minBreak && last.Prompt() >= promptcache.Minimum(r.model) {
			call.addBreak("no_breakpoint", never, u, p)
		}
	}
	x.previous, x.earlier, x.model = u, x.previous, r.model
}

func (c *Call) addBreak(cause string, lost int, u *msg.Usage, p models.Price) {
	paid := bill{input: lost}
	if u.CacheWrite > 0 {
		paid = bill{write5m: lost}
	}
	c.Breaks = append(c.Breaks, CallBreak{cause, lost, cost(p, paid, 0) - cost(p, bill{read: lost}, 0)})
}

// sumBreaks sums the breaks of the calls with usage by cause.
func sumBreaks(calls []Call) []Break {
	sums := []Break{}
	for i := range calls {
		if calls[i].API == nil {
			continue
		}
		for _, b := range calls[i].Breaks {
			k := slices.IndexFunc(sums, func(s Break) bool { return s.Cause == b.Cause })
			if k < 0 {
				k = len(sums)
				sums = append(sums, Break{Cause: b.Cause})
			}
			sums[k].Calls++
			sums[k].Tokens += b.Tokens
			sums[k].Cost += b.Cost
		}
	}
	return sums
}

// alternates reports that a call continues the one before the previous, which was much larger or smaller.
func alternates(u, previous, earlier *msg.Usage) bool {
	if earlier == nil {
		return false
	}
	low, high := min(u.Prompt(), earlier.Prompt()), max(u.Prompt(), earlier.Prompt())
	return previous.Prompt() < low/2 || previous.Prompt() > 2*high
}

// cause returns the cause of a cache miss, see Break. last is the call that this one continues.
func (x *breaks) cause(call *Call, r *round, u, last *msg.Usage, inTurn bool) string {
	w := r.w
	ttl := promptcache.Lifetime(&msg.Cache{TTL: w.o.TTL})
	if automatic, ok := w.account.caches[r.model].(*automaticCache); ok {
		ttl = automatic.ttlMillis / 1000
	}
	switch {
	case call.IdleSec >= ttl:
		return "idle"
	case inTurn:
		return "two_sessions"
	case r.model != x.model:
		return "model"
	case call.Freed != 0 || u.Prompt() < last.Prompt()/2:
		return "compaction"
	case call.API == nil:
		return "lookback" // the replay changes nothing else
	case u.CacheRead < minBreak:
		return "system"
	}
	return "edit"
}
