package replay

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"tamp/core"
	"tamp/core/fold"
	"tamp/core/format"
	"tamp/core/misses"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Replay computes what the session c would have sent and cost under policy p. c itself is not changed. Of a session log
// with compactions of its agent, every segment is replayed. The errors are bad_policy, bad_request (invalid options),
// too_much_work, and those of Options.Summarize. A policy that fails at one call is not an error: Call.Error reports
// it.
func Replay(c *msg.Conversation, p policy.Policy, o Options) (*Report, error) {
	w, err := newReplayer(c, p, o)
	if err != nil {
		return nil, err
	}
	if err := w.run(); err != nil {
		return nil, err
	}
	if o.Progress != nil && !w.report.Stopped {
		o.Progress(w.calls, w.calls)
	}
	w.finish()
	return w.report, nil
}

// At returns the conversation that the model would have received at a call, counted from 1: the prompt that Replay
// accounts for, without the breakpoints that it sets. The errors are those of Replay, and bad_request for a call that
// does not exist.
func At(c *msg.Conversation, p policy.Policy, o Options, call int) (*msg.Conversation, error) {
	w, err := newReplayer(c, p, o)
	if err != nil {
		return nil, err
	}
	if call < 1 || call > w.calls {
		return nil, badCall(call, "the session has "+strconv.Itoa(w.calls))
	}
	number := 0
	for i := range w.segments {
		s := &w.segments[i]
		if err := w.begin(s); err != nil {
			return nil, err
		}
		for _, m := range s.answers {
			if o.Progress != nil && !o.Progress(number, call) {
				return nil, badCall(call, "the replay was stopped")
			}
			number++
			w.advance(m)
			if err := w.spend(0, m); err != nil {
				return nil, err
			}
			step := Call{Number: number, Message: m}
			w.tick(&step)
			if err := w.compact(&step); err != nil {
				return nil, err
			}
			if number == call {
				return w.conversation(), nil
			}
		}
	}
	return w.conversation(), nil // not reached: call is at most w.calls
}

func badCall(call int, reason string) error {
	return msg.NewError(msg.BadRequest, "/call", "cannot replay up to call "+strconv.Itoa(call)+": "+reason)
}

// replayer is the state of a replay: the walk over the calls. What the requests cost is the work of its accounts.
type replayer struct {
	segments []segment
	calls    int // of all segments
	others   []format.Other
	unread   bool // the log has older segments
	p        *policy.Policy
	o        *Options
	env      core.Env
	meter    tokens.Meter
	infos    map[messageKey]messageInfo // of all messages, read once
	report   *Report

	// account has the requests of the replay. logged has those of the log, without compaction and as its agent cached
	// them; nil if no usage can be compared with it.
	account, logged *account
	uses            int  // calls with usage
	cached          bool // a call with usage has read or written the cache
	automatic       bool // the calls with usage read the cache and never write: no breakpoints, and writes cost nothing

	*segment                    // the current one
	fold        *fold.Fold      // the carried conversation; nil without compaction
	misses      *misses.Session // nil if only the costs count
	next        int             // the first message of c that is not appended yet
	uncompacted int             // tokens of c up to next
	clock       int             // time of the last call, in milliseconds since the first
	work        int             // work so far, see Options.MaxWork
	breaks      breaks          // what the calls paid again
	epoch       int             // time at which clock was 0, in milliseconds since 1970; 0 before the first timestamp
	timed       bool            // a call has a timestamp
}

// segment is a conversation of the log, up to a compaction of its agent or to its end.
type segment struct {
	c       *msg.Conversation // with the requested model and without usage
	usage   []*msg.Usage      // of its messages
	answers []int             // of its calls
	fit     fit
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
	w := &replayer{p: &p, o: &o, infos: map[messageKey]messageInfo{}}
	w.env.Count = new(tokens.Memory).Counter(o.Count) // counts each text once
	w.env.Lean, w.env.Thinking = true, o.Thinking
	parts := format.SegmentsOf(c)
	w.others, w.unread = parts.Others, parts.Unread
	seen := map[string]bool{} // paths of answers: a compaction may keep messages
	for _, s := range append(parts.Earlier, c) {
		w.add(s, seen)
	}
	last := w.segments[len(w.segments)-1].c
	w.meter = tokens.NewMeter(w.env.Count, last)
	w.fitUsage()
	w.report = &Report{Preset: NoPreset, Model: last.Model, Priced: w.priced(last.Model), Counter: o.Count.Name(),
		Basis: Estimated, Window: models.WindowOf(last.Model), Calls: []Call{}}
	var err error
	if w.report.Multipliers, err = o.multipliers(last.Model, last.Format); err != nil {
		return nil, err
	}
	w.env.TTL, w.env.Price = o.TTL, w.price(last.Model)
	w.account = w.newAccount(o.Breakpoints, o.TTL)
	if w.fromUsage() {
		w.report.Basis, w.logged = FromUsage, w.newAccount("", "")
	}
	if !o.None {
		w.report.Preset = p.Preset
		w.report.setLimits(&p, w.env.Price.Long.Above)
		return w, p.Validate()
	}
	return w, nil
}

