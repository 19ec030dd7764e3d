package forward

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// Options of a Fold.
type Options struct {
	Policy policy.Policy
	Count  tokens.Counter // nil means tokens.Estimate
	From   *Checkpoint    // at one of Points, with the same policy and model; nil: start at the beginning

	// Summarize answers the requests of one round of a compaction; nil means core.Summarize, which needs no model. past
	// means that the round belongs to an earlier call. core.ErrWait leaves the call uncompacted; any other error ends
	// the fold.
	Summarize func(loop *core.Loop, past bool) ([]core.SummaryResult, error)

	// Save stores the originals that a round of a compaction removes (JSON Lines), before it changes the request: those of
	// earlier calls, too, unless a checkpoint has them. An error ends the fold. nil loses them; the client of a gateway
	// still has them.
	Save func(originals []byte) error

	// Spend is called with the work of each step, in tokens plus 16 for each message and each part of one: a message
	// counts when it is added, and the conversation at each plan. If the policy compares each prompt with all words before
	// it (trigger.taskSwitch), these count an eighth. An error ends the fold with it. nil means no limit.
	Spend func(work int) error

	// DropBlock says that the provider drops thinking that does not fit any more (prefix_mismatch_behavior): then nothing
	// waits for the end of a tool round. A checkpoint keeps it.
	DropBlock bool
	// Clears says that the provider may clear results itself (Result.Clear), where bound thinking makes a compaction wait.
	Clears bool

	// Join makes one message of messages of the user next to each other, which a compaction of Chat Completions writes:
	// the chat templates of some models refuse two in a row (models.AlternatesRoles, for which it is on in any case).
	Join bool

	// Force compacts at the end although no trigger fires, without a model, to the target of the policy in a window of
	// Window tokens; 0 means the window of the policy.
	Force  bool
	Window int
}

// Result is the request to forward. Sizes are in tokens of the counter, system prompt and tools included.
type Result struct {
	Body       []byte // the input itself if nothing was compacted
	Changed    bool   // Body is not the input
	Before     int    // of the whole history
	After      int    // of Body
	Cleared    int    // edits that needed no summary, in all compactions so far
	Summaries  int    // summaries that were written, in all compactions so far
	Failed     int    // of these, those of a model that failed: the built-in summary is used instead
	OpenCut    int    // compactions so far that cut results before the model has read them: the last resort
	Cause      string // trigger of the compaction at this call; "" if there was none
	Lost       int    // thinking blocks that all compactions so far have cost, since they are bound to what changed
	ReadAgain  int    // calls so far that repeat one whose result a compaction has left out
	Clear      Clear  // what the provider should clear
	DropBlock  bool   // see Options; also if a checkpoint has it
	Overflow   bool   // the policy cannot compact further, and Body is over its hard limit
	Checkpoint *Checkpoint
	// Passed is set instead of Checkpoint, or next to an earlier one, if the policy could not compact at the last points:
	// a later fold goes on behind them.
	Passed *Checkpoint
}

// walk is the state of a Fold.
type walk struct {
	b       *Body
	o       *Options
	session *core.Session
	repeats repeats
	at      int   // messages of the body so far
	size    int   // their tokens before compaction
	clear   Clear // since the last compaction
	stuck   int   // the limit of an open round that only the provider can shorten, in tokens; 0: none
	spent   error // of Options.Spend, which ended the fold
	passed  int   // see Checkpoint.Passed
	Checkpoint
}

// spend reports the work of reading messages.
func (w *walk) spend(size int, messages []msg.Message) error {
	if w.o.Spend != nil && w.spent == nil {
		w.spent = w.o.Spend(size + 16*parts(messages))
	}
	return w.spent
}

// parts returns the number of messages, blocks and parts of blocks.
func parts(messages []msg.Message) int {
	n := len(messages)
	for m := range messages {
		n += len(messages[m].Blocks)
		for b := range messages[m].Blocks {
			n += len(messages[m].Blocks[b].Parts)
		}
	}
	return n
}

// spendAll reports the work of reading the whole conversation.
func (w *walk) spendAll() error {
	return w.spend(w.session.Counts().Total, w.session.Conversation().Messages)
}

