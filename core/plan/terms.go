package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/view"
)

// termsOf returns the prices and the state of the prompt cache before a call. rent is in token-calls.
func termsOf(env *Env, in *view.View, p *policy.Policy, rent int) pass.Terms {
	c := in.Conversation
	price, cache := priceOf(env, c), msg.Cache{TTL: env.TTL}
	if env.TTL == "" {
		cache.TTL = requestTTL(c)
	}
	t := pass.Terms{Read: price.Read, Write: price.Write5m, Rent: rent, RentPermille: p.Clear.RentPermille}
	if in.Counts.Total <= p.Pin.RecentTokens { // all is recent: only what saves at the next call, too, is certain to pay
		t.Rent = 0
	}
	if cache.TTL == promptcache.OneHour {
		t.Write = price.Write1h
	}
	if last := pass.LastRequest(in); env.IdleSec < promptcache.Lifetime(&cache) && last >= promptcache.Minimum(c.Model) {
		t.Cached = last
	}
	return t
}

// requestTTL returns the lifetime of the breakpoints on system prompt and tools, which live longest: "1h" or "".
func requestTTL(c *msg.Conversation) string {
	if c.Cache != nil && c.Cache.TTL == promptcache.OneHour {
		return c.Cache.TTL
	}
	for i := range c.Tools {
		if cache := c.Tools[i].Cache; cache != nil && cache.TTL == promptcache.OneHour {
			return cache.TTL
		}
	}
	for i := range c.System {
		if cache := c.System[i].Cache; cache != nil && cache.TTL == promptcache.OneHour {
			return cache.TTL
		}
	}
	return ""
}

// clearWindow returns the window whose results a sticky policy keeps. An economic policy keeps a quarter of it, since
// most of what a session pays for old results is for those that have just become old, and those that the agent needs
// wait (pass.Reads). After a compaction, whose summaries have less of the results, half of pin.recentTokens is the
// most: in a small window, a part of the window would be less than the summaries.
func clearWindow(p *policy.Policy, in *view.View, m *view.Record) pass.Window {
	w := effectivePolicy(p, in).Pin.Window
	switch {
	case p.Clear.When != pass.Economic:
	case len(m.SummaryKeys) > 0:
		w.RecentTokens = min(w.RecentTokens, p.Pin.RecentTokens/2)
	default:
		w.RecentTokens /= 4
	}
	return w
}
