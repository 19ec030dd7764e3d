package wire

import (
	"errors"
	"reflect"
	"strings"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/policy"
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

// read decodes a request into the request type of its operation. A member of another operation's requests is ignored if
// its type is right, so that one object can be the input of several operations. An unknown member is an error, and so
// is a missing one.
func (e *Engine) read(o *operation, header, body []byte) (*call, any, error) {
	c := &call{engine: e, text: body}
	request := reflect.New(o.request)
	if len(header) == 0 {
		header = []byte("{}")
	}
	if len(header) > msg.MaxBytes {
		return nil, nil, msg.NewError(msg.TooLarge, "", "cannot read request: it is larger than 256 MiB")
	}
	skips, err := msg.ValidateIndex(header)
	if err != nil {
		return nil, nil, err
	}
	c.skips = skips
	raw := trim(header)
	if raw.Kind() != '{' {
		return nil, nil, badRequest("", "it must be a JSON object")
	}
	if err := structjson.Unmarshal(skips, raw, request.Elem(), "",
		func(key string, value rawjson.Value) *Error { return c.other(o, key, value) }); err != nil {
		if strings.HasPrefix(err.Path+"/", "/plan/") {
			err.Code = msg.BadPlan
		}
		return nil, nil, err
	}
	switch {
	case c.inline == nil:
	case body != nil:
		return nil, nil, badRequest("/conversation", "there is a conversation in the request and in its body")
	case c.inline.Kind() == '"':
		c.asText, c.text = true, []byte(c.inline.Text())
	default:
		c.text = c.inline
	}
	return c, request.Interface(), nil
}

// members lists the members of an operation's requests.
func (o *operation) members() []string {
	return append([]string{"conversation"}, structjson.Names(o.request)...)
}

// other takes the members of a request of operation o that its type does not have: the conversation, and those of other
// operations.
func (c *call) other(o *operation, key string, value rawjson.Value) *Error {
	if key == "conversation" {
		c.inline = value
		return nil
	}
	t := c.engine.requestWith(key)
	if t == nil {
		return structjson.Unknown("", key, o.members())
	}
	to, _ := structjson.Member(reflect.New(t).Elem(), key)
	if to.Kind() == reflect.Slice {
		return nil // lists of one name have several types
	}
	return structjson.Unmarshal(c.skips, value, to, "/"+key, nil) // a wrong type is an error all the same
}

// requestWith returns the first request type in the table with a member of that name, nil if there is none.
func (e *Engine) requestWith(name string) reflect.Type {
	if e.requests == nil {
		e.requests = map[string]reflect.Type{}
		for _, o := range operations {
			for _, member := range structjson.Names(o.request) {
				if e.requests[member] == nil {
					e.requests[member] = o.request
				}
			}
		}
	}
	return e.requests[name]
}

func badRequest(path, reason string) *Error {
	return msg.NewError(msg.BadRequest, path, "cannot read request: "+reason)
}

// parse parses the conversation. format may be empty.
func (c *call) parse(name string) (*msg.Conversation, error) { return c.parseBy(name, c.engine.parse) }

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
	if err := core.CheckPairs(conversation); err != nil {
		return policy.Policy{}, core.Env{}, err
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

// trim cuts the white space around a JSON document.
func trim(in []byte) rawjson.Value {
	start, end := 0, len(in)
	for start < end && in[start] <= ' ' {
		start++
	}
	for end > start && in[end-1] <= ' ' {
		end--
	}
	return in[start:end]
}
