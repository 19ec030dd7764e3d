package assemble

import (
	"strconv"
	"strings"

	"tamp/core/msg"
	"tamp/core/tokens"
)

// Parts are what the next user message is made of.
type Parts struct {
	Format       string            // msg.Anthropic, msg.OpenAIChat; a log takes what Anthropic takes. "" is the conversation's
	Conversation *msg.Conversation // so far; where it is nil, results are taken as they come and none is missed
	Results      []Result          // in any order
	Injections   []Injection       // in this order
	Text         string            // the user's words; "" where the user said nothing
	Count        tokens.Counter    // nil means tokens.Estimate
}

// Result is what one tool answered.
type Result struct {
	ToolUseID string  `json:"toolUseId"`
	Content   msg.Raw `json:"content,omitempty"` // a JSON string, or an array of the provider's own blocks; absent for a tool that says nothing
	IsError   bool    `json:"isError,omitempty"`
}

// Placed says what one block of the message is, for a host that keeps its own account of the context.
type Placed struct {
	Message     int    `json:"message"` // index among the messages made
	Block       int    `json:"block"`   // index in it
	Kind        string `json:"kind"`    // tool_result, text
	Tier        Tier   `json:"tier"`
	Source      string `json:"source"` // "tool", "user", or an injection's source
	ToolUseID   string `json:"toolUseId,omitempty"`
	Tokens      int    `json:"tokens"`
	Pinned      bool   `json:"pinned"`      // the user's own words: no pass takes them
	Compactable bool   `json:"compactable"` // results and injected text, which lose their worth with time
}

// Tier says whose word a block is, from the most trusted down.
type Tier int

const (
	TierSystem    Tier = 0
	TierUser      Tier = 1
	TierAssistant Tier = 2
	TierTools     Tier = 3 // tools and everything made from them
)

// The sources of what is not injected.
const (
	SourceTool = "tool"
	SourceUser = "user"
)

// Assembled is the next user message: one for Anthropic; for OpenAI a tool message for each result and then the user's.
type Assembled struct {
	Messages []msg.Message `json:"-"`
	Blocks   []Placed      `json:"blocks"` // one for each block of Messages, in order
}

// Append returns the conversation with the messages at its end; c itself is not changed.
func (a Assembled) Append(c *msg.Conversation) *msg.Conversation {
	return c.WithMessages(append(c.Messages[:len(c.Messages):len(c.Messages)], a.Messages...))
}

// User builds the next user message. Results come first, in the order of their calls, then injections, then the user's words.
//
// Errors are bad_request with a pointer into the parts: a pending call without a result (by the name of its tool), a result for
// a call that is not pending, a second result for the same call, content of the wrong shape, a source that there is
// not, or nothing to say at all.
func User(p Parts) (Assembled, error) {
	format, err := p.format()
	if err != nil {
		return Assembled{}, err
	}
	order, err := p.order()
	if err != nil {
		return Assembled{}, err
	}
	c := p.Conversation
	if c == nil {
		c = &msg.Conversation{Format: format}
	}
	a := assembly{meter: tokens.NewMeter(p.Count, c)}
	for _, o := range order {
		b, err := resultBlock(format, o, p.Results[o.result])
		if err != nil {
			return Assembled{}, err
		}
		if format == msg.OpenAIChat {
			a.add(roleOf(o.call), b, placed{TierTools, SourceTool})
			continue
		}
		a.add(msg.User, b, placed{TierTools, SourceTool})
	}
	for i, injection := range p.Injections {
		tag, err := tagOf(injection.Source, i)
		if err != nil {
			return Assembled{}, err
		}
		a.add(msg.User, msg.TextBlock(tag.wrap(injection.Content)), placed{tag.tier, injection.Source})
	}
	if strings.TrimSpace(p.Text) != "" { // no provider takes a text without a visible character
		a.add(msg.User, msg.TextBlock(p.Text), placed{TierUser, SourceUser})
	}
	if len(a.out.Blocks) == 0 {
		return Assembled{}, wrong("", "there is no result, no injection and no text")
	}
	a.plain(format)
	return a.out, nil
}

func (p *Parts) format() (string, error) {
	format := p.Format
	if format == "" && p.Conversation != nil {
		format = p.Conversation.Format
	}
	switch format {
	case msg.OpenAIChat:
		return format, nil
	case msg.Anthropic, msg.ClaudeCode:
		return msg.Anthropic, nil
	}
	return "", unknownFormat(format)
}

// placed is what a block is, whatever its kind.
type placed struct {
	tier   Tier
	source string
}

type assembly struct {
	out   Assembled
	meter tokens.Meter
}

// add puts a block at the end: into the last message where that is the user's too, else into a new one.
func (a *assembly) add(role msg.Role, b msg.Block, p placed) {
	last := len(a.out.Messages) - 1
	if role != msg.User || last < 0 || a.out.Messages[last].Role != msg.User {
		a.out.Messages = append(a.out.Messages, msg.Message{Role: role, Changed: true})
		last++
	}
	m := &a.out.Messages[last]
	m.Blocks = append(m.Blocks, b)
	a.out.Blocks = append(a.out.Blocks, Placed{Message: last, Block: len(m.Blocks) - 1, Kind: string(b.Kind), Tier: p.tier, Source: p.source,
		ToolUseID: b.ID, Tokens: a.meter.Block(&b), Pinned: p.source == SourceUser, Compactable: p.source != SourceUser})
}

// plain turns a lone text of an OpenAI user message into a string, since many servers that copy that API take nothing else.
func (a *assembly) plain(format string) {
	if format != msg.OpenAIChat {
		return
	}
	if m := &a.out.Messages[len(a.out.Messages)-1]; m.Role == msg.User && len(m.Blocks) == 1 {
		m.Blocks[0].Bare = true
	}
}

// wrong makes the error of this package: what is wrong with the part at path.
func wrong(path, reason string) error {
	return msg.NewError(msg.BadRequest, path, "cannot assemble the user message: "+reason)
}

func unknownFormat(format string) error {
	return msg.NewError(msg.UnknownFormat, "/format", "cannot use the format "+strconv.Quote(clip(format))+": accepted are "+
		msg.Anthropic+", "+msg.OpenAIChat+", "+msg.ClaudeCode)
}

// clip shortens a name of the caller's for an error message.
func clip(name string) string { return msg.Shorten(name, 80) }
