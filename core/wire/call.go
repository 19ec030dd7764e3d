package wire

import (
	"errors"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// call is one request being answered: where its conversation is, and the document that goes with its answer.
type call struct {
	engine *Engine
	text   []byte         // the bytes of the conversation, of messages or of a text; nil: none
	inline rawjson.Value  // the member conversation of the header; nil if it is the body
	asText bool           // inline is a string that holds the text
	skips  *rawjson.Index // of the header

	document  []byte // a rendered conversation or an archive; nil: none
	plainText bool   // document is not JSON
}

// parse parses the conversation. format may be empty.
func (c *call) parse(name string) (*msg.Conversation, error) {
	conversation, err := c.parseBy(name, c.engine.parse)
	if last := &c.engine.last; err == nil && last.conversation == conversation {
		c.text = last.text // so that the request may be freed
	}
	return conversation, err
}

// parseBy is parse; read parses the body.
func (c *call) parseBy(name string, read func([]byte, string) (*msg.Conversation, error)) (*msg.Conversation, error) {
	switch {
	case c.text == nil:
		return nil, badRequest("/conversation", "there is no conversation")
	case c.asText:
		return format.Parse(c.text, name)
	case c.inline != nil:
		return format.ParseValid(c.inline, name, c.skips) // read has validated it
	}
	return read(c.text, name)
}

// parseWithSettings parses the conversation and the settings for it.
func (c *call) parseWithSettings(r *PlanRequest) (*msg.Conversation, policy.Policy, core.Env, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, policy.Policy{}, core.Env{}, err
	}
	p, env, err := c.checkedSettings(r, conversation)
	return conversation, p, env, err
}

// checkedSettings is settings for a conversation whose calls and results are checked first.
func (c *call) checkedSettings(r *PlanRequest, conversation *msg.Conversation) (policy.Policy, core.Env, error) {
	if last := &c.engine.last; last.conversation != conversation || last.cache == nil { // else it was checked before
		if err := core.CheckPairs(conversation); err != nil {
			return policy.Policy{}, core.Env{}, err
		}
	}
	return c.settings(r, conversation)
}

// parseBoth parses the conversation and the previous one. Both have the format that the request names, if it names one.
func (c *call) parseBoth(r *CompareRequest) (previous, conversation *msg.Conversation, err error) {
	before := []byte(r.Previous)
	if r.Previous.Kind() == '"' {
		before = []byte(r.Previous.Text())
	}
	if before == nil {
		return nil, nil, badRequest("/previous", "there is no previous conversation")
	}
	if previous, err = format.Parse(before, r.Format); err == nil {
		conversation, err = c.parse(r.Format)
	}
	return previous, conversation, err
}

// settings reads the policy and the environment for a conversation.
func (c *call) settings(r *PlanRequest, conversation *msg.Conversation) (policy.Policy, core.Env, error) {
	p, err := policy.Parse(r.Preset, r.Policy)
	counter, unknown := c.counterFor(r.Counter, conversation)
	if err != nil && unknown != nil { // both errors in one message
		var first, second *core.Error
		if errors.As(err, &first) && errors.As(unknown, &second) {
			err = msg.NewError(first.Code, first.Path, first.Msg+"; "+second.Msg)
		}
	} else if err == nil {
		err = unknown
	}
	env := turnEnv(&r.TurnOptions)
	env.Count = counter
	if last := &c.engine.last; last.conversation == conversation {
		plan.SetCache(&env, last.cacheFor(counter))
	}
	return p, env, err
}

// textOr returns the text of a request: its member text, else its body.
func (c *call) textOr(member *string) string {
	switch {
	case member != nil:
		return *member
	case c.engine.Text != nil && c.inline == nil:
		return c.engine.Text(c.text)
	}
	return string(c.text)
}

// render makes a conversation the document of the answer.
func (c *call) render(conversation *msg.Conversation) error {
	document, err := format.Render(conversation)
	c.document, c.plainText = document, format.IsLines(conversation.Format)
	return err
}

// answer joins the answer and its document. If the conversation came inside of the request, the document is a member of
// the answer, in the form in which the conversation came.
func (c *call) answer(header []byte) (answer, body []byte) {
	if c.document == nil || c.inline == nil {
		return header, c.document
	}
	document := c.quoted()
	out := make([]byte, 0, len(header)+len(document)+20)
	out = append(append(out, `{"conversation":`...), document...)
	if len(header) > len("{}") {
		out = append(out, ',')
	}
	return append(out, header[1:]...), nil
}

// quoted is the document as a JSON value: a string if it is not JSON or the conversation came as a string.
func (c *call) quoted() []byte {
	if c.asText || c.plainText {
		return rawjson.Quote(string(c.document))
	}
	return c.document
}

// counterFor returns the counter of that name, with its cache; "" is the estimate. conversation is nil for a text.
func (c *call) counterFor(name string, conversation *msg.Conversation) (tokens.Counter, error) {
	if name == auto {
		if name = ""; conversation != nil {
			if own := models.ProfileFor(conversation.Model, conversation.Format).Counter; c.engine.exact(own) != nil {
				name = own
			}
		}
	}
	counter, err := c.engine.counter(name)
	if err == nil && conversation != nil {
		counter = c.engine.counters.cached(counter)
	}
	return counter, err
}
