package replay

import (
	"slices"
	"strconv"

	"tamp/core"
	"tamp/core/internal/hash"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/quality"
	"tamp/core/tokens"
)

// Replay computes what the session c would have sent and cost under policy p. c itself is not changed. The errors are
// bad_policy, bad_request (invalid options), too_much_work, and those of Options.Summarize. A policy that fails at one
// call is not an error: Call.Error reports it.
func Replay(c *msg.Conversation, p core.Policy, o Options) (*Report, error) {
	w, err := newReplayer(c, p, o)
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

// At returns the conversation that the model would have received at a call, counted from 1: the prompt that Replay
// accounts for, without the breakpoints that it sets. The errors are those of Replay, and bad_request for a call that
// does not exist.
func At(c *msg.Conversation, p core.Policy, o Options, call int) (*msg.Conversation, error) {
	w, err := newReplayer(c, p, o)
	if err != nil {
		return nil, err
	}
	answers := w.answers()
	if call < 1 || call > len(answers) {
		return nil, msg.NewError(msg.BadRequest, "/call",
			"cannot replay up to call "+strconv.Itoa(call)+": the session has "+
				strconv.Itoa(len(answers)))
	}
	for n, m := range answers[:call] {
		if o.Progress != nil && !o.Progress(n, call) {
			return nil, msg.NewError(msg.BadRequest, "/call",
				"cannot replay up to call "+strconv.Itoa(call)+": the replay was stopped")
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
	return w.conversation(), nil
}

// replayer is the state of a replay.
type replayer struct {
	c       *msg.Conversation // the session, with the requested model and without usage
	usage   []*msg.Usage      // of its messages
	p       *core.Policy
	o       *Options
	env     core.Env
	reader  *reader
	cache   cache
	price   tokens.Price
	summary tokens.Price
	report  *Report

	session     *core.Session            // the carried conversation; nil without compaction
	changed     bool                     // a compaction has changed the conversation
	replaced    bool                     // the conversation was replaced since the previous call, not only extended
	incremental *promptcache.Incremental // places the breakpoints without compaction
	next        int                      // the first message of c that is not appended yet
	uncompacted int                      // tokens of c up to next
	clock       int                      // time of the last call, in milliseconds since the first
	work        int                      // work so far, see Options.MaxWork
	epoch       int                      // time at which clock was 0, in milliseconds since 1970; 0 before the first timestamp
}

func newReplayer(c *msg.Conversation, p core.Policy, o Options) (*replayer, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	c = c.WithMessages(slices.Clone(c.Messages))
	if o.Model != "" {
		c.Model = o.Model
	}
	usage := make([]*msg.Usage, len(c.Messages))
	for m := range c.Messages {
		usage[m], c.Messages[m].Usage = c.Messages[m].Usage, nil // the usage is that of the uncompacted conversation
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if o.Count == nil {
		o.Count = tokens.Estimate
	}
	w := &replayer{c: c, usage: usage, p: &p, o: &o}
	w.env.Count = new(tokens.Memory).Counter(o.Count) // counts each text once
	w.env.Lean = true
	w.reader = newReader(tokens.NewMeter(w.env.Count, c), c)
	w.uncompacted = w.reader.counts.Total
	ttlMillis := 1000 * promptcache.Lifetime(&msg.Cache{TTL: o.TTL})
	w.cache = &automaticCache{ttlMillis: ttlMillis}
	if w.hasBreakpoints() {
		w.cache = &explicitCache{minTokens: promptcache.Minimum(c.Model), entries: map[hash.Hash128]entry{}}
	}
	var priced bool
	w.price, priced = priceOf(c.Model, c.Format)
	w.summary = w.price
	if o.SummaryModel != "" {
		w.summary, _ = priceOf(o.SummaryModel, c.Format)
	}
	w.report = &Report{Preset: NoPreset, Model: c.Model, Priced: priced, Counter: o.Count.Name(),
		Window: tokens.WindowOf(c.Model), Calls: []Call{}}
	if o.None {
		return w, nil
	}
	w.report.Preset = p.Preset
	w.report.setLimits(&p)
	return w, w.setConversation(c.WithMessages(nil), "")
}

// hasBreakpoints reports a format whose provider caches at breakpoints. A session log of Claude Code is not a request,
// but its messages were sent in requests to Anthropic.
func (w *replayer) hasBreakpoints() bool {
	return w.c.Format == msg.Anthropic || w.c.Format == msg.ClaudeCode
}

// answers returns the indices of the messages that are answers of model calls.
func (w *replayer) answers() []int {
	var all []int
	for m := range w.c.Messages {
		if w.c.Messages[m].Role == msg.Assistant && !isSynthetic(&w.c.Messages[m]) {
			all = append(all, m)
		}
	}
	return all
}

// isSynthetic reports an assistant message that the agent wrote itself (Claude Code, after an interruption): it has no
// call.
func isSynthetic(m *msg.Message) bool {
	return m.Raw.Member("message").Member("model").Text() == "<synthetic>"
}

// advance appends the messages before the answer of the next call.
func (w *replayer) advance(answer int) {
	if w.session != nil {
		w.session.Append(w.c.Messages[w.next:answer])
	}
	before, messages := w.uncompacted, answer-w.next
	for ; w.next < answer; w.next++ {
		w.uncompacted += w.reader.message(&w.c.Messages[w.next]).count.Tokens
	}
	w.work += workOf(w.uncompacted-before, messages)
}

// workOf is the work of reading a number of messages with a number of tokens in total.
func workOf(tokens, messages int) int { return tokens + 16*messages }

// spend adds work and returns too_much_work if the sum is over the limit. answer is the message of the call that needs
// the work.
func (w *replayer) spend(work, answer int) error {
	w.work += work
	if w.o.MaxWork > 0 && w.work > w.o.MaxWork {
		return msg.NewError(msg.TooMuchWork, w.c.Messages[answer].Path,
			"cannot replay further: the work is over the limit of "+
				strconv.Itoa(w.o.MaxWork)+" tokens; replay a shorter session, or a policy that compacts less often")
	}
	return nil
}

// setConversation replaces the carried conversation.
func (w *replayer) setConversation(c *msg.Conversation, state core.State) (err error) {
	w.replaced = true
	w.session, err = core.NewSession(c, state, *w.p, w.env.Count)
	return err
}

// conversation returns the carried conversation.
func (w *replayer) conversation() *msg.Conversation {
	if w.session == nil {
		return w.c.WithMessages(w.c.Messages[:w.next:w.next])
	}
	return w.session.Conversation()
}

// call replays one model call and adds it to the report.
func (w *replayer) call(number, answer int) error {
	w.advance(answer)
	if err := w.spend(0, answer); err != nil {
		return err
	}
	call := Call{Number: number, Message: answer, Uncompacted: w.uncompacted, API: w.usage[answer]}
	w.tick(&call)
	if err := w.compact(&call); err != nil {
		return err
	}
	c := w.conversation()
	q, counts := w.reader.read(c, !w.replaced)
	w.replaced = false
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

// anchor sets the breakpoints of a request, if the format has any.
func (w *replayer) anchor(c *msg.Conversation, q *request, counts *tokens.Counts) error {
	if !w.hasBreakpoints() {
		return nil
	}
	switch w.o.Breakpoints {
	case FromRequest:
		q.readBreakpoints(c, true)
		return nil
	case Automatic:
		asked := *c
		asked.Cache = &msg.Cache{Type: "ephemeral", TTL: w.o.TTL}
		q.readBreakpoints(&asked, false)
		return nil
	}
	if w.session != nil {
		breakpoints, err := w.session.Breakpoints(w.env, w.o.TTL)
		q.setBreakpoints(c, breakpoints)
		return err
	}
	asked := *c
	asked.Format = msg.Anthropic // the format of the request
	if w.incremental == nil {
		var err error
		if w.incremental, err = promptcache.NewIncremental(&asked, promptcache.Options{TTL: w.o.TTL,
			Count: w.env.Count}); err != nil {
			return err
		}
	}
	q.setBreakpoints(c, w.incremental.Rank(&asked, counts, len(c.Messages), w.env.IdleSec))
	return nil
}

// finish compares the facts of the session with those of its last conversation.
func (w *replayer) finish() {
	if !w.report.Stopped {
		w.advance(len(w.c.Messages))
	}
	whole := w.c.WithMessages(w.c.Messages[:w.next])
	f := &w.report.Facts
	all := quality.Compare(whole, w.c.WithMessages(nil))
	f.All = all.Kept + all.Lost
	f.Kept, f.Permille = f.All, 1000
	if w.changed && f.All > 0 {
		f.Kept -= quality.Compare(whole, w.conversation()).Lost
		f.Permille = f.Kept * 1000 / f.All
	}
}
