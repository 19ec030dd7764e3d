package convtest

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
)

// responses adds the items of a message: those of one response are one text, with commas between them, so that no
// document ends within a response; each output is a text of its own.
func (t *translator) responses(role string, content rawjson.Value) {
	blocks := elements(content)
	if content.Kind() == '"' {
		blocks = []rawjson.Value{rawjson.Value(`{"type":"text"}`).With("text", content)}
	}
	var parts, items []string
	part := "input_text"
	if role == "assistant" {
		part = "output_text"
	}
	thinks := ""
	for _, b := range blocks {
		switch kind := b.Member("type").Text(); kind {
		case "text":
			text := `{"type":` + quote(part) + `,"text":` + string(b.Member("text")) + `}`
			if role != "assistant" {
				parts = append(parts, text)
				continue
			}
			items, thinks = append(items, thinks+t.item(`"type":"message","role":"assistant","status":"completed","content":[`+
				text+`]`, "msg_")), ""
		case "image":
			parts = append(parts, `{"type":"input_image","image_url":"data:image/png;base64,`+
				b.Member("source").Member("data").Text()+`"}`)
		case "thinking", "redacted_thinking":
			thinks += t.item(`"type":"reasoning","summary":[],"encrypted_content":`+quote("gAAAA"+strconv.Itoa(t.ids)), "rs_") + ","
		case "tool_use":
			items, thinks = append(items, thinks+t.item(`"type":"function_call","call_id":`+string(b.Member("id"))+`,"name":`+
				string(b.Member("name"))+`,"arguments":`+quote(string(b.Member("input"))), "fc_")), ""
		case "server_tool_use":
			items, thinks = append(items, thinks+t.item(`"type":"web_search_call","status":"completed"`, "ws_")), ""
		case "tool_result":
			text, media := resultText(b)
			output := quote(text)
			if media != "" {
				data := rawjson.Value(media).Member("inlineData").Member("data").Text()
				output = `[{"type":"input_text","text":` + output + `},{"type":"input_image","image_url":"data:image/png;base64,` +
					data + `"}]`
			}
			t.out = append(t.out, `{"type":"function_call_output","call_id":`+string(b.Member("tool_use_id"))+`,"output":`+
				output+`}`)
		}
	}
	switch {
	case len(items) > 0:
		t.out = append(t.out, strings.Join(items, ","))
	case len(parts) > 0:
		t.out = append(t.out, `{"type":"message","role":`+quote(role)+`,"content":[`+strings.Join(parts, ",")+`]}`)
	}
}

// item returns an item with an id of its own.
func (t *translator) item(members, prefix string) string {
	t.ids++
	return `{` + members + `,"id":` + quote(prefix+strconv.Itoa(t.ids)) + `}`
}
