package convtest

import (
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Damage of Responses and of the histories of clients.

// damagedRecords are whole messages and items by format, in and out of order, and damagedRecordParts parts of them.
var damagedRecords = map[string][]rawjson.Value{
	msg.OpenAIResponses: damagedItems,
	msg.Codex:           damagedItems,
	msg.AISDKUI: raws(`{"role":"user","parts":[]}`, `{"id":"x","role":"robot","parts":[{"type":"text","text":"x"}]}`,
		`{"role":"user","parts":[{"type":"tool-f","toolCallId":"toolu_1","state":"output-available","input":{},"output":1}]}`,
		`{"role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":""}]}`,
		`{"role":"system","parts":[{"type":"text","text":"x"}]}`),
	msg.OpenCode: raws(`{"info":{"role":"user"},"parts":[]}`, `{"info":{},"parts":[{"type":"text","text":"x"}]}`,
		`{"info":{"role":"robot"},"parts":[{"type":"text","text":"x"}]}`,
		`{"info":{"role":"user","id":"u"},"parts":[{"type":"compaction"}]}`,
		`{"info":{"role":"assistant","summary":true,"finish":"stop","parentID":"u"},"parts":[{"type":"text","text":"x"}]}`,
		`{"info":{"role":"assistant","error":{"name":"x"}},"parts":[{"type":"text","text":"x"}]}`),
	msg.GeminiCLI: raws(`{"id":"x","type":"user","content":""}`, `{"id":"m1","type":"gemini","content":[{"text":"x"}]}`,
		`{"id":"x","type":"gemini","content":"x","toolCalls":[{"id":"toolu_1","name":"f","args":{}}]}`,
		`{"id":"x","type":"robot","content":"x"}`),
}

var damagedItems = raws(`{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"}`,
	`{"type":"function_call","name":"f","arguments":"{}"}`, `{"type":"function_call_output","output":"x"}`,
	`{"type":"function_call_output","call_id":"call_1","output":"x"}`,
	`{"type":"function_call_output","call_id":"call_2","output":[]}`, `{"role":"user","content":"go on"}`,
	`{"type":"reasoning","id":"rs_x","summary":[],"encrypted_content":"AA"}`, `{"type":"reasoning","summary":[]}`,
	`{"type":"item_reference","id":"rs_1"}`, `{"type":"compaction","id":"cmp_1","encrypted_content":"AA"}`,
	`{"role":"assistant","content":""}`, `{"role":"assistant","content":[]}`, `{"role":"robot","content":"x"}`,
	`{"type":"web_search_call","id":"ws_x","status":"completed"}`, `{"type":"hologram","n":1}`,
	`{"type":"computer_call","call_id":"call_3","action":{}}`, `{"type":"local_shell_call_output","id":"call_1"}`)

var damagedRecordParts = map[string][]rawjson.Value{
	msg.OpenAIResponses: damagedItemParts,
	msg.Codex:           damagedItemParts,
	msg.AISDKUI: raws(`{"type":"text","text":""}`, `{"type":"step-start"}`, `{"type":"hologram"}`,
		`{"type":"reasoning","text":"x"}`, `{"type":"tool-f","toolCallId":"toolu_1","state":"input-available","input":{}}`,
		`{"type":"tool-f","toolCallId":"","state":"output-available","input":{},"output":{}}`,
		`{"type":"dynamic-tool","toolName":"f","toolCallId":"toolu_2","state":"output-denied","input":{}}`,
		`{"type":"tool-f","toolCallId":"toolu_3","state":"approval-requested","input":{}}`,
		`{"type":"tool-f","toolCallId":"toolu_4","state":"input-streaming"}`,
		`{"type":"tool-f","toolCallId":"toolu_5","state":"output-error","errorText":"x"}`),
	msg.OpenCode: raws(`{"type":"text","text":""}`, `{"type":"step-start"}`, `{"type":"hologram"}`, `{"type":"compaction"}`,
		`{"type":"reasoning","text":"x"}`, `{"type":"tool","callID":"toolu_1","tool":"f","state":{"status":"running","input":{}}}`,
		`{"type":"tool","callID":"","tool":"f","state":{"status":"completed","input":{},"output":"x"}}`,
		`{"type":"tool","callID":"toolu_2","tool":"f","state":{"status":"completed","output":"x","time":{"compacted":1}}}`,
		`{"type":"tool","callID":"toolu_3","tool":"f"}`),
	msg.Pi: raws(`{"type":"text","text":""}`, `{"type":"hologram"}`, `{"type":"thinking","thinking":"x"}`,
		`{"type":"toolCall","id":"toolu_1","name":"f","arguments":{}}`, `{"type":"toolCall","name":"f","arguments":{}}`,
		`{"type":"toolCall","id":"","name":"f"}`),
	msg.GeminiCLI: damagedParts,
}

var damagedItemParts = raws(`{"type":"input_text","text":""}`, `{"type":"output_text","text":"x","annotations":[]}`,
	`{"type":"refusal","refusal":"no"}`, `{"type":"hologram"}`, `{"type":"input_image","image_url":null}`, `{"text":"x"}`)

// damageRecord changes the role, the content, an id or the state of a message or an item, or puts a part in.
func damageRecord(t *rapid.T, format string, message rawjson.Value) rawjson.Value {
	l := layoutOf(format)
	parts := elements(message.Member(l.content))
	ids := raws(`null`, `""`, `"toolu_1"`, `"toolu_2"`, `"call_1"`)
	switch between(t, "damage of a record", 0, 5) {
	case 0:
		role := rawjson.Quote(pick(t, "role", append(l.roles, "")))
		if l.role == "" {
			return message.With("info", message.Member("info").With("role", role))
		}
		return message.With(l.role, role)
	case 1:
		return message.With(l.content, rawjson.Value(pick(t, "content", append(l.empty(), `null`))))
	case 2:
		return message.Without(l.content)
	case 3:
		if changed, ok := withFirst(message, messageIDs, pick(t, "id", ids)); ok {
			return changed
		}
	case 4:
		states := raws(`"input-streaming"`, `"input-available"`, `"output-available"`, `"output-error"`, `"output-denied"`,
			`"approval-requested"`, `null`, `{"status":"completed"}`, `{"status":"error","error":"x"}`, `{"status":"pending"}`)
		for k := range parts {
			if parts[k].Member("state") != nil && chance(t, 2) {
				parts[k] = parts[k].With("state", pick(t, "state", states))
			}
		}
		return message.With(l.content, rawjson.Value("[]").WithElements(parts))
	}
	n := between(t, "at", 0, len(parts))
	parts = append(parts[:n:n], append([]rawjson.Value{pick(t, "part", damagedRecordParts[format])}, parts[n:]...)...)
	return message.With(l.content, rawjson.Value("[]").WithElements(parts))
}
