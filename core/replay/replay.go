package replay

import (
	"slices"
	"strconv"

	"tamp/core"
	"tamp/core/anchor"
	"tamp/core/msg"
	"tamp/core/quality"
	"tamp/core/tokens"
)

// Replay tells what the session c would have sent and cost under policy p. c itself is not changed. The errors are bad_policy,
// bad_request, for options that there are not, too_much_work, and what Options.Summarize returns; what goes wrong with the policy at one call is
// in that call.
func Replay(c *msg.Conversation, p core.Policy, o Options) (*Report, error) {
	w, err := newWalk(c, p, o)
	if err != nil {
		return nil, err
	}
	answers := w.answers()
	for n, m := range answers {
		if o.Progress != nil && !o.Progress(n, len(answers)) {
			w.report.Stopped = true
			break
		}
		if err := w.call(n+1, m); err != nil {
			return nil, err
		}
	}
	if o.Progress != nil && !w.report.Stopped {
		o.Progress(len(answers), len(answers))
	}
	w.finish()
	return w.report, nil
}

// At is the conversation as the model would have seen it at a call, which counts from 1: the prompt that Replay accounts for, without
// the breakpoints that it sets.
func At(c *msg.Conversation, p core.Policy, o Options, call int) (*msg.Conversation, error) {
	w, err := newWalk(c, p, o)
	if err != nil {
		return nil, err
	}
	answers := w.answers()
	if call < 1 || call > len(answers) {
		return nil, msg.NewError(msg.BadRequest, "/call", "cannot replay up to call "+strconv.Itoa(call)+": the session has "+
			strconv.Itoa(len(answers)))
	}
	for n, m := range answers[:call] {
		if o.Progress != nil && !o.Progress(n, call) {
			return nil, msg.NewError(msg.BadRequest, "/call", "cannot replay up to call "+strconv.Itoa(call)+": the replay was stopped")
		}
		w.advance(m)
		if err := w.spend(0, m); err != nil {
			return nil, err
		}
		step := Call{Number: n + 1, Message: m}
		w.tick(&step)
		if err := w.compact(&step); err != nil {
			return nil, err
		}
	}
	return w.now(), nil
}

// walk is a replay under way.
type walk struct {
	c       *msg.Conversation // the session, under the model that is asked for, without usage
	usage   []*msg.Usage      // of its messages
	p       *core.Policy
	o       *Options
	env     core.Env
	reader  *reader
	cache   cache
	price   tokens.Price
	summary tokens.Price
	report  *Report

	session *core.Session   // what the agent holds: of the call before, compacted, and what came since; nil without compaction
	changed bool            // something was compacted
	fresh   bool            // the session is not the one of the call before, grown
	growing *anchor.Incremental // the breakpoints of a session without compaction
	next    int             // the first message of c that it does not hold yet
	before  int             // tokens of c up to there
	clock   int             // of the last call, in milliseconds since the first
	work    int             // so far, as Options.MaxWork counts it
	epoch   int             // when the clock was 0, in milliseconds since 1970; 0 as long as the log did not say
}