// unfinished is the result of a fold that Options.Spend ended.
func (w *walk) unfinished() *Result {
	r := &Result{Body: w.b.data, Passed: w.passedBy()}
	if from := w.o.From; w.Messages > 0 && (from == nil || w.Messages > from.Messages) {
		checkpoint := w.Checkpoint
		r.Checkpoint = &checkpoint
	}
	return r
}

// passedBy is Result.Passed.
func (w *walk) passedBy() *Checkpoint {
	if w.passed <= w.Messages {
		return nil
	}
	checkpoint := w.Checkpoint
	if checkpoint.Passed = w.passed; w.Messages == 0 {
		checkpoint = Checkpoint{Boundary: -1, Kept: -1, DropBlock: w.DropBlock, Passed: w.passed}
	}
	return &checkpoint
}

// Fold compacts the history. Errors are those of the core and of Options.Summarize; invalid_outcome if the provider
// would refuse the result. The host forwards the input then. After an error of Options.Spend the Result is not nil: it
// has the Checkpoint of the last compaction, from which the next Fold goes on.
func (b *Body) Fold(o Options) (*Result, error) {
	b.parse()
	w := b.resume(&o)
	if w == nil {
		w = &walk{b: b, o: &o}
		if err := w.start(); w.spent != nil {
			return w.unfinished(), w.spent
		} else if err != nil {
			return nil, err
		}
	}
	r := &Result{Body: b.data}
	for _, point := range b.points {
		if point <= w.at {
			continue
		}
		cause, err := w.call(point)
		if w.spent != nil {
			return w.unfinished(), w.spent
		}
		switch {
		case isOverflow(err):
			r.Overflow = point == len(b.c.Messages)
			if !o.Clears && o.Summarize == nil { // else what a call did before the next one depends on more than the history
				w.passed = point
			}
		case err != nil:
			return nil, err
		}
		r.Cause = cause
	}
	if o.Force {
		if err := w.force(); w.spent != nil {
			return w.unfinished(), w.spent
		} else if err != nil {
			return nil, err
		}
		r.Cause = "manual"
	}
	if err := w.finish(r); err != nil {
		return r, err
	}
	b.keep(w)
	return r, nil
}

func isPrompt(m msg.Message) bool { return provenance.IsPrompt(&m) }

func isOverflow(err error) bool {
	var e *msg.Error
	return errors.As(err, &e) && e.Code == msg.ContextOverflow
}

// start sets the fold to the checkpoint, or to the beginning.
func (w *walk) start() (err error) {
	prefix, st := []msg.Message(nil), core.State("")
	if from := w.o.From; from != nil {
		if !slices.Contains(w.b.points, from.At()) {
			return msg.NewError(msg.BadRequest, "", "cannot use the checkpoint: it is of another history")
		}
		w.Checkpoint, w.passed = *from, from.Passed
		w.at, w.size, st = from.Messages, from.Tokens, from.State
		if w.Checkpoint.Passed = 0; from.Messages > 0 {
			if prefix, err = w.parse(from.Prefix); err != nil {
				return err
			}
		}
		if len(prefix) != len(from.Origins) {
			return msg.NewError(msg.BadRequest, "", "cannot use the checkpoint: it was not written by this version of tamp")
		}
	}
	if w.o.DropBlock {
		w.DropBlock = 1
	}
	w.session, err = core.NewSession(w.b.c.WithMessages(prefix), st, w.o.Policy, w.o.Count)
	if err == nil && w.passed > w.at {
		err = w.add(w.passed)
		w.at = w.passed
	}
	return err
}

// add adds the messages up to a point.
func (w *walk) add(point int) error {
	before := w.session.Counts().Total
	w.session.Append(w.b.plain[w.at:point])
	added := w.session.Counts().Total - before
	w.size += added
	return w.spend(added, w.b.plain[w.at:point])
}

func (w *walk) env() core.Env {
	env := core.Env{Lean: true}
	if w.DropBlock != 0 {
		env.Thinking = core.DropBlock
	}
	return env
}

