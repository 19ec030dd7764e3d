package replay

import (
	"slices"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// fit converts our counts of a segment to tokens of the API.
type fit struct {
	hidden int // tokens of each call that the log does not show: system prompt, tools, reminders
	factor int // permille; 0 means 1000
}

// tokens converts a count of a whole prompt.
func (f fit) tokens(count int) int { return f.hidden + f.scale(count) }

// scale converts a count of a part of a prompt.
func (f fit) scale(count int) int {
	if f.factor == 0 {
		return count
	}
	return int((int64(count)*int64(f.factor) + 500) / 1000)
}

// counted returns a limit of requests in our counts.
func (f fit) counted(t *policy.Triggers, limit int) int {
	factor := 1000
	if t.Measure == "counter" && f.factor > 0 {
		factor = f.factor
	}
	return max(int(int64(limit-f.hidden)*1000/int64(factor)), limit/4)
}

// policy returns the policy with its limits in our counts: the window has less room by the hidden tokens. At least a
// quarter of each limit is left.
func (f fit) policy(p *policy.Policy, model string) policy.Policy {
	q := *p
	if f == (fit{}) {
		return q
	}
	counted := func(limit int) int { return f.counted(&p.Trigger, limit) }
	if q.Trigger.Window == 0 {
		q.Trigger.Window = models.WindowOf(model)
	}
	q.Trigger.Window = counted(q.Trigger.Window)
	if q.Trigger.Measure == "counter" && q.Trigger.Tokens > 0 {
		q.Trigger.Tokens = counted(q.Trigger.Tokens)
	}
	return q
}

// fitUsage fits every segment to the usage of its calls, and decides whether the usage is the bill: not if another
// model was requested.
func (w *replayer) fitUsage() {
	written := false
	for i := range w.segments {
		s := &w.segments[i]
		if w.o.Hidden != nil {
			s.fit.hidden = *w.o.Hidden
		}
		if w.o.IgnoreUsage || !slices.ContainsFunc(s.usage, func(u *msg.Usage) bool { return u != nil }) {
			continue
		}
		counter := newReader(w.meter, s.c, fit{}, w.infos)
		var points []tokens.Point
		for _, m := range s.answers {
			counter.extend(&counter.counts, s.c, m)
			u := s.usage[m]
			if u == nil || u.Prompt() == 0 {
				continue
			}
			points = append(points, tokens.Point{Count: counter.counts.Total, Prompt: u.Prompt()})
			w.cached = w.cached || u.CacheRead+u.CacheWrite > 0
			written = written || u.CacheWrite > 0
			w.uses++
		}
		if len(points) > 0 {
			factor, hidden := tokens.Fit(points)
			if s.fit.factor = factor; w.o.Hidden == nil {
				s.fit.hidden = hidden
			}
		}
	}
	w.automatic = w.fromUsage() && w.uses > 1 && w.cached && !written
}

// fromUsage reports that the costs of the log are known from the usage of its calls.
func (w *replayer) fromUsage() bool { return w.uses > 0 && w.o.Model == "" }

// uncached reports a log whose agent did not use the prompt cache, by the usage of its calls.
func (w *replayer) uncached() bool { return w.fromUsage() && w.uses > 1 && !w.cached }

// setLifetimes sets the lifetimes of the breakpoints by the usage of the log. The breakpoint of the hidden system
// prompt lives an hour if any token was written for an hour, the other breakpoints if most tokens were. A call that
// writes nothing has the lifetimes of the call before it.
func (a *account) setLifetimes(q *request, u *msg.Usage) {
	if u != nil && u.CacheWrite > 0 {
		a.systemHour, a.hour = u.CacheWrite1h > 0, 2*u.CacheWrite1h > u.CacheWrite
	}
	for i := range q.breakpoints {
		m := &q.breakpoints[i]
		if a.hour || a.systemHour && m.place == 0 && a.w.fit.hidden > 0 {
			m.ttlMillis = 1000 * promptcache.Lifetime(&msg.Cache{TTL: promptcache.OneHour})
		}
	}
}
