package convtest

import (
	"bytes"

	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Damage draws more damage than Break does: roles, contents, ids and members that only one format has are put anywhere,
// halves of pairs go, breakpoints come on every block. The result is JSON whose messages are objects; a codec may
// refuse it.
func Damage(t *rapid.T, format string, doc []byte) []byte {
	for range between(t, "damages", 1, 5) {
		if chance(t, 4) {
			doc = breakOnce(t, format, doc)
			continue
		}
		doc = damageOnce(t, format, doc)
	}
	return doc
}

func damageOnce(t *rapid.T, format string, doc []byte) []byte {
	if top := rawjson.Value(bytes.TrimSpace(doc)); format == msg.Anthropic && top.Kind() == '{' && chance(t, 12) {
		return top.With("cache_control", pick(t, "automatic", breakpoints[:]))
	}
	return inDocument(t, format, doc, func(messages []rawjson.Value) []rawjson.Value {
		if !chance(t, 4) && len(messages) > 0 {
			return nil
		}
		n := between(t, "message", 0, max(0, len(messages)-1))
		made := pick(t, "made", damagedMessages(format))
		return append(messages[:n:n], append([]rawjson.Value{made}, messages[n:]...)...)
	}, func(m rawjson.Value, _ []rawjson.Value) rawjson.Value { return damageMessage(t, format, m) })
}

var breakpoints = [...]rawjson.Value{rawjson.Value(`{"type":"ephemeral"}`),
	rawjson.Value(`{"type":"ephemeral","ttl":"5m"}`), rawjson.Value(`{"type":"ephemeral","ttl":"1h"}`)}

// damagedMessages are messages that stand for whole kinds of damage.
func damagedMessages(format string) []rawjson.Value {
	switch format {
	case msg.Gemini:
		return damagedContents
	case msg.AISDK:
		return damagedPrompts
	}
	if made := damagedRecords[format]; made != nil {
		return made
	}
	if format == msg.OpenAIChat {
		return raws(`{"role":"tool","content":"out"}`, `{"role":"tool","tool_call_id":null,"content":"out"}`,
			`{"role":"tool","tool_call_id":"call_1"}`,
			`{"role":"tool","tool_call_id":"call_1","content":null}`, `{"role":"tool","tool_call_id":"call_2","content":[]}`,
			`{"role":"tool","tool_call_ids":["call_1"],"content":"out"}`, `{"role":"function","name":"bash","content":null}`,
			`{"role":"function","content":"out"}`,
			`{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"","type":"function","function":{"name":"f"}},{"id":null,"type":"function","function":{"name":"g"}}]}`,
			`{"role":"assistant","content":"x","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f"}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","function":{"name":"f"}},{"id":"call_1","function":{"name":"f"}}]}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_3","type":"function","function":{"name":"f"}}],"function_call":{"name":"bash","arguments":"{}"}}`,
			`{"role":"assistant","content":null,"function_call":{"name":"bash","arguments":"{}"}}`,
			`{"role":"assistant","content":null,"tool_calls":[]}`,
			`{"role":"assistant","reasoning_content":"hm","content":null}`, `{"role":"assistant"}`, `{"role":"user"}`,
			`{"role":"system","content":null,"refusal":"no"}`,
			`{"role":"developer","content":[],"refusal":"no"}`,
			`{"role":"user","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f"}}]}`,
			`{"role":"robot","content":"x"}`, `{"role":"user","content":"go on"}`)
	}
	return raws(`{"role":"user"}`, `{"role":"user","content":null}`, `{"role":"assistant","content":null}`,
		`{"role":"assistant","content":""}`, `{"role":"assistant","content":[]}`,
		`{"role":"assistant"}`, `{"role":"robot","content":"x"}`, `{"role":"system","content":"x"}`,
		`{"role":"user","content":"go on"}`,
		`{"role":"tool","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}`,
		`{"role":"system","content":[{"type":"thinking","thinking":"x","signature":"s"}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}`)
}

// damagedContents are whole contents, and damagedParts parts, of Gemini.
var (
	damagedContents = raws(`{"role":"model","parts":[{"functionCall":{"name":"bash","args":{}}}]}`,
		`{"role":"user","parts":[{"functionResponse":{"name":"bash","response":{"output":"x"}}}]}`,
		`{"role":"model","parts":[{"text":"x"}]}`, `{"parts":[{"text":"x"}]}`, `{"role":"model","parts":[]}`, `{"role":"user"}`,
		`{"role":"assistant","parts":[{"text":"x"}]}`, `{"role":"system","parts":[{"text":"x"}]}`,
		`{"role":"function","parts":[{"function_response":{"name":"bash","id":"toolu_1","response":{}}}]}`)
	damagedParts = raws(`{"functionCall":{"name":"bash","id":"toolu_1","args":{}}}`, `{"function_call":{"name":"grep"}}`,
		`{"functionResponse":{"name":"bash","id":"toolu_1","response":{"output":"x"}}}`, `{"text":""}`, `{}`,
		`{"thought":true,"thought_signature":"AA"}`,
		`{"functionResponse":{"name":"grep","response":{"a":1,"b":{}}}}`, `{"text":"x","thought":true}`,
		`{"inlineData":{"mimeType":"image/png","data":"x"}}`, `{"hologram":1}`)
)

// damageContent changes the role of a content, takes its parts, or puts a part in.
func damageContent(t *rapid.T, message rawjson.Value) rawjson.Value {
	parts := elements(message.Member("parts"))
	switch between(t, "damage of a content", 0, 3) {
	case 0:
		return message.With("role", rawjson.Value(pick(t, "role", []string{`"user"`, `"model"`, `"function"`, `"x"`, `""`})))
	case 1:
		return message.With("parts", rawjson.Value(pick(t, "parts", []string{`null`, `[]`, `[{"text":""}]`})))
	case 2:
		return message.Without("parts")
	}
	n := between(t, "at", 0, len(parts))
	parts = append(parts[:n:n], append([]rawjson.Value{pick(t, "part", damagedParts)}, parts[n:]...)...)
	return message.With("parts", rawjson.Value("[]").WithElements(parts))
}

// damagedBlocks are the blocks of the Messages API, in and out of order.
var damagedBlocks = raws(`{"type":"thinking","thinking":"x","signature":"s"}`,
	`{"type":"redacted_thinking","data":"x"}`, `{"type":"text","text":""}`, `{"type":"text"}`,
	`{"type":"text","text":"more"}`, `{"type":"tool_use","name":"f","input":{}}`,
	`{"type":"tool_use","id":null,"name":"f","input":{}}`,
	`{"type":"tool_use","id":"","input":{}}`, `{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`,
	`{"type":"tool_use","id":"toolu_2","name":"f","input":{}}`,
	`{"type":"tool_result","content":"out"}`, `{"type":"tool_result","tool_use_id":null}`,
	`{"type":"tool_result","tool_use_id":"toolu_1","content":"out"}`,
	`{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"text","text":"out","cache_control":{"type":"ephemeral","ttl":"1h"}}]}`,
	`{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{}}`,
	`{"type":"server_tool_use","name":"web_search","input":{}}`,
	`{"type":"web_search_tool_result","tool_use_id":"srv_1","content":[]}`,
	`{"type":"web_search_tool_result","content":[]}`,
	`{"type":"mcp_tool_use","id":"srv_2","name":"echo","input":{}}`,
	`{"type":"mcp_tool_result","tool_use_id":"srv_2","content":[]}`,
	`{"type":"new_tool_result","tool_use_id":"srv_3","content":[]}`, `{"type":"compaction","content":"s"}`,
	`{"type":"hologram"}`,
	`{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`,
	`{"type":"image_url","image_url":{"url":"https://example.org/a.png"}}`, `{"type":"refusal","refusal":"no"}`)

func damageMessage(t *rapid.T, format string, message rawjson.Value) rawjson.Value {
	if format == msg.Gemini || format == msg.QwenCode {
		return damageContent(t, message)
	}
	if damagedRecordParts[format] != nil {
		return damageRecord(t, format, message)
	}
	content := message.Member("content")
	blocks := elements(content)
	if content.Kind() == '"' {
		blocks = []rawjson.Value{rawjson.Value(`{"type":"text"}`).With("text", content)}
	}
	each := func(change func(b rawjson.Value) rawjson.Value) rawjson.Value {
		for k := range blocks {
			if blocks[k].Kind() == '{' {
				blocks[k] = change(blocks[k])
			}
		}
		return message.With("content", rawjson.Value("[]").WithElements(blocks))
	}
	from := 0
	if format == msg.ClaudeCode {
		from = 1 // the type of a line says whose it is
	}
	switch between(t, "damage of a message", from, 7) {
	case 0:
		roles := []string{`"user"`, `"assistant"`, `"system"`, `"tool"`, `"developer"`, `"function"`, `"robot"`}
		return message.With("role", rawjson.Value(pick(t, "role", roles)))
	case 1:
		return message.With("content", rawjson.Value(pick(t, "content",
			[]string{`null`, `""`, `[]`, `[{"type":"text","text":""}]`, `"x"`})))
	case 2:
		return message.Without("content")
	case 3: // an id is emptied, or is another one
		ids := raws(`null`, `""`, `"toolu_1"`, `"toolu_2"`, `"srv_1"`, `"toolu_1_2"`, `"call_1"`, `7`)
		id := pick(t, "id", ids[:len(ids)-1+between(t, "a number", 0, 1)])
		if message.Member("tool_call_id") != nil {
			return message.With("tool_call_id", id)
		}
		if calls := elements(message.Member("tool_calls")); len(calls) > 0 {
			n := between(t, "call", 0, len(calls)-1)
			calls[n] = calls[n].With("id", id)
			return message.With("tool_calls", rawjson.Value("[]").WithElements(calls))
		}
		return each(func(b rawjson.Value) rawjson.Value {
			for _, name := range [...]string{"id", "tool_use_id", "toolCallId"} {
				if b.Member(name) != nil && chance(t, 2) {
					b = b.With(name, id)
				}
			}
			return b
		})
	case 4: // a block comes in
		n, from := between(t, "at", 0, len(blocks)), damagedBlocks
		if format == msg.AISDK {
			from = damagedPromptParts
		}
		blocks = append(blocks[:n:n], append([]rawjson.Value{pick(t, "block", from)}, blocks[n:]...)...)
		return message.With("content", rawjson.Value("[]").WithElements(blocks))
	case 5: // breakpoints on everything
		return each(func(b rawjson.Value) rawjson.Value {
			return b.With("cache_control", pick(t, "breakpoint", breakpoints[:]))
		})
	case 6: // another type
		types := raws(`"tool_use"`, `"tool_result"`, `"server_tool_use"`, `"web_search_tool_result"`, `"text"`, `"thinking"`,
			`"compaction"`)
		return each(func(b rawjson.Value) rawjson.Value {
			if chance(t, 3) {
				return b.With("type", pick(t, "type", types))
			}
			return b
		})
	}
	if format == msg.OpenAIChat {
		members := [...][2]string{{"refusal", `"no"`}, {"audio", `{"id":"audio_1"}`}, {"tool_calls", `[]`},
			{"tool_calls", `null`}, {"reasoning_content", `"hm"`},
			{"function_call", `{"name":"bash","arguments":"{}"}`}, {"tool_call_id", `"call_1"`},
			{"tool_calls", `[{"type":"function","function":{"name":"f"}}]`}}
		m := pick(t, "member", members[:])
		return message.With(m[0], rawjson.Value(m[1]))
	}
	return message
}
