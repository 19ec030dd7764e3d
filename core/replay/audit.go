package replay

import (
	"slices"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Audited is what a session cost, why, and what compaction would have changed. Costs are in millionths of a dollar.
type Audited struct {
	Used
	Compacted int      `json:"compacted"`  // under the policy, with what is read again: Misses.Cost
	Saved     int      `json:"saved"`      // the difference; negative if compaction would have cost more
	Misses    Misses   `json:"misses"`     // under the policy
	Over      int      `json:"overWindow"` // calls without compaction that are larger than the window
	Breaks    []Break  `json:"breaks"`     // tokens paid again, by cause; by the usage in the log, empty without it
	Fixed     int      `json:"fixed"`      // tokens of each call for system prompt and tools, the hidden ones included
	FixedCost int      `json:"fixedCost"`  // of reading them from the cache at each call
	Servers   []Server `json:"servers"`    // the tool servers whose definitions the session has; part of Fixed
	// as in Report
	Agent *msg.Agent `json:"agent,omitempty"`
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
	log, err := replayed(c, p, o)
	if err != nil {
		return nil, err
	}
	base := log.report
	o.None = false
	with, err := Replay(c, p, o)
	if err != nil {
		return nil, err
	}
	a := &Audited{Used: *log.used(c, with), Compacted: with.Misses.Cost, Saved: base.Totals.Cost - with.Misses.Cost,
		Misses: with.Misses, Over: base.Totals.OverWindow, Breaks: sumBreaks(base.Calls), Servers: []Server{},
		Agent: base.Agent}
	price, _ := priceOf(base.Model, c.Format)
	if o.Prices != nil {
		price = *o.Prices
	}
	price = price.Times(base.Multipliers)
	a.addFixed(c, base, price, o.Count)
	return a, nil
}

// addFixed measures what every call holds besides messages.
func (a *Audited) addFixed(c *msg.Conversation, base *Report, price models.Price, count tokens.Counter) {
	long := price.At(base.Totals.Peak) // of the calls with a long prompt, if there are any
	n := base.longCalls(price)
	read := func(count int) int {
		return cost(price, bill{read: count * (a.Calls - n)}, 0) + cost(long, bill{read: count * n}, 0)
	}
	meter := tokens.NewMeter(count, c)
	counts := meter.Conversation(c.WithMessages(nil))
	a.Fixed = counts.System + counts.Tools + base.Hidden
	a.FixedCost = read(a.Fixed)
	for i := range c.Tools {
		name := serverOf(c.Tools[i].Name)
		if name == "" {
			continue
		}
		k := slices.IndexFunc(a.Servers, func(s Server) bool { return s.Name == name })
		if k < 0 {
			k = len(a.Servers)
			a.Servers = append(a.Servers, Server{Name: name})
		}
		a.Servers[k].Tools++
		a.Servers[k].Tokens += meter.Tool(&c.Tools[i])
	}
	for k := range a.Servers {
		a.Servers[k].Cost = read(a.Servers[k].Tokens)
	}
}
