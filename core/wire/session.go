package wire

import (
	"strconv"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The operations on sessions. A session is a conversation that stays in the Door with the settings of its first request; its caller
// names it by a number of its own choice. One that fails leaves the session as it was.

// session is a conversation that grows.
type session struct {
	*core.Session
	format  string // as asked for; "" as long as the conversation may still show another one
	counter tokens.Counter
	now     core.Env // what the last turn was told, which its plan goes by too
}

// sessionOps are the operations on a session that is open, by their names behind "session.".
var sessionOps = map[string]func(*session, *request) (any, *body, error){
	"append": sessionAppend, "turn": sessionTurn, "count": sessionCount, "plan": sessionPlan, "apply": sessionApply, "archive": sessionArchive,
	"summarize": sessionSummarize, "observe": sessionObserve, "conversation": sessionConversation, "close": sessionClose,
}

// onSession does something with the session that a request names.
func onSession(name string, r *request) (any, *body, error) {
	s, f := r.door.sessions[r.session], sessionOps[name]
	switch {
	case f == nil:
		return nil, nil, unknown("session." + name)
	case s == nil:
		return nil, nil, msg.NewError(msg.BadRequest, "/session", "cannot use session "+strconv.Itoa(r.session)+": it was closed, or is not of this engine")
	}
	return f(s, r)
}

func sessionOpen(r *request) (any, *body, error) {
	d := r.door
	if r.session == 0 || d.sessions[r.session] != nil {
		return nil, nil, msg.NewError(msg.BadRequest, "/session", "cannot open session "+strconv.Itoa(r.session)+": choose a number from 1 that no open one has")
	}
	c, err := r.parseFresh()
	if err != nil {
		return nil, nil, err
	}
	policy, env, err := r.settings(c)
	if err != nil {
		return nil, nil, err
	}
	s := &session{format: r.format, counter: env.Count, now: env}
	if s.Session, err = core.NewSession(c, r.state, policy, env.Count); err != nil {
		return nil, nil, err
	}
	if d.sessions == nil {
		d.sessions = map[int]*session{}
	}
	d.sessions[r.session] = s
	s.settle()
	return Detection{c.Format, len(c.Messages)}, nil, nil
}

// parseFresh is parse without keeping what was read: the session does.
func (r *request) parseFresh() (*msg.Conversation, error) {
	if r.text == nil {
		return r.parse()
	}
	return format.Parse(r.text, r.format)
}

// add puts further messages at the end. The last turn's usage is not this one's.
func (s *session) add(text []byte) error {
	added, anew, err := format.Append(s.Conversation(), text, s.format)
	if err != nil {
		return err
	}
	if anew != nil {
		if err := s.renew(anew, s.State()); err != nil {
			return err
		}
	} else {
		s.Append(added)
	}
	s.now = core.Env{Focus: s.now.Focus}
	s.settle()
	return nil
}

// settle holds on to a format that shows.
func (s *session) settle() {
	if c := s.Conversation(); s.format == "" && format.FormatIsCertain(c) {
		s.format = c.Format
	}
}

// renew goes on with another conversation.
func (s *session) renew(c *msg.Conversation, st core.State) error {
	other, err := core.NewSession(c, st, s.Policy(), s.counter)
	if err == nil {
		s.Session = other
	}
	return err
}

// tell takes what a request says of this turn: all that it says, or nothing.
func (s *session) tell(r *request) {
	if r.usage == nil && r.idleSec == 0 && !r.force && r.focus == "" {
		return
	}
	focus := r.focus
	if focus == "" {
		focus = s.now.Focus
	}
	s.now = core.Env{Usage: r.usage, IdleSec: r.idleSec, Force: r.force, Focus: focus}
}

func sessionAppend(s *session, r *request) (any, *body, error) {
	if r.text == nil {
		return nil, nil, msg.NewError(msg.BadRequest, "/messages", "cannot append: there are no messages")
	}
	if err := s.add(r.text); err != nil {
		return nil, nil, err
	}
	return Detection{s.Conversation().Format, len(s.Conversation().Messages)}, nil, nil
}

func sessionTurn(s *session, r *request) (any, *body, error) {
	if r.text != nil {
		if err := s.add(r.text); err != nil {
			return nil, nil, err
		}
	}
	s.tell(r)
	return s.Turn(s.now), nil, nil
}

func sessionCount(s *session, r *request) (any, *body, error) {
	return s.Count(), nil, nil
}

func sessionPlan(s *session, r *request) (any, *body, error) {
	was := s.now
	s.tell(r)
	plan, err := s.Plan(s.now)
	if err != nil {
		s.now = was
		return nil, nil, err
	}
	return plan, nil, nil
}

func sessionApply(s *session, r *request) (any, *body, error) {
	var results []core.SummaryResult
	if err := decodeInto("results", r.results, &results); err != nil {
		return nil, nil, err
	}
	c := s.Conversation()
	out, err := core.Apply(c, s.State(), s.Policy(), s.Env(s.now), r.plan, results)
	if err != nil {
		return nil, nil, err
	}
	document, err := render(out.Conversation)
	if err != nil {
		return nil, nil, err
	}
	if out.Conversation == c {
		return out, document, s.SetState(out.State)
	}
	// Read anew, every path says where things are now, and nothing holds on to what went.
	after, err := format.Parse(document.bytes, c.Format)
	if err != nil {
		return nil, nil, err
	}
	if err := s.renew(after, out.State); err != nil {
		return nil, nil, err
	}
	s.now = core.Env{Focus: s.now.Focus} // the last response counted a conversation that is no more
	return out, document, nil
}

func sessionArchive(s *session, r *request) (any, *body, error) {
	return archiveOf(s.Conversation(), r.plan)
}

func sessionSummarize(s *session, r *request) (any, *body, error) {
	results, err := core.Summarize(s.Conversation(), s.Policy(), s.Env(s.now), r.plan, r.ids)
	return results, nil, err
}

func sessionObserve(s *session, r *request) (any, *body, error) {
	r.state = s.State()
	value, _, err := observe(r)
	if err != nil {
		return nil, nil, err
	}
	return value, nil, s.SetState(value.(core.Observed).State)
}

func sessionConversation(s *session, r *request) (any, *body, error) {
	document, err := render(s.Conversation())
	return struct{}{}, document, err
}

func sessionClose(_ *session, r *request) (any, *body, error) {
	delete(r.door.sessions, r.session)
	return struct{}{}, nil, nil
}
