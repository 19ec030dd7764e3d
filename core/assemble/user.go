package assemble

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Parts are the parts of the next user message.
type Parts struct {
	Format       string            // of the provider; a log is like the requests of its agent; "" means the conversation's
	Conversation *msg.Conversation // so far; nil: results keep their order and are not checked
	Results      []Result          // in any order
	Injections   []Injection       // in this order
	Text         string            // the user's text; may be empty
	Count        tokens.Counter    // nil means tokens.Estimate
}

// Result is the result of one tool call.
type Result struct {
	ToolUseID string `json:"toolUseId"`
	// a JSON string, or an array of the provider's own blocks; absent for an empty result
	Content rawjson.Value `json:"content,omitempty"`
	IsError bool          `json:"isError,omitempty"`
}

// Placed describes one block of the message, for a host that keeps its own accounting of the context.
type Placed struct {
	Message     int    `json:"message"` // index among the messages made
	Block       int    `json:"block"`   // index in it
	Kind        string `json:"kind"`    // tool_result, text
	Tier        Tier   `json:"tier"`
	Source      string `json:"source"` // "tool", "user", or an injection's source
	ToolUseID   string `json:"toolUseId,omitempty"`
	Tokens      int    `json:"tokens"`
	Pinned      bool   `json:"pinned"`      // the user's own text: no pass changes it
	Compactable bool   `json:"compactable"` // results and injected text, which lose value with time
}

// Tier is the trust level of a block's author; 0 is the most trusted.
type Tier int

const (
	TierSystem    Tier = 0
	TierUser      Tier = 1
	TierAssistant Tier = 2
	TierTools     Tier = 3 // tools and text derived from them
)

// The sources of blocks that are not injected.
const (
	SourceTool = "tool"
	SourceUser = "user"
)

// Assembled is the next user message: one message for Anthropic; for OpenAI a tool message per result, then a user
// message.
type Assembled struct {
	Messages []msg.Message `json:"-"`
	Blocks   []Placed      `json:"blocks"` // one for each block of Messages, in order
}

// Append returns the conversation with the messages at its end; c itself is not changed. In the Messages API they are
// before system messages at the end, which precede an answer.
func (a Assembled) Append(c *msg.Conversation) *msg.Conversation {
	at := len(c.Messages)
	for ; at > 0 && msg.API(c.Format) == msg.Anthropic && c.Messages[at-1].Role == msg.System; at-- {
	}
	return c.WithMessages(slices.Insert(slices.Clone(c.Messages), at, a.Messages...))
}

// User builds the next user message. Results come first, in the order of their calls, then injections, then the user's
// text.
//
// Errors are bad_request with a pointer into the parts: a pending call without a result (by the name of its tool), a
// result for a call that is not pending, a second result for the same call, content of the wrong shape, an unknown
// source, or no content at all; and unknown_format.
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
		if format != msg.Anthropic {
			a.addBlock(roleOf(format, o.call), b, origin{TierTools, SourceTool})
			continue
		}
		a.addBlock(msg.User, b, origin{TierTools, SourceTool})
	}
	for i, injection := range p.Injections {
		tag, err := tagOf(injection.Source, i)
		if err != nil {
			return Assembled{}, err
		}
		a.addBlock(msg.User, msg.TextBlock(tag.wrap(injection.Content)), origin{tag.tier, injection.Source})
	}
	if strings.TrimSpace(p.Text) != "" { // providers refuse a text without a visible character
		a.addBlock(msg.User, msg.TextBlock(p.Text), origin{TierUser, SourceUser})
	}
	if len(a.out.Blocks) == 0 {
		return Assembled{}, badRequest("", "there is no result, no injection and no text")
	}
	a.textAsString(format)
	return a.out, nil
}

func (p *Parts) format() (string, error) {
	format := p.Format
	if format == "" && p.Conversation != nil {
		format = p.Conversation.Format
	}
	if format == msg.Interactions { // whose steps have another form than Gemini's contents
		return "", unknownFormat(format)
	}
	switch api := msg.API(format); api {
	case msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK, msg.Anthropic:
		return api, nil
	}
	return "", unknownFormat(format)
}

// origin is the tier and the source of a block.
type origin struct {
	tier   Tier
	source string
}

type assembly struct {
	out   Assembled
	meter tokens.Meter
}

// addBlock appends a block: to the last message if both have the role user, else to a new message.
func (a *assembly) addBlock(role msg.Role, b msg.Block, p origin) {
	last := len(a.out.Messages) - 1
	if role != msg.User || last < 0 || a.out.Messages[last].Role != msg.User {
		a.out.Messages = append(a.out.Messages, msg.Message{Role: role, Changed: true})
		last++
	}
	m := &a.out.Messages[last]
	m.Blocks = append(m.Blocks, b)
	a.out.Blocks = append(a.out.Blocks, Placed{Message: last, Block: len(m.Blocks) - 1, Kind: string(b.Kind),
		Tier: p.tier, Source: p.source,
		ToolUseID: b.ID, Tokens: a.meter.Block(&b), Pinned: p.source == SourceUser, Compactable: p.source != SourceUser})
}

// textAsString turns a single text of an OpenAI user message into a string, since many compatible servers accept
// nothing else.
func (a *assembly) textAsString(format string) {
	if format != msg.OpenAIChat {
		return
	}
	if m := &a.out.Messages[len(a.out.Messages)-1]; m.Role == msg.User && len(m.Blocks) == 1 {
		m.Blocks[0].Bare = true
	}
}

// badRequest returns a bad_request error for the part at path.
func badRequest(path, reason string) error {
	return msg.NewError(msg.BadRequest, path, "cannot assemble the user message: "+reason)
}

func unknownFormat(format string) error {
	return msg.NewError(msg.UnknownFormat, "/format",
		"cannot use the format "+strconv.Quote(clip(format))+": accepted are "+
			msg.Anthropic+", "+msg.OpenAIChat+", "+msg.OpenAIResponses+", "+msg.Gemini+", "+msg.AISDK+" and the logs")
}

// clip shortens a name of the caller's for an error message.
func clip(name string) string { return msg.Shorten(name, 80) }