func (w *walk) parse(list []byte) ([]msg.Message, error) {
	c, err := format.Reparse(list, w.b.c.Format)
	if err != nil {
		return nil, err
	}
	return c.Messages, nil
}

// call adds the messages up to a point and compacts there.
func (w *walk) call(point int) (cause string, err error) {
	if err = w.add(point); err == nil && w.o.Policy.Trigger.TaskSwitch && isPrompt(w.b.plain[point-1]) {
		err = w.spend(w.session.Counts().Total/8, nil) // it reads words only
	}
	if err != nil {
		return "", err
	}
	from := w.at
	w.at = point
	if window := core.Window(&w.o.Policy, w.b.c); window > 0 && w.fixed() >= window { // no plan can help
		return "", msg.NewError(msg.ContextOverflow, "", "cannot compact the request: system prompt and tools alone take "+
			strconv.Itoa(w.fixed())+" tokens of a window of "+strconv.Itoa(window))
	}
	if w.stuck > 0 && !slices.ContainsFunc(w.b.plain[from:point], isPrompt) && w.clearsEnough() {
		return "", nil
	}
	w.stuck = 0
	planned := ""
	host := w.host(point)
	host.Planned = func(made *core.Plan) error {
		planned = cmp.Or(planned, made.Trigger.Kind)
		return nil
	}
	if w.o.Summarize != nil {
		past := point < len(w.b.c.Messages)
		host.Summarize = func(loop *core.Loop) ([]core.SummaryResult, error) { return w.o.Summarize(loop, past) }
	}
	plans := w.session.Plans()
	turn, changed, err := w.session.Compact(w.env(), host)
	switch {
	case changed:
		w.clear = Clear{}
	case err == nil && w.o.Clears:
		w.clear = w.cleared(turn)
	case isOverflow(err) && w.o.Clears:
		if w.stuck = turn.Limit(); w.clearsEnough() {
			err = nil
		}
	}
	if !changed {
		if err == nil && w.session.Plans() > plans { // a plan that does nothing
			err = w.spendAll()
		}
		return "", err
	}
	w.State = w.session.State()
	return planned, err
}

// host keeps the figures and the prefix of a compaction at a point. The figures count only if it succeeds.
func (w *walk) host(point int) core.Host {
	before := w.Checkpoint
	next := before
	return core.Host{
		Save:  w.o.Save,
		Round: func(c *msg.Conversation, size int) error { return w.spend(size, c.Messages) },
		Applied: func(made *core.Plan, results []core.SummaryResult, out *core.Outcome) error {
			next.Cleared += len(made.Edits)
			next.Lost += made.Advice.Thinking
			next.Summaries += len(results)
			next.Failed += len(out.Broken())
			for _, w := range out.Warnings {
				if w.Code == core.OpenRoundCut {
					next.OpenCut++
				}
			}
			return nil
		},
		Rewrite: func(was, after *msg.Conversation) (*msg.Conversation, error) {
			next.Tokens, next.Messages = w.size, point
			if before.Messages > 0 {
				next.ReadAgain += w.repeats.count(was.Messages[:len(before.Origins)], w.b.plain[:point], before.Messages)
			}
			c, err := w.rewrite(&before, &next, after)
			if err == nil {
				w.Checkpoint = next
			}
			return c, err
		},
	}
}

// force compacts at the end with the window of the options.
func (w *walk) force() error {
	p := w.o.Policy
	if w.o.Window > 0 { // the provider's own limit, which needs no reserve
		p.Trigger.Window, p.Trigger.HardPermille, p.Trigger.BufferTokens = w.o.Window, 1000, 0
	}
	forced, err := core.NewSession(w.session.Conversation(), w.session.State(), p, w.o.Count)
	if err != nil {
		return err
	}
	w.session = forced
	env := w.env()
	env.Force = true
	_, changed, err := forced.Compact(env, w.host(len(w.b.c.Messages)))
	if changed {
		w.clear = Clear{}
		w.State = forced.State()
	}
	return err
}

