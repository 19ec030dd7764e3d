package convtest

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// translate writes all messages of a valid conversation in another format.
func translate(format string, messages []string) []string {
	t := &translator{format: format, names: map[string]string{}}
	for _, m := range messages {
		t.add(rawjson.Value(m))
	}
	return t.out
}

func (t *translator) add(m rawjson.Value) {
	switch t.format {
	case msg.AISDK:
		t.aiSDK(m.Member("role").Text(), m)
		return
	case msg.OpenAIResponses, msg.Codex:
		t.responses(m.Member("role").Text(), m.Member("content"))
		return
	}
	content := elements(m.Member("content"))
	if text := m.Member("content"); text.Kind() == '"' && len(text) > len(`""`) {
		content = []rawjson.Value{rawjson.Value(`{"type":"text"}`).With("text", text)}
	}
	if t.records != nil {
		t.out = append(t.out, t.records.add(m.Member("role").Text(), content)...)
		return
	}
	if len(content) > 0 {
		t.gemini(m.Member("role").Text(), content)
	}
}

func (t *translator) gemini(role string, content []rawjson.Value) {
	if role == "system" {
		return
	}
	role = map[string]string{"user": "user", "assistant": "model"}[role]
	var parts []rawjson.Value
	calls := 0
	for _, b := range content {
		if b.Member("type").Text() == "tool_use" {
			calls++
		}
		parts = append(parts, rawjson.Value(t.geminiPart(b, calls)))
	}
	// The API takes a turn with calls, and their responses, as one content each.
	if last := len(t.out) - 1; last >= 0 {
		before := rawjson.Value(t.out[last])
		results := strings.Contains(string(before)+string(parts[0]), `"functionResponse"`)
		if before.Member("role").Text() == role && (role == "model" || results) {
			parts = append(elements(before.Member("parts")), parts...)
			t.out = t.out[:last]
		}
	}
	list := rawjson.Value("[]").WithElements(parts)
	t.out = append(t.out, `{"role":`+quote(role)+`,"parts":`+string(list)+`}`)
}

// geminiPart writes one part. Ids are left out for some calls, as older models do, and for some responses.
func (t *translator) geminiPart(b rawjson.Value, calls int) string {
	switch kind := b.Member("type").Text(); kind {
	case "text":
		return `{"text":` + string(b.Member("text")) + `}`
	case "thinking":
		return `{"text":` + string(b.Member("thinking")) + `,"thought":true}`
	case "redacted_thinking":
		return `{"thoughtSignature":` + string(b.Member("data")) + `,"text":""}`
	case "tool_use":
		id := b.Member("id").Text()
		t.names[id] = b.Member("name").Text()
		signature := ""
		if calls == 1 {
			signature = `,"thoughtSignature":` + quote("sig"+id)
		}
		return `{"functionCall":{` + geminiID(id, 3) + `"name":` + string(b.Member("name")) + `,"args":` +
			string(b.Member("input")) + `}` + signature + `}`
	case "tool_result":
		id := b.Member("tool_use_id").Text()
		text, media := resultText(b)
		key := "output"
		if b.Member("is_error").IsTrue() {
			key = "error"
		}
		if media != "" {
			media = `,"parts":[` + media + `]`
		}
		return `{"functionResponse":{` + geminiID(id, 2) + `"name":` + quote(t.names[id]) + `,"response":{` + quote(key) +
			`:` + quote(text) + `}` + media + `}}`
	case "image":
		return `{"inlineData":{"mimeType":"image/png","data":` + string(b.Member("source").Member("data")) + `}}`
	case "document":
		return `{"fileData":{"mimeType":"application/pdf","fileUri":"https://example.org/a.pdf"}}`
	case "server_tool_use", "mcp_tool_use":
		return `{"executableCode":{"language":"PYTHON","code":"print(1)"}}`
	case "hologram":
		return `{"hologram":{"depth":3}}`
	}
	return `{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}`
}

// geminiID returns the member id, "" for some ids: a call without one has a response without one.
func geminiID(id string, below int) string {
	n, _ := strconv.Atoi(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz_"))
	if n%4 >= below {
		return ""
	}
	return `"id":` + quote(id) + `,`
}
