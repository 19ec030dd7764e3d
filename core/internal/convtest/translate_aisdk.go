package convtest

import (
	"strings"

	"tamp/core/internal/rawjson"
)

// aiSDK adds a message of the AI SDK. Results are in a tool message, the user's text after them in its own message.
func (t *translator) aiSDK(role string, m rawjson.Value) {
	content := m.Member("content")
	if content.Kind() == '"' {
		t.out = append(t.out, message(role, string(content)))
		return
	}
	var results, parts []string
	for _, b := range elements(content) {
		part := t.aiSDKPart(b)
		if b.Member("type").Text() == "tool_result" {
			results = append(results, part)
		} else {
			parts = append(parts, part)
		}
	}
	if len(results) > 0 {
		t.out = append(t.out, message("tool", "["+strings.Join(results, ",")+"]"))
	}
	switch {
	case len(parts) > 0 && role == "system":
		t.out = append(t.out, message(role, quote("Be brief.")))
	case len(parts) > 0:
		t.out = append(t.out, message(role, "["+strings.Join(parts, ",")+"]"))
	}
}

func (t *translator) aiSDKPart(b rawjson.Value) string {
	image := string(b.Member("source").Member("data"))
	switch kind := b.Member("type").Text(); kind {
	case "text":
		return `{"type":"text","text":` + string(b.Member("text")) + `}`
	case "thinking":
		return `{"type":"reasoning","text":` + string(b.Member("thinking")) + `,"providerOptions":{"anthropic":{"signature":` +
			string(b.Member("signature")) + `}}}`
	case "redacted_thinking":
		return `{"type":"reasoning","text":"","providerOptions":{"anthropic":{"redactedData":"AbC="}}}`
	case "tool_use", "server_tool_use", "mcp_tool_use":
		id := b.Member("id").Text()
		t.names[id] = b.Member("name").Text()
		server := ""
		if kind != "tool_use" {
			server = `,"providerExecuted":true`
		}
		return `{"type":"tool-call","toolCallId":` + quote(id) + `,"toolName":` + quote(t.names[id]) + `,"input":` +
			string(b.Member("input")) + server + `}`
	case "image":
		return `{"type":"image","image":` + image + `,"mediaType":"image/png"}`
	case "document":
		return `{"type":"file","data":"https://example.org/a.pdf","mediaType":"application/pdf"}`
	case "hologram":
		return `{"type":"hologram","depth":3}`
	}
	id := b.Member("tool_use_id").Text()
	output := `{"type":"json","value":{"found":1}}`
	if b.Member("type").Text() == "tool_result" {
		text, media := resultText(b)
		switch {
		case media != "":
			data := string(rawjson.Value(media).Member("inlineData").Member("data"))
			output = `{"type":"content","value":[{"type":"text","text":` + quote(text) + `},{"type":"media","data":` + data +
				`,"mediaType":"image/png"}]}`
		case b.Member("is_error").IsTrue():
			output = `{"type":"error-text","value":` + quote(text) + `}`
		default:
			output = `{"type":"text","value":` + quote(text) + `}`
		}
	}
	return `{"type":"tool-result","toolCallId":` + quote(id) + `,"toolName":` + quote(t.names[id]) + `,"output":` + output +
		`}`
}

// damagedPrompts are whole messages of the AI SDK, and damagedPromptParts parts, in and out of order.
var (
	damagedPrompts = raws(`{"role":"tool","content":[{"type":"tool-result","toolCallId":"toolu_1","toolName":"f","output":{"type":"text","value":"x"}}]}`,
		`{"role":"user","content":[{"type":"tool-result","toolCallId":"toolu_1","toolName":"f","output":{"type":"json","value":[1]}}]}`,
		`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"toolu_1","toolName":"f","input":{}}]}`,
		`{"role":"tool","content":[{"type":"text","text":"x"}]}`, `{"role":"robot","content":"x"}`, `{"role":"user","content":null}`,
		`{"role":"system","content":"x"}`, `{"role":"assistant"}`, `{"role":"tool","content":[]}`, `{"role":"user","content":"go on"}`)
	damagedPromptParts = raws(`{"type":"tool-call","toolCallId":"toolu_1","toolName":"f","args":{}}`,
		`{"type":"tool-call","toolCallId":"toolu_2","toolName":"f","input":"text"}`,
		`{"type":"tool-result","toolCallId":"toolu_1","toolName":"f","result":"x"}`,
		`{"type":"tool-result","toolCallId":"toolu_2","toolName":"f","output":{"type":"error-json","value":{"e":1}}}`,
		`{"type":"reasoning","text":"x"}`, `{"type":"text","text":""}`, `{"type":"hologram"}`,
		`{"type":"tool-approval-request","approvalId":"a","toolCallId":"toolu_1"}`,
		`{"type":"tool-approval-response","approvalId":"a","approved":true}`)
)
