// Package fold compacts a conversation that grows call by call, as a host does that calls the core before each model
// call.
//
//	f, err := fold.New(c, state, p, core.Env{})
//	f.Append(messages)                                         // those since the last call
//	changed, err := f.Compact(fold.Steps{Save: saveOriginals}) // then send f.Session().Conversation()
//
// It is a part of the API (see package core).
//
// The result after a number of calls depends only on the history, the policy and the summaries: not on a clock,
// and not on any memory between the calls. Package replay accounts for every step of a fold; package forward needs
// only its end.
//
// To compact the requests of an agent in Go, start with forward.Compactor, which takes the whole history each time.
//
// Start with New. For each model call: Append the messages since the previous call, then Compact.
package fold

import (
	"errors"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// Fold is a history and what the compactions so far have made of it. Not safe for concurrent use.
type Fold struct {
	session *core.Session
	policy  policy.Policy
	env     core.Env
	turn    core.Turn
}

// ErrWait ends a compaction without a change: its summaries are not available yet. Steps.Summarize returns it.
var ErrWait = errors.New("tamp: the summaries of this compaction are not available yet")

// Steps are the host's parts of a compaction. Each may be nil.
type Steps struct {
	// Round is called before each round with the conversation to plan. An error ends the compaction.
	Round func(c *msg.Conversation, tokens int) error
	// Planned is called once, with the plan of the first round.
	Planned func(plan *core.Plan)
	// Save stores the originals of a round (JSON Lines) before it changes the conversation. An error ends the compaction.
	Save func(originals []byte) error
	// Summarize answers the requests of a round that has any; nil means core.Summarize, which needs no model. ErrWait
	// leaves the conversation unchanged, also by the rounds before; any other error ends the compaction.
	Summarize func(loop *core.Loop) ([]core.SummaryResult, error)
	// Applied is called after each round.
	Applied func(plan *core.Plan, results []core.SummaryResult, out *core.Outcome)
	// Rewrite replaces the result before the fold goes on with it, for example by the same conversation, rendered and
	// parsed. It gets the conversation before and after. An error ends the compaction.
	Rewrite func(before, after *msg.Conversation) (*msg.Conversation, error)
}

// New starts with a conversation, which usually has no messages, or those that an earlier Fold ended with, and the
// State of that. env.Usage and env.Force must not be set: they describe one call. The errors are those of NewSession.
func New(c *msg.Conversation, st core.State, p policy.Policy, env core.Env) (*Fold, error) {
	f := &Fold{policy: p, env: env}
	return f, f.replace(c, st)
}

// Calls returns the indices of the messages that are answers of model calls: the assistant messages. The prompt of each
// call is the messages before it. A message that the agent wrote in place of the model (Claude Code, after an
// interruption) is not an answer.
func Calls(c *msg.Conversation) []int {
	var all []int
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant && !isSynthetic(&c.Messages[m]) {
			all = append(all, m)
		}
	}
	return all
}

func isSynthetic(m *msg.Message) bool {
	const synthetic = "<synthetic>"
	if m.Model != "" && m.Model != synthetic { // the codec has read it
		return false
	}
	return m.Raw.Member("message").Member("model").Text() == synthetic
}

// Append adds the messages since the last call. The caller must not change them.
func (f *Fold) Append(messages []msg.Message) { f.session.Append(messages) }

// Session returns the current session. Compact replaces it if it changes the conversation.
func (f *Fold) Session() *core.Session { return f.session }

func (f *Fold) replace(c *msg.Conversation, st core.State) (err error) {
	if f.session == nil {
		f.session, err = core.NewSession(c, st, f.policy, f.env.Count)
		return err
	}
	next, err := f.session.Successor(c, st)
	if err == nil {
		f.session = next
	}
	return err
}

// SetIdle sets the seconds between the previous call and the next one, on which the lifetime of the prompt cache
// depends. Only a replay knows them: with them the result depends on the clock of the log.
func (f *Fold) SetIdle(seconds int) { f.env.IdleSec = seconds }

// Compact does before a call what the policy asks for: plan, summarize and apply, until no plan is left. It reports
// whether the conversation changed. Besides the errors of the steps, the error is context_overflow if the policy
// cannot compact far enough; the conversation is unchanged after any error, and the fold can go on.
func (f *Fold) Compact(s Steps) (changed bool, err error) {
	env := f.envOf(&s)
	if f.turn = f.session.Turn(env); !f.turn.Due {
		return false, nil
	}
	return f.run(env, s)
}

// Turn is the turn of the last Compact.
func (f *Fold) Turn() core.Turn { return f.turn }

// Force is Compact with core.Env.Force: it compacts although no trigger fires.
func (f *Fold) Force(s Steps) (changed bool, err error) {
	env := f.envOf(&s)
	env.Force = true
	return f.run(env, s)
}

func (f *Fold) envOf(s *Steps) core.Env {
	env := f.env
	env.Extractive = env.Extractive || s.Summarize == nil
	return env
}

func (f *Fold) run(env core.Env, s Steps) (changed bool, err error) {
	before := f.session.Conversation()
	if err := s.round(before, f.session.Counts().Total); err != nil {
		return false, err
	}
	loop, err := f.session.Loop(env)
	if err != nil {
		return false, err
	}
	if s.Planned != nil {
		s.Planned(loop.Plan())
	}
	for loop.Plan() != nil {
		if err := s.apply(loop); err != nil {
			return false, ignoreWait(err)
		}
	}
	after := loop.Conversation()
	if after == before {
		return false, nil
	}
	if s.Rewrite != nil {
		if after, err = s.Rewrite(before, after); err != nil {
			return false, err
		}
	}
	return true, f.replace(after, loop.State())
}

func ignoreWait(err error) error {
	if errors.Is(err, ErrWait) {
		return nil
	}
	return err
}

func (s *Steps) round(c *msg.Conversation, tokens int) error {
	if s.Round == nil {
		return nil
	}
	return s.Round(c, tokens)
}

// apply finishes a round.
func (s *Steps) apply(loop *core.Loop) error {
	plan := loop.Plan()
	if s.Save != nil {
		if originals := loop.Archive(); len(originals) > 0 {
			if err := s.Save(originals); err != nil {
				return err
			}
		}
	}
	results, err := s.summarize(loop)
	if err != nil {
		return err
	}
	out, err := loop.Apply(results)
	if err != nil {
		return err
	}
	if s.Applied != nil {
		s.Applied(plan, results, out)
	}
	if out.Next == nil {
		return nil
	}
	return s.round(out.Conversation, out.After)
}

func (s *Steps) summarize(loop *core.Loop) ([]core.SummaryResult, error) {
	switch {
	case len(loop.Plan().Requests) == 0:
		return nil, nil
	case s.Summarize != nil:
		return s.Summarize(loop)
	}
	return loop.Summarize()
}