// rewrite renders a compacted conversation as a list of messages and parses it again.
func (w *walk) rewrite(before, next *Checkpoint, after *msg.Conversation) (*msg.Conversation, error) {
	if w.DropBlock != 0 {
		after = withoutLostThinking(after)
	}
	list, err := format.Render(&msg.Conversation{Format: after.Format, Messages: after.Messages})
	if err != nil {
		return nil, err
	}
	parsed, err := w.parse(list)
	if err != nil {
		return nil, err
	}
	next.Prefix, next.Kept = list, -1
	if w.b.c.Format == msg.Anthropic { // elsewhere a message may have several elements, and no cache_control
		next.Kept = kept(before, list)
	}
	next.Origins, next.Boundary = w.origins(after.Messages), w.boundary(after.Messages)
	if len(parsed) != len(after.Messages) { // a codec may write one message as several; none of these has cache_control
		next.Origins, next.Boundary, next.Kept = make([]int, len(parsed)), -1, -1
		for i := range next.Origins {
			next.Origins[i] = -1
		}
	}
	return w.b.c.WithMessages(parsed), nil
}

// origins returns for each message of a compacted conversation the index of the original message that it is or that it
// follows, -1 before the first one.
func (w *walk) origins(messages []msg.Message) []int {
	out, last := make([]int, len(messages)), -1
	for i := range messages {
		if len(messages[i].Raw) > 0 {
			// The conversation was the prefix of the checkpoint and then messages of the body, with their own indices.
			at := index(messages[i].Path)
			if at >= 0 && at < min(w.Messages, len(w.Origins)) {
				at = w.Origins[at]
			}
			last = max(last, at)
		}
		out[i] = last
	}
	return out
}

// kept returns the last message up to the boundary of before that a compaction left as it was, -1 if there is none: the
// provider has cached the prompt up to there.
func kept(before *Checkpoint, after []byte) int {
	if len(before.Prefix) == 0 {
		return -1
	}
	old, same := rawjson.Value(before.Prefix).List(), 0
	for i, m := range rawjson.Value(after).List() {
		if i > before.Boundary || i >= len(old) || !bytes.Equal(m, old[i]) {
			break
		}
		same++
	}
	return same - 1
}

// boundary returns the last message that the compaction wrote, -1 if there is none: what comes before it stays the same
// for longer than what follows.
func (w *walk) boundary(messages []msg.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Changed || len(messages[i].Raw) == 0 {
			return i
		}
	}
	return -1
}

// finish writes the request.
func (w *walk) finish(r *Result) error {
	r.Before, r.Cleared, r.Summaries, r.Lost = w.size+w.fixed(), w.Cleared, w.Summaries, w.Lost
	r.Failed, r.OpenCut = w.Failed, w.OpenCut
	r.Clear, r.DropBlock = w.clear, w.DropBlock != 0
	r.After, r.Passed = w.session.Counts().Total-w.clear.Freed, w.passedBy()
	if w.Messages == 0 {
		return nil
	}
	checkpoint := w.Checkpoint
	r.Checkpoint = &checkpoint
	prefix := slices.Clone(w.session.Conversation().Messages[:len(w.Origins)])
	r.ReadAgain = w.ReadAgain + w.repeats.count(prefix, w.b.plain, w.Messages)
	messages, added := w.placed(prefix), w.b.c.Messages[w.Messages:]
	if w.b.c.Format == msg.OpenAIChat && (w.o.Join || models.AlternatesRoles(w.b.c.Model)) {
		messages, added = joinUsers(messages, added)
	}
	c := w.b.c.WithMessages(append(messages, added...))
	if broken := validity.BrokenRules(c); len(broken) > 0 {
		had := validity.BrokenRules(w.b.c)
		for _, rule := range broken {
			if !rule.IsSingle() || !slices.Contains(had, rule) { // other vendors take what breaks such a rule
				return msg.NewError(msg.InvalidOutcome, "", "cannot compact the request: the provider would refuse it by the rule "+
					string(rule))
			}
		}
	}
	body, err := format.Render(c)
	if err != nil {
		return err
	}
	r.Body, r.Changed = moveExplicit(w.b.data, body, w.b.c.Format), true
	return nil
}

// fixed is the size of system prompt and tools.
func (w *walk) fixed() int {
	counts := w.session.Counts()
	return counts.System + counts.Tools
}
