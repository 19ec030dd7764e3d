package replay

import (
	"slices"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/promptcache"
)

// minBreak is the smallest number of tokens that counts as a break: fewer are not cached alone.
const minBreak = models.DefaultMinCacheTokens

// breaks compares each call with those before it.
type breaks struct {
	previous, earlier *msg.Usage
	model             string // of the previous call
}

// conditions are what a call met: its model, and the cache of the model.
type conditions struct {
	model   string
	byUsage bool // the usage in the log counts: there is no compaction
	whole   bool // an automatic cache, which has all of the previous prompt
	ttl     int  // of its entries, in seconds
}

// addCall sets the breaks of a call: by the usage in the log, else by the bill of the replay.
func (x *breaks) addCall(call *Call, met conditions, p models.Price) {
	u := &msg.Usage{Input: call.Input, CacheRead: call.CacheRead, CacheWrite: call.CacheWrite}
	if met.byUsage {
		u = call.API
	}
	if u == nil || u.Prompt() == 0 {
		return
	}
	p = p.At(u.Prompt())
	if x.previous != nil {
		known := call.Request != nil && !call.Request.first
		last, inTurn := x.previous, !known && call.API != nil && alternates(u, x.previous, x.earlier)
		if inTurn {
			last = x.earlier
		}
		cached := last.CacheRead + last.CacheWrite
		if met.whole {
			cached = last.Prompt()
		}
		lost := min(cached, u.Prompt()) - u.CacheRead
		if lost >= minBreak {
			call.Breaks = append(call.Breaks, newBreak(x.cause(call, met, u, last, inTurn), lost, u, p))
		}
		never := min(last.Prompt(), u.Prompt()) - u.CacheRead - max(lost, 0)
		if never >= minBreak && last.Prompt() >= promptcache.Minimum(met.model) {
			call.Breaks = append(call.Breaks, newBreak("no_breakpoint", never, u, p))
		}
	}
	x.previous, x.earlier, x.model = u, x.previous, met.model
}

func newBreak(cause string, lost int, u *msg.Usage, p models.Price) CallBreak {
	paid := bill{input: lost}
	if u.CacheWrite > 0 {
		paid = bill{write5m: lost}
	}
	return CallBreak{cause, lost, cost(p, paid, 0) - cost(p, bill{read: lost}, 0)}
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
func (x *breaks) cause(call *Call, met conditions, u, last *msg.Usage, inTurn bool) string {
	r := call.Request
	switch known := r != nil && !r.first; {
	case call.IdleSec >= met.ttl:
		return "idle"
	case known && met.model == x.model:
		return r.cause(u.Prompt() < last.Prompt()/2)
	case inTurn:
		return "two_sessions"
	case met.model != x.model:
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

// cause returns what the request changed of the one before it. A provider compares tools, system prompt and messages in
// this order.
func (r *CallRequest) cause(shorter bool) string {
	switch {
	case r.System || r.Tools:
		return "system"
	case r.Kept < r.Before && shorter:
		return "compaction"
	case r.Kept < r.Before:
		return "edit"
	}
	return "evicted"
}
