package wire

import (
	"tamp/core"
	"tamp/core/assemble"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/quality"
)

// The operations around one model call: what goes before it, what comes of it, and how two conversations compare.

func summarize(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	results, err := core.Summarize(c, policy, env, r.plan, r.ids)
	return results, nil, err
}

func anchors(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	anchored, err := core.Anchors(c, r.state, policy, env, core.AnchorOptions{Max: r.max, TTL: r.ttl, Move: r.move})
	if err != nil {
		return nil, nil, err
	}
	document, err := render(anchored.Conversation)
	return anchored, document, err
}

func observe(r *request) (any, *body, error) {
	if r.usage == nil {
		return nil, nil, msg.NewError(msg.BadRequest, "/usage", "cannot observe: there is no usage")
	}
	seen, err := core.ObserveAll(r.state, *r.usage, r.idleSec)
	return seen, nil, err
}

func tools(r *request) (any, *body, error) {
	list, err := core.Tools(r.format)
	return list, nil, err
}

// Assembled is the answer of assemble, beside the conversation with the messages at its end where one was given.
type Assembled struct {
	Messages []msg.Raw         `json:"messages"` // in the schema of the provider
	Blocks   []assemble.Placed `json:"blocks"`   // one for each block of the messages, in order
}

func assembleNext(r *request) (any, *body, error) {
	parts := assemble.Parts{Format: r.format, Text: r.words}
	if err := decodeInto("results", r.results, &parts.Results); err != nil {
		return nil, nil, err
	}
	if err := decodeInto("injections", r.injections, &parts.Injections); err != nil {
		return nil, nil, err
	}
	var err error
	if r.text != nil {
		if parts.Conversation, err = r.parse(); err != nil {
			return nil, nil, err
		}
		parts.Format = parts.Conversation.Format
	}
	if parts.Count, err = r.counterNamed(parts.Conversation); err != nil {
		return nil, nil, err
	}
	next, err := assemble.User(parts)
	if err != nil {
		return nil, nil, err
	}
	answer := Assembled{Blocks: next.Blocks}
	name := parts.Format
	if name == msg.ClaudeCode { // a line of a log is made by its agent; what a request takes is Anthropic's
		name = msg.Anthropic
	}
	list, err := format.Render(&msg.Conversation{Format: name, Messages: next.Messages})
	if err != nil {
		return nil, nil, err
	}
	for _, m := range msg.Raw(list).Elements() {
		answer.Messages = append(answer.Messages, m)
	}
	if parts.Conversation == nil {
		return answer, nil, nil
	}
	document, err := render(next.Append(parts.Conversation))
	return answer, document, err
}

// AppendReport is the answer of checkAppend.
type AppendReport struct {
	Appended bool          `json:"appended"` // the conversation is the previous one with something at its end
	Valid    bool          `json:"valid"`    // nothing that the provider would refuse for what the previous one was
	Problems []msg.Problem `json:"problems"`
}

func checkAppend(r *request) (any, *body, error) {
	previous, c, err := r.parseBoth()
	if err != nil {
		return nil, nil, err
	}
	report := AppendReport{Appended: true, Problems: append([]msg.Problem{}, msg.CheckAppend(previous, c)...)}
	for _, p := range report.Problems {
		report.Appended = report.Appended && p.Rule != msg.AppendOnly
	}
	report.Valid = msg.Valid(report.Problems)
	return report, nil, nil
}

func compare(r *request) (any, *body, error) {
	previous, c, err := r.parseBoth()
	if err != nil {
		return nil, nil, err
	}
	return quality.Compare(previous, c), nil, nil
}

func render(c *msg.Conversation) (*body, error) {
	bytes, err := format.Render(c)
	return &body{bytes: bytes, text: c.Format == msg.ClaudeCode}, err
}
