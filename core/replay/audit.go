package replay

import (
	"slices"
	"strings"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// Audited is what a session cost, why, and what compaction would have changed. Costs are in millionths of a dollar.
type Audited struct {
	Format    string   `json:"format"`            // of the agent's log
	Model     string   `json:"model"`             // "" if unknown
	Priced    bool     `json:"priced"`            // the model's price is known; else it is that of a mid-range model
	Project   string   `json:"project,omitempty"` // the working directory in the log
	Start     int      `json:"start,omitempty"`   // of the first call, in milliseconds since 1970; 0 without timestamps
	End       int      `json:"end,omitempty"`     // of the last call
	Calls     int      `json:"calls"`
	Cost      int      `json:"cost"`       // without compaction
	Compacted int      `json:"compacted"`  // under the policy
	Saved     int      `json:"saved"`      // the difference; negative if compaction would have cost more
	Facts     int      `json:"facts"`      // permille of the facts that the policy keeps
	Over      int      `json:"overWindow"` // calls without compaction that are larger than the window
	Breaks    []Break  `json:"breaks"`     // tokens paid again, by cause; by the usage in the log, empty without it
	Fixed     int      `json:"fixed"`      // tokens of each call for system prompt and tools, the hidden ones included
	FixedCost int      `json:"fixedCost"`  // of reading them from the cache at each call
	Servers   []Server `json:"servers"`    // the tool servers whose definitions the session has; part of Fixed
}

// Break is the sum of the tokens paid again for one cause:
//
//   - "idle": the cache entry expired before the call
//   - "system": nothing was read, without a pause: system prompt or tools changed
//   - "edit": only a start of the previous prompt was read: an earlier message changed
//   - "compaction": the agent compacted the conversation
//   - "two_sessions": another session or subagent in turn with this one
//   - "no_breakpoint": tokens of the previous prompt that were never written to the cache
type Break struct {
	Cause  string `json:"cause"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"`
	Cost   int    `json:"cost"` // more than reading them from the cache
}

// Server is the overhead of a tool server: tools whose names begin with mcp__ and its name.
type Server struct {
	Name   string `json:"name"`
	Tools  int    `json:"tools"`
	Tokens int    `json:"tokens"` // of their definitions, in each call
	Cost   int    `json:"cost"`   // of reading them from the cache at each call
}

// Audit replays the session c with policy p and without compaction, and divides what the log paid again by cause. The
// errors are those of Replay. A session without calls has only zeros.
func Audit(c *msg.Conversation, p policy.Policy, o Options) (*Audited, error) {
	o.None = true
	base, err := Replay(c, p, o)
	if err != nil {
		return nil, err
	}
	o.None = false
	with, err := Replay(c, p, o)
	if err != nil {
		return nil, err
	}
	price, priced := priceOf(base.Model, c.Format)
	if o.Prices != nil {
		price, priced = *o.Prices, true
	}
	a := &Audited{Format: c.Format, Model: base.Model, Priced: priced, Calls: base.Totals.Calls, Cost: base.Totals.Cost,
		Compacted: with.Totals.Cost, Saved: base.Totals.Cost - with.Totals.Cost, Facts: with.Facts.Permille,
		Over: base.Totals.OverWindow, Breaks: []Break{}, Servers: []Server{}}
	for i := range c.Messages {
		if a.Project = c.Messages[i].Raw.Member("cwd").Text(); a.Project != "" {
			break
		}
	}
	for i := range base.Calls {
		if at := base.Calls[i].Time; at > 0 {
			a.End = max(a.End, at)
			if a.Start == 0 {
				a.Start = at
			}
		}
	}
	a.addBreaks(base.Calls, price, promptcache.Lifetime(&msg.Cache{TTL: o.TTL}))
	a.addFixed(c, base.Hidden, price, o.Count)
	return a, nil
}

// minBreak is the smallest number of tokens that counts as a break: fewer are not cached alone.
const minBreak = models.DefaultMinCacheTokens

// addBreaks compares the usage of each call with that of the calls before it.
func (a *Audited) addBreaks(calls []Call, price models.Price, ttl int) {
	var previous, earlier *msg.Usage
	for i := range calls {
		u := calls[i].API
		if u == nil || u.Prompt() == 0 {
			continue
		}
		if previous != nil {
			last, inTurn := previous, alternates(u, previous, earlier)
			if inTurn {
				last = earlier
			}
			lost := min(last.CacheRead+last.CacheWrite, u.Prompt()) - u.CacheRead
			if lost >= minBreak {
				a.addBreak(causeOf(u, last, calls[i].IdleSec >= ttl, inTurn), lost, u, price)
			}
			if never := min(last.Prompt(), u.Prompt()) - u.CacheRead - max(lost, 0); never >= minBreak {
				a.addBreak("no_breakpoint", never, u, price)
			}
		}
		previous, earlier = u, previous
	}
}

// alternates reports that a call continues the one before the previous, which was much larger or smaller.
func alternates(u, previous, earlier *msg.Usage) bool {
	if earlier == nil {
		return false
	}
	low, high := min(u.Prompt(), earlier.Prompt()), max(u.Prompt(), earlier.Prompt())
	return previous.Prompt() < low/2 || previous.Prompt() > 2*high
}

// causeOf returns the cause of a cache miss, see Break. last is the call that this one continues.
func causeOf(u, last *msg.Usage, idle, inTurn bool) string {
	switch {
	case idle:
		return "idle"
	case inTurn:
		return "two_sessions"
	case u.Prompt() < last.Prompt()/2:
		return "compaction"
	case u.CacheRead < minBreak:
		return "system"
	}
	return "edit"
}

func (a *Audited) addBreak(cause string, lost int, u *msg.Usage, price models.Price) {
	i := slices.IndexFunc(a.Breaks, func(b Break) bool { return b.Cause == cause })
	if i < 0 {
		i = len(a.Breaks)
		a.Breaks = append(a.Breaks, Break{Cause: cause})
	}
	paid := bill{input: lost}
	if u.CacheWrite > 0 {
		paid = bill{write5m: lost}
	}
	b := &a.Breaks[i]
	b.Calls++
	b.Tokens += lost
	b.Cost += cost(price, paid, 0) - cost(price, bill{read: lost}, 0)
}

// addFixed measures what every call holds besides messages. hidden is what the log does not show.
func (a *Audited) addFixed(c *msg.Conversation, hidden int, price models.Price, count tokens.Counter) {
	meter := tokens.NewMeter(count, c)
	counts := meter.Conversation(c.WithMessages(nil))
	a.Fixed = counts.System + counts.Tools + hidden
	a.FixedCost = cost(price, bill{read: a.Fixed * a.Calls}, 0)
	for i := range c.Tools {
		rest, ok := strings.CutPrefix(c.Tools[i].Name, "mcp__")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, "__")
		k := slices.IndexFunc(a.Servers, func(s Server) bool { return s.Name == name })
		if k < 0 {
			k = len(a.Servers)
			a.Servers = append(a.Servers, Server{Name: name})
		}
		a.Servers[k].Tools++
		a.Servers[k].Tokens += meter.Tool(&c.Tools[i])
	}
	for k := range a.Servers {
		a.Servers[k].Cost = cost(price, bill{read: a.Servers[k].Tokens * a.Calls}, 0)
	}
}