// add appends a conversation of the log.
func (w *replayer) add(c *msg.Conversation, seen map[string]bool) {
	s := segment{c: c.WithMessages(slices.Clone(c.Messages)), usage: make([]*msg.Usage, len(c.Messages))}
	if w.o.Model != "" {
		s.c.Model = w.o.Model
	}
	for m := range s.c.Messages {
		s.usage[m], s.c.Messages[m].Usage = s.c.Messages[m].Usage, nil // of the uncompacted conversation
	}
	for _, m := range fold.Calls(s.c) {
		if path := s.c.Messages[m].Path; !seen[path] || path == "" {
			seen[path] = true
			s.answers = append(s.answers, m)
		}
	}
	w.calls += len(s.answers)
	w.segments = append(w.segments, s)
}

// run replays all segments.
func (w *replayer) run() error {
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
	w.uncompacted = w.account.reader.counts.Total
	if w.o.None {
		return nil
	}
	w.env.Price = w.price(w.report.Model)
	w.env.Price.Long.Above = s.fit.counted(&w.p.Trigger, w.env.Price.Long.Above)
	var err error
	w.fold, err = fold.New(s.c.WithMessages(nil), "", s.fit.policy(w.p, s.c.Model), w.env)
	return err
}

// advance appends the messages before the answer of the next call.
func (w *replayer) advance(answer int) {
	if w.fold != nil {
		w.fold.Append(w.c.Messages[w.next:answer])
	}
	if w.misses != nil {
		w.misses.Grow(answer)
	}
	before, messages := w.uncompacted, answer-w.next
	for ; w.next < answer; w.next++ {
		w.uncompacted += w.account.reader.message(&w.c.Messages[w.next]).count.Tokens
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

// conversation returns the carried conversation.
func (w *replayer) conversation() *msg.Conversation {
	if w.fold == nil {
		return w.history()
	}
	return w.fold.Session().Conversation()
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
	w.tick(&call)
	if err := w.compact(&call); err != nil {
		return err
	}
	r := round{w: w, answer: answer, model: w.modelOf(answer), usage: w.usage[answer]}
	if w.logged == nil || r.usage != nil && r.usage.Prompt() == 0 {
		r.usage = nil
	}
	grown := !w.account.replaced
	if err := r.account(&call); err != nil {
		return err
	}
	r.countMisses(&call, grown)
	w.report.Calls = append(w.report.Calls, call)
	w.report.Totals.add(&call, w.report.Window)
	return nil
}

// modelOf returns the model of a call: the requested one, else that of its answer in the log, else that of the session.
func (w *replayer) modelOf(answer int) string {
	if w.o.Model != "" {
		return w.o.Model
	}
	return cmp.Or(w.c.Messages[answer].Model, w.c.Model)
}

// finish completes the report.
func (w *replayer) finish() {
	w.report.Misses.finish(&w.report.Totals)
	w.report.Hidden, w.report.Factor, w.report.Segments = w.fit.hidden, w.fit.factor, len(w.segments)
	if w.fit.factor == 0 {
		w.report.Factor = 1000
	}
	w.readAgent()
	w.countOthers()
	w.measureFixed()
	w.setInterval()
	w.note()
}

// readAgent adds what the log says about its agent. A compaction is after the calls whose answers are before its line.
func (w *replayer) readAgent() {
	a := format.AgentOf(w.segments[len(w.segments)-1].c)
	if w.report.Agent = a; a == nil {
		return
	}
	answers := w.answerLines()
	for i := range a.Compactions {
		a.Compactions[i].Calls = sort.SearchInts(answers, lineOf(a.Compactions[i].Path))
	}
}
