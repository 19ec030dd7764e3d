package wire

import (
	"tamp/core"
	"tamp/core/assemble"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/recall"
)

// The operations around one model call, in the order in which a host uses them.

func (c *call) anchors(r *AnchorsRequest) (*core.Anchored, error) {
	conversation, policy, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	anchored, err := core.Anchors(conversation, r.State, policy, env,
		core.AnchorOptions{Max: r.Max, TTL: r.TTL, Move: r.Move})
	if err != nil {
		return nil, err
	}
	return anchored, c.render(anchored.Conversation)
}

func (*call) observe(r *ObserveRequest) (*core.Observed, error) {
	return observe(r.State, r.Usage, r.IdleSec)
}

func observe(state core.State, usage *AnyUsage, idleSec int) (*core.Observed, error) {
	if usage == nil {
		return nil, msg.NewError(msg.BadRequest, "/usage", "cannot observe: there is no usage")
	}
	observed, err := core.ObserveAll(state, core.Usage(*usage), idleSec)
	return &observed, err
}

func (*call) tools(r *ToolsRequest) (*[]rawjson.Value, error) {
	tools, err := core.Tools(r.Format)
	raw := make([]rawjson.Value, len(tools))
	for i, tool := range tools {
		raw[i] = tool
	}
	return &raw, err
}

func (*call) recall(r *RecallRequest) (*recall.Part, error) { return recall.Read(r.Originals, r.Query) }

// Recall is the operation recall on one original, for a host in Go.
func Recall(original []byte, q Query) ([]byte, error) {
	part, err := recall.Read([]string{string(original)}, q)
	if err != nil {
		return nil, err
	}
	return structjson.Marshal(part), nil
}

// Assembled is the answer of assemble. If the request has a conversation, it comes back with the messages at its end.
type Assembled struct {
	Messages []rawjson.Value   `json:"messages"` // in the schema of the provider
	Blocks   []assemble.Placed `json:"blocks"`   // one for each block of the messages, in order
}

func (c *call) assemble(r *AssembleRequest) (answer *Assembled, err error) {
	parts := assemble.Parts{Format: r.Format, Text: r.Text, Results: r.Results, Injections: r.Injections}
	if c.text != nil {
		if parts.Conversation, err = c.parse(r.Format); err != nil {
			return nil, err
		}
		parts.Format = parts.Conversation.Format
	}
	if parts.Count, err = c.counterFor(r.Counter, parts.Conversation); err != nil {
		return nil, err
	}
	next, err := assemble.User(parts)
	if err != nil {
		return nil, err
	}
	answer = &Assembled{Blocks: next.Blocks}
	name := msg.API(parts.Format) // the agent writes the lines of a log; a request to the provider has its messages
	list, err := format.Render(&msg.Conversation{Format: name, Messages: next.Messages})
	if err != nil {
		return nil, err
	}
	answer.Messages = append(answer.Messages, rawjson.Value(list).List()...)
	if parts.Conversation == nil {
		return answer, nil
	}
	return answer, c.render(next.Append(parts.Conversation))
}
