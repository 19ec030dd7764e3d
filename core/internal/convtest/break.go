package convtest

import (
	"bytes"

	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Break draws damage to a document that Conversation made: messages and blocks go, come twice, or change places, texts
// and ids are emptied or taken from elsewhere. The result is still JSON of the same shape.
// In a log only blocks are damaged, since lines are tied to each other by more than their order.
func Break(t *rapid.T, format string, doc []byte) []byte {
	for range between(t, "breaks", 1, 6) {
		doc = breakOnce(t, format, doc)
	}
	return doc
}

func breakOnce(t *rapid.T, format string, doc []byte) []byte {
	if format == msg.ClaudeCode {
		lines := bytes.Split(bytes.TrimSuffix(doc, []byte("\n")), []byte("\n"))
		n := between(t, "line", 0, len(lines)-1)
		line := rawjson.Value(lines[n])
		if message := line.Member("message"); message != nil {
			lines[n] = line.With("message", breakMessage(t, message, nil, "content"))
		}
		return append(bytes.Join(lines, []byte("\n")), '\n')
	}
	top := rawjson.Value(bytes.TrimSpace(doc))
	list := top
	member, content := shape(format)
	if top.Kind() == '{' {
		list = top.Member(member)
	}
	messages := elements(list)
	if len(messages) == 0 {
		return doc
	}
	if chance(t, 2) {
		messages = breakList(t, messages)
	} else {
		n := between(t, "message", 0, len(messages)-1)
		messages[n] = breakMessage(t, messages[n], messages, content)
	}
	list = list.WithElements(messages)
	if top.Kind() == '{' {
		return top.With(member, list)
	}
	return list
}

// breakList removes an element, repeats one elsewhere, or swaps two.
func breakList(t *rapid.T, list []rawjson.Value) []rawjson.Value {
	if len(list) == 0 {
		return list
	}
	out := append([]rawjson.Value(nil), list...)
	i, j := between(t, "from", 0, len(list)-1), between(t, "to", 0, len(list)-1)
	switch between(t, "damage", 0, 3) {
	case 0:
		return append(out[:i], list[i+1:]...)
	case 1:
		return append(append(out[:j:j], list[i]), list[j:]...)
	case 2:
		out[i], out[j] = out[j], out[i]
	case 3:
		return append(out[:i], append(list[i+1:len(list):len(list)], list[i])...)
	}
	return out
}

// breakMessage damages the inside of one message. Blocks may come from any other message.
func breakMessage(t *rapid.T, message rawjson.Value, others []rawjson.Value, list string) rawjson.Value {
	member := list
	if message.Member("tool_calls").Kind() == '[' && chance(t, 2) {
		member = "tool_calls"
	}
	content := message.Member(member)
	switch between(t, "inside", 0, 7) {
	case 0:
		if member == list {
			return message.With(list, rawjson.Value(pick(t, "content",
				emptyContents(list))))
		}
	case 1:
		role := pick(t, "role", []string{`"user"`, `"assistant"`, `"system"`})
		if list == "parts" {
			role = pick(t, "gemini role", []string{`"user"`, `"model"`, `"function"`, `"robot"`})
		}
		if message.Member("tool_call_id") == nil && message.Member("tool_calls") == nil {
			return message.With("role", rawjson.Value(role))
		}
	case 2:
		if message.Member("tool_call_id") != nil {
			return message.With("tool_call_id", rawjson.Value(pick(t, "id",
				[]string{`"call_1"`, `"call_2"`, `""`, `"unknown"`})))
		}
	case 3:
		if len(others) == 0 {
			break
		}
		from := elements(pick(t, "other", others).Member(member))
		if content.Kind() == '[' && len(from) > 0 {
			return message.With(member, content.WithElements(append(elements(content), pick(t, "block", from))))
		}
	case 4:
		if content.Kind() != '[' {
			break
		}
		blocks := elements(content)
		for k := range blocks {
			for _, id := range [...]string{"id", "tool_use_id", "toolCallId"} {
				if blocks[k].Member(id) != nil && chance(t, 2) {
					blocks[k] = blocks[k].With(id, rawjson.Value(pick(t, "id",
						[]string{`"toolu_1"`, `"toolu_2"`, `"toolu_1_2"`, `"unknown"`})))
				}
			}
			if chance(t, 6) {
				blocks[k] = blocks[k].With("cache_control", rawjson.Value(`{"type":"ephemeral","ttl":"1h"}`))
			}
		}
		return message.With(member, content.WithElements(blocks))
	case 5: // what a serializer leaves out, or writes as null
		if chance(t, 2) {
			return message.With(list, rawjson.Value("null"))
		}
		return without(message, list)
	case 6:
		odd := rawjson.Value(pick(t, "odd id", []string{`null`, `""`}))
		if message.Member("tool_call_id") != nil {
			return message.With("tool_call_id", odd)
		}
		blocks := elements(content)
		for k := range blocks {
			for _, id := range [...]string{"id", "tool_use_id", "toolCallId"} {
				if blocks[k].Member(id) != nil && chance(t, 2) {
					blocks[k] = blocks[k].With(id, odd)
				}
			}
		}
		if len(blocks) > 0 {
			return message.With(member, content.WithElements(blocks))
		}
	}
	if content.Kind() == '[' {
		if blocks := breakList(t, elements(content)); len(blocks) > 0 || member == list {
			return message.With(member, content.WithElements(blocks))
		}
	}
	return message
}

// emptyContents are contents with nothing in them.
func emptyContents(list string) []string {
	if list == "parts" {
		return []string{`[]`, `null`, `[{"text":""}]`}
	}
	return []string{`""`, `[]`, `[{"type":"text","text":""}]`}
}

// without is an object that lost a member.
func without(object rawjson.Value, name string) rawjson.Value {
	out := rawjson.Value("{}")
	for member, value := range object.Members() {
		if member != name {
			out = out.With(member, value)
		}
	}
	return out
}