func newWalk(c *msg.Conversation, p core.Policy, o Options) (*walk, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	c = c.WithMessages(slices.Clone(c.Messages))
	if o.Model != "" {
		c.Model = o.Model
	}
	usage := make([]*msg.Usage, len(c.Messages))
	for m := range c.Messages {
		usage[m], c.Messages[m].Usage = c.Messages[m].Usage, nil // it counted another conversation than the one that is carried
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if o.Count == nil {
		o.Count = tokens.Estimate
	}
	w := &walk{c: c, usage: usage, p: &p, o: &o}
	w.env.Count = new(tokens.Memory).Counter(o.Count) // each text is counted once
	w.env.Lean = true
	w.reader = newReader(tokens.NewMeter(w.env.Count, c), c)
	w.before = w.reader.counts.Total
	lives := 1000 * anchor.Lifetime(&msg.Cache{TTL: o.TTL})
	w.cache = &automatic{lives: lives}
	if w.hasBreakpoints() {
		w.cache = &breakpoints{least: anchor.Minimum(c.Model), entries: map[msg.Mix]entry{}}
	}
	var priced bool
	w.price, priced = priceOf(c.Model, c.Format)
	w.summary = w.price
	if o.SummaryModel != "" {
		w.summary, _ = priceOf(o.SummaryModel, c.Format)
	}
	w.report = &Report{Preset: NoPreset, Model: c.Model, Priced: priced, Counter: o.Count.Name(), Window: tokens.WindowOf(c.Model), Calls: []Call{}}
	if o.None {
		return w, nil
	}
	w.report.Preset = p.Preset
	w.report.lines(&p)
	return w, w.hold(c.WithMessages(nil), "")
}

// hasBreakpoints reports a format whose provider caches where it is asked to. A session log of Claude Code is no request, but
// its messages were sent as such.
func (w *walk) hasBreakpoints() bool {
	return w.c.Format == msg.Anthropic || w.c.Format == msg.ClaudeCode
}

// answers lists the messages that a model call made.
func (w *walk) answers() []int {
	var all []int
	for m := range w.c.Messages {
		if w.c.Messages[m].Role == msg.Assistant && !isSynthetic(&w.c.Messages[m]) {
			all = append(all, m)
		}
	}
	return all
}

// isSynthetic reports an answer that the agent wrote in the model's place (Claude Code, after an interruption): no call was made.
func isSynthetic(m *msg.Message) bool {
	return m.Raw.Member("message").Member("model").Text() == "<synthetic>"
}

// advance carries on up to the answer of the next call.
func (w *walk) advance(answer int) {
	if w.session != nil {
		w.session.Append(w.c.Messages[w.next:answer])
	}
	before, messages := w.before, answer-w.next
	for ; w.next < answer; w.next++ {
		w.before += w.reader.message(&w.c.Messages[w.next]).count.Tokens
	}
	w.work += workOf(w.before-before, messages)
}

// workOf is the work of going through so many messages with so many tokens in all.
func workOf(tokens, messages int) int { return tokens + 16*messages }

// spend refuses work over the limit. answer is the message of the call that the work is for.
func (w *walk) spend(work, answer int) error {
	w.work += work
	if w.o.MaxWork > 0 && w.work > w.o.MaxWork {
		return msg.NewError(msg.TooMuchWork, w.c.Messages[answer].Path, "cannot replay further: the work is over the limit of "+
			strconv.Itoa(w.o.MaxWork)+" tokens; replay a shorter session, or a policy that compacts less often")
	}
	return nil
}

// hold goes on with a conversation.
func (w *walk) hold(c *msg.Conversation, state core.State) (err error) {
	w.fresh = true
	w.session, err = core.NewSession(c, state, *w.p, w.env.Count)
	return err
}

// now is the conversation as it is carried.
func (w *walk) now() *msg.Conversation {
	if w.session == nil {
		return w.c.WithMessages(w.c.Messages[:w.next:w.next])
	}
	return w.session.Conversation()
}

// call accounts for one model call.
func (w *walk) call(number, answer int) error {
	w.advance(answer)
	if err := w.spend(0, answer); err != nil {
		return err
	}
	call := Call{Number: number, Message: answer, Uncompacted: w.before, API: w.usage[answer]}
	w.tick(&call)
	if err := w.compact(&call); err != nil {
		return err
	}
	c := w.now()
	q, counts := w.reader.read(c, !w.fresh)
	w.fresh = false
	if err := w.anchor(c, &q, counts); err != nil {
		return err
	}
	b := w.cache.send(q, w.clock)
	call.Sent, call.CacheRead, call.CacheWrite, call.Input = q.total, b.read, b.write5m+b.write1h, b.input
	call.Output = w.reader.message(&w.c.Messages[answer]).count.Tokens
	call.Cost = call.SummaryCost + cost(w.price, b, call.Output)
	w.report.Calls = append(w.report.Calls, call)
	w.report.Totals.add(&call, w.report.Window)
	return nil
}

// anchor notes the breakpoints of a request, where they make a difference.
func (w *walk) anchor(c *msg.Conversation, q *request, counts *tokens.Counts) error {
	if !w.hasBreakpoints() {
		return nil
	}
	switch w.o.Breakpoints {
	case AsTheyStand:
		q.mark(c, true)
		return nil
	case Automatic:
		asked := *c
		asked.Cache = &msg.Cache{Type: "ephemeral", TTL: w.o.TTL}
		q.mark(&asked, false)
		return nil
	}
	if w.session != nil {
		marks, err := w.session.Breakpoints(w.env, w.o.TTL)
		q.set(c, marks)
		return err
	}
	asked := *c
	asked.Format = msg.Anthropic // as it was sent
	if w.growing == nil {
		var err error
		if w.growing, err = anchor.NewIncremental(&asked, anchor.Options{TTL: w.o.TTL, Count: w.env.Count}); err != nil {
			return err
		}
	}
	q.set(c, w.growing.Rank(&asked, counts, len(c.Messages), w.env.IdleSec))
	return nil
}

// finish compares the session with what is left of it.
func (w *walk) finish() {
	if !w.report.Stopped {
		w.advance(len(w.c.Messages))
	}
	whole := w.c.WithMessages(w.c.Messages[:w.next])
	f := &w.report.Facts
	all := quality.Compare(whole, w.c.WithMessages(nil))
	f.All = all.Kept + all.Lost
	f.Kept, f.Permille = f.All, 1000
	if w.changed && f.All > 0 {
		f.Kept -= quality.Compare(whole, w.now()).Lost
		f.Permille = f.Kept * 1000 / f.All
	}
}
