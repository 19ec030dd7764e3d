package convtest

import (
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
	return inDocument(t, format, doc, func(messages []rawjson.Value) []rawjson.Value {
		if len(messages) == 0 || !chance(t, 2) {
			return nil
		}
		return breakList(t, messages)
	}, func(m rawjson.Value, others []rawjson.Value) rawjson.Value { return breakMessage(t, format, m, others) })
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

// oddTexts are texts, names and ids of a shape that some provider refuses.
var oddTexts = [...]string{`"\ud83d lone"`, `"\udc00"`, `" \n"`, `"工具"`, `"a.b"`, `"call 1"`}

// oddMembers are the members that oddTexts are put into.
var oddMembers = []string{"text", "name", "id"}

// breakMessage damages the inside of one message. Blocks may come from any other message.
func breakMessage(t *rapid.T, format string, message rawjson.Value, others []rawjson.Value) rawjson.Value {
	l := layoutOf(format)
	member := l.content
	for _, calls := range [...]string{"tool_calls", "toolCalls", "toolRequests"} {
		if message.Member(calls).Kind() == '[' && chance(t, 2) {
			member = calls
		}
	}
	content := message.Member(member)
	blocks := elements(content)
	withIDs := func(ids ...string) rawjson.Value {
		for k := range blocks {
			if chance(t, 2) {
				blocks[k], _ = withFirst(blocks[k], partIDs, rawjson.Value(pick(t, "id", ids)))
			}
		}
		return message.With(member, rawjson.Value("[]").WithElements(blocks))
	}
	switch between(t, "inside", 0, 8) {
	case 0:
		if member == l.content {
			return message.With(member, rawjson.Value(pick(t, "content", l.empty())))
		}
	case 1:
		role := rawjson.Quote(pick(t, "role", l.roles))
		if _, isResult := withFirst(message, messageIDs, rawjson.Value("null")); l.role == "" {
			return message.With("info", message.Member("info").With("role", role))
		} else if !isResult && message.Member("tool_calls") == nil {
			return message.With(l.role, role)
		}
	case 2:
		id := rawjson.Value(pick(t, "id", []string{`"call_1"`, `"call_2"`, `""`, `"unknown"`}))
		if changed, ok := withFirst(message, messageIDs, id); ok {
			return changed
		}
	case 3:
		if len(others) == 0 {
			break
		}
		from := elements(pick(t, "other", others).Member(member))
		if content.Kind() == '[' && len(from) > 0 {
			return message.With(member, content.WithElements(append(blocks, pick(t, "block", from))))
		}
	case 4:
		if content.Kind() != '[' {
			break
		}
		for k := range blocks {
			if chance(t, 6) {
				blocks[k] = blocks[k].With("cache_control", rawjson.Value(`{"type":"ephemeral","ttl":"1h"}`))
			}
		}
		return withIDs(`"toolu_1"`, `"toolu_2"`, `"toolu_1_2"`, `"unknown"`)
	case 5: // what a serializer leaves out, or writes as null
		if chance(t, 2) {
			return message.With(l.content, rawjson.Value("null"))
		}
		return message.Without(l.content)
	case 6:
		odd := pick(t, "odd id", []string{`null`, `""`})
		if changed, ok := withFirst(message, messageIDs, rawjson.Value(odd)); ok {
			return changed
		}
		if len(blocks) > 0 {
			return withIDs(odd)
		}
	case 7: // what a provider refuses as a text, a name or an id
		odd := rawjson.Value(pick(t, "odd text", oddTexts[:]))
		for k := range blocks {
			if changed, ok := withFirst(blocks[k], oddMembers, odd); ok && chance(t, 2) {
				blocks[k] = changed
				return message.With(member, rawjson.Value("[]").WithElements(blocks))
			}
		}
		if content.Kind() == '"' {
			return message.With(member, odd)
		}
	case 8:
		if format == msg.OpenAIChat && message.Member("role").Text() == "assistant" {
			return message.With("tool_calls", rawjson.Value("[]"))
		}
		if len(blocks) > 0 {
			k := between(t, "typeless", 0, len(blocks)-1)
			blocks[k] = rawjson.Value(`{"source":{"type":"file"}}`)
			return message.With(member, rawjson.Value("[]").WithElements(blocks))
		}
	}
	if content.Kind() == '[' {
		if blocks := breakList(t, blocks); len(blocks) > 0 || member == l.content {
			return message.With(member, content.WithElements(blocks))
		}
	}
	return message
}
