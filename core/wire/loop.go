package wire

import (
	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/quality"
)

// What a host in Go needs to name.
type (
	Error   = core.Error
	Request = core.SummaryRequest
	Result  = core.SummaryResult
	Code    = msg.Code
)

// Formats lists the names of the formats that conversations may come in.
func Formats() []string { return format.Names() }

// Presets lists the names of the presets.
func Presets() []string {
	var names []string
	for _, p := range core.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// Loop is the whole loop around one conversation, for a host in Go: plan, save, summarize, apply, until nothing is left to
// do. It keeps nothing outside itself and is not safe for concurrent use.
//
//	l, err := wire.Start(request)
//	for more := true; more && err == nil; {
//		// save l.Originals() BEFORE anything of what Apply makes is used
//		more, err = l.Apply(answers) // one for each of l.Requests(), an error too
//	}
//	answer := l.Outcome()
type Loop struct {
	request  *request
	policy   core.Policy
	env      core.Env
	original *msg.Conversation
	now      *msg.Conversation
	state    core.State
	round    int
	plan     *core.Plan
	outcome  *core.Outcome // of all rounds so far
}

// Original is what a round takes out of the conversation: the archive, or a text that a placeholder names by its ref.
type Original struct {
	Ref  string
	Data []byte
}

// Start reads a request as the op plan does, and plans the first round. Errors are *Error.
func Start(in []byte) (*Loop, error) { return new(Door).Start(in) }

// Start is the function of that name, with this Door's vocabularies. The Loop uses the Door: one at a time.
func (d *Door) Start(in []byte) (*Loop, error) {
	r, err := readInside(in)
	if err != nil {
		return nil, err
	}
	r.door = d
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, err
	}
	l := &Loop{request: r, policy: policy, env: env, original: c, now: c, state: r.state, round: 1}
	l.plan, err = core.NewPlan(c, l.state, policy, env)
	return l, err
}

// Round counts from 1.
func (l *Loop) Round() int { return l.round }

// Plan writes the plan of this round as JSON, without the prompts of its requests, which are as long as the conversation.
func (l *Loop) Plan() []byte {
	p := *l.plan
	p.Requests = make([]Request, len(l.plan.Requests))
	for i, r := range l.plan.Requests {
		r.System, r.User = "", ""
		p.Requests[i] = r
	}
	return structjson.Marshal(&p)
}

// Requests are what is to be answered in this round. The caller must not change them.
func (l *Loop) Requests() []Request { return l.plan.Requests }

// Extract answers all of them without a model.
func (l *Loop) Extract() ([]Result, error) {
	return core.Summarize(l.now, l.policy, l.env, l.plan, nil)
}

// Originals are what this round takes away: the archive first, where there is one. Save them BEFORE Apply.
func (l *Loop) Originals() []Original {
	archive := core.Archive(l.now, l.plan)
	if len(archive) == 0 {
		return nil
	}
	all := []Original{{core.Ref(archive), archive}}
	for _, text := range core.SetAside(l.now, l.plan) {
		all = append(all, Original{core.Ref([]byte(text)), []byte(text)})
	}
	return all
}

// Apply finishes the round and reports whether another one follows.
func (l *Loop) Apply(results []Result) (more bool, err error) {
	out, err := core.Apply(l.now, l.state, l.policy, l.env, l.plan, results)
	if err != nil {
		return false, err
	}
	if l.outcome != nil {
		out.Before = l.outcome.Before
		out.Actions = append(l.outcome.Actions[:len(l.outcome.Actions):len(l.outcome.Actions)], out.Actions...)
	}
	l.now, l.state, l.plan, l.outcome = out.Conversation, out.State, out.Next, out
	if out.Next != nil {
		// What Apply wrote has no bytes of its own, which the next archive needs. As over JSON, it gets them by being read again.
		bytes, err := format.Render(l.now)
		if err != nil {
			return false, err
		}
		if l.now, err = format.Parse(bytes, l.now.Format); err != nil {
			return false, err
		}
	}
	l.env.Usage = nil // it counted a conversation that is no more
	l.round++
	return out.Next != nil, nil
}

// Outcome writes the answer of all rounds together as the op apply does, the conversation in it in its own format.
func (l *Loop) Outcome() ([]byte, error) {
	out := *l.outcome
	out.Next = nil
	if out.Quality != nil && l.round > 2 {
		all := quality.Compare(l.original, l.now)
		out.Quality = &all
	}
	bytes, err := format.Render(l.now)
	if err != nil {
		return nil, err
	}
	return l.request.answer(structjson.Marshal(&out), &body{bytes: bytes, text: l.now.Format == msg.ClaudeCode}), nil
}

// Figures of what was done so far.
func (l *Loop) Figures() Figures { return figuresOf(l.outcome) }
