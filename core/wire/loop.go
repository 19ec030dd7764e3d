package wire

import (
	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/structjson"
)

// Loop compacts one conversation for a host in Go: plan, save, summarize, apply, until there is no next plan. Not safe
// for concurrent use.
//
//	l, err := engine.Start(request)
//	err = l.Run(core.Host{Save: …, Summarize: …}) // Save stores l.Originals
//	answer, err := l.Outcome()
type Loop struct {
	call    *call // its conversation came as a member of the request
	loop    *core.Loop
	round   int
	outcome *core.Outcome // of all rounds
}

// Original is data that a round removes from the conversation: the archive, or a text that a placeholder names by its
// ref.
type Original struct {
	Ref  string
	Data []byte
}

// Start reads a request of the operation plan, which holds its conversation, and plans the first round. Errors are
// *Error. The Loop uses the Engine: only one of them may run at a time.
func (e *Engine) Start(request []byte) (*Loop, error) {
	call, decoded, err := e.read(findOperation("plan"), request, nil)
	if err != nil {
		return nil, err
	}
	return call.start(decoded.(*PlanRequest))
}

// StartText is Start for a host that needs no JSON: text is the conversation.
func (e *Engine) StartText(r *PlanRequest, text []byte) (*Loop, error) {
	return (&call{engine: e, text: text}).start(r)
}

func (c *call) start(r *PlanRequest) (*Loop, error) {
	conversation, p, env, err := c.parseWithSettings(r)
	if err != nil {
		return nil, err
	}
	loop, err := core.NewLoop(conversation, r.State, p, env)
	return &Loop{call: c, loop: loop, round: 1}, err
}

// Round counts from 1.
func (l *Loop) Round() int { return l.round }

// Plan writes the plan of this round as JSON, without the prompts of its requests, which are as long as the
// conversation.
func (l *Loop) Plan() []byte {
	p := *l.loop.Plan()
	p.Requests = make([]Request, len(l.Requests()))
	for i, r := range l.Requests() {
		r.System, r.User = "", ""
		p.Requests[i] = r
	}
	return structjson.Marshal(&p)
}

// Requests are the requests of this round. The caller must not change them.
func (l *Loop) Requests() []Request { return l.loop.Plan().Requests }

// Extract answers all of them without a model.
func (l *Loop) Extract() ([]Result, error) { return l.loop.Summarize() }

// Originals are the data that this round removes, whose archive Host.Save gets: the archive first, if there is one.
func (l *Loop) Originals(archive []byte) []Original {
	all := []Original{{core.Ref(archive), archive}}
	for _, text := range core.SetAside(l.loop.Conversation(), l.loop.Plan()) {
		all = append(all, Original{core.Ref([]byte(text)), []byte(text)})
	}
	return all
}

// Run is core.Loop.RunAll. Between two rounds it renders the conversation and parses it again.
func (l *Loop) Run(host core.Host) (err error) {
	applied := host.Applied
	host.Applied = func(made *core.Plan, results []Result, out *core.Outcome) error {
		if applied != nil {
			if err := applied(made, results, out); err != nil {
				return err
			}
		}
		if l.round++; out.Next == nil {
			return nil
		}
		bytes, err := format.Render(out.Conversation)
		if err != nil {
			return err
		}
		again, err := format.Reparse(bytes, out.Conversation.Format)
		if err == nil {
			l.loop.Reread(again)
		}
		return err
	}
	l.outcome, err = l.loop.RunAll(host)
	return err
}

// Outcome writes the answer of all rounds together as the op apply does, the conversation in it in its own format.
func (l *Loop) Outcome() ([]byte, error) {
	out, _, err := l.Result()
	if err != nil {
		return nil, err
	}
	answer, _ := l.call.answer(structjson.Marshal(out))
	return answer, nil
}

// Result is Outcome for a host that needs no JSON, with the conversation in its own format.
func (l *Loop) Result() (*core.Outcome, []byte, error) {
	out := *l.outcome
	out.Next = nil
	err := l.call.render(l.loop.Conversation())
	return &out, l.call.document, err
}

// Figures are those of the outcome.
func (l *Loop) Figures() Figures { return figuresOf(l.outcome) }
