package wire

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
)

// request is what a caller sends, taken apart but not yet interpreted: each op reads what it needs.
type request struct {
	conversation msg.Raw    // as it stands in the JSON; nil where it travels beside
	skips        *msg.Index // of the JSON
	text         []byte     // the conversation's own bytes
	asText       bool       // it came as a string, and goes back as one
	door         *Door      // what was read last; nil where nothing is kept

	format  string
	preset  string
	policy  msg.Raw
	counter string
	state   core.State
	usage   *core.Usage
	idleSec int
	force   bool
	focus   string
	plan    *core.Plan

	previous   msg.Raw  // another conversation: a JSON value, or a string that holds the text
	results    msg.Raw  // of apply or of assemble
	injections msg.Raw  // of assemble
	ids        []string // of summarize
	words      string   // the text of countText and assemble
	hasWords   bool
	max        int // of anchors
	ttl        string
	move       bool
	name       string // of a vocabulary
	session    int    // its id; 0 where there is none

	uncompacted bool    // of replay and replayAt
	model       string  // the same
	call        int     // of replayAt
	reports     msg.Raw // of verdict
}

// keys are the members of a request.
var keys = [...]string{"conversation", "format", "preset", "policy", "counter", "state", "usage", "idleSec", "force", "focus",
	"plan", "results", "ids", "previous", "injections", "text", "max", "ttl", "move", "name", "session", "compact", "model", "call",
	"reports"}

// decode takes a request apart. What has the wrong type is refused by name.
func decode(in []byte) (*request, error) {
	r := &request{}
	if len(in) == 0 {
		return r, nil
	}
	if len(in) > msg.MaxBytes {
		return nil, msg.NewError(msg.TooLarge, "", "cannot read request: it is larger than 256 MiB")
	}
	skips, err := msg.ValidateIndex(in)
	if err != nil {
		return nil, err
	}
	r.skips = skips
	raw := trim(in)
	if raw.Kind() != '{' {
		return nil, msg.NewError(msg.BadRequest, "", "cannot read request: it must be a JSON object")
	}
	for key, value := range skips.Members(raw) {
		if err := r.set(key, value); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *request) set(key string, value msg.Raw) error {
	if !slices.Contains(keys[:], key) {
		return msg.NewError(msg.BadRequest, "/"+shorten(key), "cannot read request: its members are "+strings.Join(keys[:], ", "))
	}
	if value.IsNull() && key != "conversation" {
		return nil
	}
	switch key {
	case "conversation":
		r.conversation = value
	case "policy":
		r.policy = value
	case "format":
		return text(key, value, &r.format)
	case "preset":
		return text(key, value, &r.preset)
	case "counter":
		return text(key, value, &r.counter)
	case "focus":
		return text(key, value, &r.focus)
	case "ttl":
		return text(key, value, &r.ttl)
	case "name":
		return text(key, value, &r.name)
	case "session":
		return number(key, value, 1, &r.session)
	case "text":
		r.hasWords = true
		return text(key, value, &r.words)
	case "state":
		return text(key, value, (*string)(&r.state))
	case "force":
		return flag(key, value, &r.force)
	case "move":
		return flag(key, value, &r.move)
	case "idleSec":
		return number(key, value, 0, &r.idleSec)
	case "max":
		return number(key, value, 1, &r.max)
	case "usage":
		return decodeUsage(value, &r.usage)
	case "plan":
		return decodeInto(key, value, &r.plan)
	case "ids":
		return decodeInto(key, value, &r.ids)
	case "compact":
		on := true
		err := flag(key, value, &on)
		r.uncompacted = !on
		return err
	case "model":
		return text(key, value, &r.model)
	case "call":
		return number(key, value, 1, &r.call)
	case "reports":
		r.reports = value
	case "results":
		r.results = value
	case "injections":
		r.injections = value
	case "previous":
		r.previous = value
	}
	return nil
}

func flag(key string, value msg.Raw, to *bool) error {
	if k := value.Kind(); k != 't' && k != 'f' {
		return wrongType(key, "true or false")
	}
	*to = value.IsTrue()
	return nil
}

func number(key string, value msg.Raw, least int, to *int) error {
	n, err := strconv.Atoi(string(value))
	if err != nil || n < least {
		return wrongType(key, "a whole number of at least "+strconv.Itoa(least))
	}
	*to = n
	return nil
}

func text(key string, value msg.Raw, to *string) error {
	if value.Kind() != '"' {
		return wrongType(key, "a string")
	}
	*to = value.Text()
	return nil
}

// decodeInto decodes a value of ours.
func decodeInto(key string, value msg.Raw, to any) error {
	if err := structjson.Unmarshal(value, reflect.ValueOf(to).Elem(), "/"+key); err != nil {
		if key == "plan" {
			err.Code = msg.BadPlan
		}
		return err
	}
	return nil
}

func wrongType(key, want string) *core.Error {
	return msg.NewError(msg.BadRequest, "/"+key, "cannot read request: "+key+" must be "+want)
}

// parse reads the conversation.
func (r *request) parse() (*msg.Conversation, error) {
	if r.text == nil {
		return nil, msg.NewError(msg.BadRequest, "/conversation", "cannot read request: there is no conversation")
	}
	switch {
	case r.conversation != nil && !r.asText:
		return format.ParseValid(r.conversation, r.format, r.skips) // decode went through it
	case r.door == nil || r.asText:
		return format.Parse(r.text, r.format)
	}
	return r.door.parse(r.text, r.format)
}

// parseWithSettings reads the conversation, and what is to be done with it.
func (r *request) parseWithSettings() (*msg.Conversation, core.Policy, core.Env, error) {
	c, err := r.parse()
	if err != nil {
		return nil, core.Policy{}, core.Env{}, err
	}
	policy, env, err := r.settings(c)
	return c, policy, env, err
}

// parseBoth reads the conversation and the one before it. Both are of one format where the request names one.
func (r *request) parseBoth() (previous, c *msg.Conversation, err error) {
	before := []byte(r.previous)
	if r.previous.Kind() == '"' {
		before = []byte(r.previous.Text())
	}
	if before == nil {
		return nil, nil, msg.NewError(msg.BadRequest, "/previous", "cannot read request: there is no previous conversation")
	}
	if previous, err = format.Parse(before, r.format); err == nil {
		c, err = r.parse()
	}
	return previous, c, err
}

// settings reads the policy and the environment for a conversation.
func (r *request) settings(c *msg.Conversation) (core.Policy, core.Env, error) {
	policy, err := core.ParsePolicy(r.preset, r.policy)
	counter, unknown := r.counterNamed(c)
	if err != nil && unknown != nil { // all that is wrong with the settings, at once
		var first, second *core.Error
		if errors.As(err, &first) && errors.As(unknown, &second) {
			err = msg.NewError(first.Code, first.Path, first.Msg+"; "+second.Msg)
		}
	} else if err == nil {
		err = unknown
	}
	return policy, core.Env{Count: counter, Usage: r.usage, IdleSec: r.idleSec, Force: r.force, Focus: r.focus}, err
}

// trim cuts the white space around a JSON document.
func trim(in []byte) msg.Raw {
	start, end := 0, len(in)
	for start < end && in[start] <= ' ' {
		start++
	}
	for end > start && in[end-1] <= ' ' {
		end--
	}
	return in[start:end]
}
