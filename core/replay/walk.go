package replay

import (
	"cmp"
	"slices"
	"strconv"

	"tamp/core"
	"tamp/core/misses"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// replayer is the state of a replay: the walk over the calls. What the requests cost is the work of its accounts.
type replayer struct {
	*sessionLog
	p      *policy.Policy
	o      *Options
	env    core.Env
	meter  tokens.Meter
	prices prices
	report *Report

	// account has the requests of the replay. logged has those of the log, without compaction and as its agent cached
	// them; nil if no usage can be compared with it.
	account, logged *account

	*segment                 // the current one
	session  *core.Session   // the carried conversation; nil without compaction
	misses   *misses.Session // nil if only the costs count
	next     int             // the first message of c that is not appended yet
	whole    tokens.Counts   // of c up to next
	clock    clock
	work     int        // work so far, see Options.MaxWork
	tracks   [][]string // IDs of the calls of each track, see CallBill
	breaks   breaks     // what the calls paid again
}

func newReplayer(c *msg.Conversation, p policy.Policy, o Options) (*replayer, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if o.Count == nil {
		o.Count = tokens.Estimate
	}
	w := &replayer{sessionLog: readLog(c, o.Model), p: &p, o: &o}
	w.env.Count = new(tokens.Memory).Counter(o.Count) // counts each text once
	w.env.Lean, w.env.Thinking = true, o.Thinking
	last, infos := w.last().c, map[messageKey]messageInfo{}
	w.meter = tokens.NewMeter(w.env.Count, last)
	w.fitUsage(&o, w.meter, infos)
	if err := w.setPrices(); err != nil {
		return nil, err
	}
	w.report.Counter = o.Count.Name()
	w.env.TTL, w.env.Price = o.TTL, w.prices.of(last.Model)
	newAccount := func(breakpoints, ttl string) *account {
		return &account{env: &w.env, meter: w.meter, infos: infos, log: w.sessionLog, breakpoints: breakpoints, ttl: ttl,
			caches: map[string]cache{}}
	}
	w.account = newAccount(o.Breakpoints, o.TTL)
	if w.isBill {
		w.report.Basis, w.logged = FromUsage, newAccount("", "")
	}
	if !o.None {
		w.report.Preset = p.Preset
		w.report.Window, w.report.WindowSource = core.WindowOf(&p, last)
		fixed := w.meter.Conversation(last.WithMessages(nil))
		w.report.setLimits(&p, w.env.Price.Long.Above, w.last().fit.tokens(fixed.System+fixed.Tools))
		return w, p.Validate()
	}
	return w, nil
}

// setPrices starts the report, with the prices of the calls.
func (w *replayer) setPrices() error {
	last := w.last().c
	w.prices = prices{format: w.segments[0].c.Format, given: w.o.Prices, summaryModel: w.o.SummaryModel}
	w.report = &Report{Preset: NoPreset, Model: last.Model, Priced: w.prices.known(last.Model), Basis: Estimated,
		Calls: []Call{}}
	w.report.Window, w.report.WindowSource = core.WindowOf(&policy.Policy{}, last)
	var err error
	w.report.Multipliers, err = w.o.multipliers(w.models(), last.Format)
	w.prices.multipliers = w.o.Multipliers
	return err
}

// replaySegments replays all segments.
func (w *replayer) replaySegments() error {
	number := 0
	for i := range w.segments {
		s := &w.segments[i]
		if err := w.begin(s); err != nil {
			return err
		}
		w.misses = misses.New(s.c, s.answers)
		for _, m := range s.answers {
			if w.o.Progress != nil && !w.o.Progress(number, w.calls) {
				w.report.Stopped = true
				return nil
			}
			number++
			if err := w.call(number, m); err != nil {
				return err
			}
		}
		w.advance(len(s.c.Messages))
	}
	return nil
}

// begin starts with a segment.
func (w *replayer) begin(s *segment) error {
	w.segment, w.next, w.misses = s, 0, nil
	w.account.begin(s)
	if w.logged != nil {
		w.logged.begin(s)
	}
	w.whole = tokens.Counts{Total: w.account.reader.counts.Total}
	if w.o.None {
		return nil
	}
	w.env.Price = w.prices.of(w.report.Model)
	w.env.Price.Long.Above = s.fit.counted(&w.p.Trigger, w.env.Price.Long.Above)
	var err error
	w.session, err = core.NewSession(s.c.WithMessages(nil), "", s.fit.policy(w.p, s.c), w.env.Count)
	return err
}

// advance appends the messages before the answer of the next call.
func (w *replayer) advance(answer int) {
	if w.session != nil {
		w.session.Append(w.c.Messages[w.next:answer])
	}
	if w.misses != nil {
		w.misses.Grow(answer)
	}
	before, messages := w.whole.Total, answer-w.next
	w.account.reader.extend(&w.whole, w.c, answer)
	w.next = answer
	w.work += workOf(max(w.whole.Total-before, 0), messages)
}

// workOf is the work of reading a number of messages with a number of tokens in total.
func workOf(size, messages int) int { return size + 16*messages }

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

// conversation returns the carried conversation.
func (w *replayer) conversation() *msg.Conversation {
	if w.session == nil {
		return w.history()
	}
	return w.session.Conversation()
}

// history returns the messages of the segment before the next call.
func (w *replayer) history() *msg.Conversation { return w.c.WithMessages(w.c.Messages[:w.next:w.next]) }

// call replays one model call and adds it to the report.
func (w *replayer) call(number, answer int) error {
	w.advance(answer)
	if err := w.spend(0, answer); err != nil {
		return err
	}
	call := Call{Number: number, Message: answer, API: w.usage[answer]}
	if model := w.modelOf(answer); model != w.report.Model {
		call.Model = model
	}
	if r, ok := w.requests[w.c.Messages[answer].Path]; ok && w.o.None {
		call.Request = &CallRequest{Messages: r.Messages, Kept: r.Kept, Before: r.Before, System: r.System, Tools: r.Tools}
		call.Request.first = r.First
	}
	w.tickCall(&call)
	if err := w.compact(&call); err != nil {
		return err
	}
	r := round{w: w, answer: answer, model: w.modelOf(answer), usage: w.usage[answer]}
	if w.logged == nil || r.usage != nil && r.usage.Prompt() == 0 {
		r.usage = nil
	}
	grown := !w.account.replaced
	if err := r.billCall(&call); err != nil {
		return err
	}
	countMisses(&r, &call, grown)
	w.report.Calls = append(w.report.Calls, call)
	w.report.Totals.addCall(&call, w.report.Window)
	w.report.addMiss(call.API)
	return nil
}

// tickCall sets the time of a call.
func (w *replayer) tickCall(call *Call) {
	w.clock.tick(call, w.c.Messages, w.o.Idle)
	w.env.IdleSec = call.IdleSec
}

// modelOf returns the model of a call: the requested one, else that of its answer in the log, else that of the session.
func (w *replayer) modelOf(answer int) string {
	if w.o.Model != "" {
		return w.o.Model
	}
	return cmp.Or(w.c.Messages[answer].Model, w.c.Model)
}

// models returns the model of the session, and those of its calls.
func (w *replayer) models() []string {
	names := []string{w.last().c.Model}
	for i := range w.segments {
		w.segment = &w.segments[i]
		for _, m := range w.answers {
			if name := w.modelOf(m); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
