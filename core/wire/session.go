package wire

import (
	"cmp"
	"reflect"
	"strconv"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The operations on sessions. A session is a conversation that stays in the Engine with the settings of its first
// request; its caller names it by a number of its own choice. An operation that fails leaves the session as it was.

// onSession defines an operation on an open session. Req points to a struct that embeds SessionRequest.
func onSession[Req, Ans any](name string, f func(*session, *call, Req) (Ans, error)) *operation {
	return define("session."+name, func(c *call, r Req) (Ans, error) {
		number, _ := structjson.Member(reflect.ValueOf(r).Elem(), "session")
		s, err := c.session(int(number.Int()))
		if err != nil {
			var none Ans
			return none, err
		}
		return f(s, c, r)
	})
}

// session returns an open session.
func (c *call) session(id int) (*session, error) {
	if s := c.engine.sessions[id]; s != nil {
		return s, nil
	}
	return nil, msg.NewError(msg.BadRequest, "/session", "cannot use session "+strconv.Itoa(id)+
		": it was closed, or is not of this engine")
}

func (c *call) openSession(r *SessionOpenRequest) (*Detection, error) {
	e := c.engine
	if r.Session == 0 || e.sessions[r.Session] != nil {
		return nil, msg.NewError(msg.BadRequest, "/session", "cannot open session "+strconv.Itoa(r.Session)+
			": choose a number from 1 that no open session has")
	}
	conversation, err := c.parseUncached(r.Format)
	if err != nil {
		return nil, err
	}
	policy, env, err := c.settings(&r.PlanRequest, conversation)
	if err != nil {
		return nil, err
	}
	s := &session{format: r.Format, options: r.TurnOptions}
	if s.Session, err = core.NewSession(conversation, r.State, policy, env.Count); err != nil {
		return nil, err
	}
	if e.sessions == nil {
		e.sessions = map[int]*session{}
	}
	e.sessions[r.Session] = s
	s.fixFormat()
	return &Detection{conversation.Format, len(conversation.Messages)}, nil
}

// parseUncached is parse, but the Engine does not keep the conversation: the session does.
func (c *call) parseUncached(name string) (*msg.Conversation, error) {
	if c.text == nil {
		return c.parse(name)
	}
	return format.Parse(c.text, name)
}

// addMessages appends messages. The usage of the last turn does not count them, so it is dropped.
func (s *session) addMessages(text []byte) error {
	added, whole, err := format.Append(s.Conversation(), text, s.format, s.given)
	if err != nil {
		return err
	}
	if whole != nil {
		if err := s.Replace(whole, s.State()); err != nil {
			return err
		}
	} else {
		s.Append(added)
	}
	if s.given != nil {
		s.given = format.Given(s.given, text)
	}
	s.options = TurnOptions{Focus: s.options.Focus, Thinking: s.options.Thinking}
	s.fixFormat()
	return nil
}

// fixFormat keeps the format as soon as the messages show it.
func (s *session) fixFormat() {
	if c := s.Conversation(); s.format == "" && format.FormatIsCertain(c) {
		s.format = c.Format
	}
}

// setOptions takes the options of a request. If it has none, those of the last turn stay.
func (s *session) setOptions(o TurnOptions) {
	if o.Usage == nil && o.IdleSec == 0 && !o.Force && !o.Extractive && o.Focus == "" && o.Thinking == "" &&
		len(o.Keep)+len(o.Drop)+len(o.Summarize) == 0 {
		return
	}
	o.Focus, o.Thinking = cmp.Or(o.Focus, s.options.Focus), cmp.Or(o.Thinking, s.options.Thinking)
	s.options = o
}

func (s *session) detection() *Detection {
	return &Detection{s.Conversation().Format, len(s.Conversation().Messages)}
}

// env is the environment of this turn.
func (s *session) env() core.Env { return s.Env(turnEnv(&s.options)) }

func (s *session) append(c *call, _ *SessionRequest) (*Detection, error) {
	if c.text == nil {
		return nil, msg.NewError(msg.BadRequest, "/messages", "cannot append: there are no messages")
	}
	if err := s.addMessages(c.text); err != nil {
		return nil, err
	}
	return s.detection(), nil
}

func (s *session) turn(c *call, r *SessionTurnRequest) (*core.Turn, error) {
	if c.text != nil {
		if err := s.addMessages(c.text); err != nil {
			return nil, err
		}
	}
	s.setOptions(r.TurnOptions)
	turn := s.Turn(turnEnv(&s.options))
	return &turn, nil
}

func (s *session) count(*call, *SessionRequest) (*tokens.Count, error) {
	count := s.Count()
	return &count, nil
}

func (s *session) plan(_ *call, r *SessionTurnRequest) (*core.Plan, error) {
	before := s.options
	s.setOptions(r.TurnOptions)
	plan, err := s.Plan(turnEnv(&s.options))
	if err != nil {
		s.options = before
	}
	return plan, err
}

func (s *session) apply(c *call, r *SessionApplyRequest) (*core.Outcome, error) {
	conversation := s.Conversation()
	out, err := core.Apply(conversation, s.State(), s.Policy(), s.env(), r.Plan, r.Results)
	if err != nil {
		return nil, err
	}
	if err := c.render(out.Conversation); err != nil {
		return nil, err
	}
	if out.Conversation == conversation {
		return out, s.SetState(out.State)
	}
	// Parsing the document gives every block its path in it, and frees the removed messages.
	after, err := format.Reparse(c.document, conversation.Format)
	if err != nil {
		return nil, err
	}
	if err := s.Replace(after, out.State); err != nil {
		return nil, err
	}
	if s.given == nil {
		s.given = format.LastRecord(conversation)
	}
	// The last response counted the conversation before.
	s.options = TurnOptions{Focus: s.options.Focus, Thinking: s.options.Thinking}
	return out, nil
}

func (s *session) archive(c *call, r *SessionArchiveRequest) (*Empty, error) {
	return c.archiveOf(s.Conversation(), r.Plan)
}

func (s *session) summarize(_ *call, r *SessionSummarizeRequest) (*[]core.SummaryResult, error) {
	results, err := core.Summarize(s.Conversation(), s.State(), s.Policy(), s.env(), r.Plan, r.IDs)
	return &results, err
}

func (s *session) observe(_ *call, r *SessionObserveRequest) (*core.Observed, error) {
	observed, err := observe(s.State(), r.Usage, r.IdleSec)
	if err != nil {
		return nil, err
	}
	return observed, s.SetState(observed.State)
}

func (s *session) conversation(c *call, _ *SessionRequest) (*Empty, error) {
	return &Empty{}, c.render(s.Conversation())
}

func (s *session) close(c *call, r *SessionRequest) (*Empty, error) {
	delete(c.engine.sessions, r.Session)
	return &Empty{}, nil
}
