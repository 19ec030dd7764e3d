package format_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// Members of a message, of a part and of a document that some program writes, and roles and types.
var (
	roles   = words("user assistant tool model function human ai toolResult tool-call bashExecution USER")
	members = lines(`
"content":"x"
"content":[]
"content":null
"parts":[]
"parts":[{"text":"x"}]
"id":"i"
"tool_call_id":"c"
"name":"n"
"tool_calls":[]
"tool_calls":[{"id":"c","function":{"arguments":"{}"}}]
"tool_calls":[{"function":{"arguments":{}}}]
"tool_calls":[{"id":"c","args":{}}]
"function_call":{}
"function_call":null
"toolCallId":"c"
"toolName":"n"
"toolInvocations":[]
"message":"x"
"message":{"role":"user","content":"x"}
"message":{"parts":[]}
"text":"x"
"data":{}
"kwargs":{}
"tool_name":"n"
"images":[]
"info":{}
"blocks":[]
"segments":[]
"contents":[]
"toolCalls":[]
"callId":"c"
"payload":{}
"additional_kwargs":{}
"items":[]
"tool_responses":[]
"tool_results":[]
"options":{"toolCall":[]}
"options":{"toolResult":[]}
"options":{}`)
	kinds = words("message.input function.result user_input thought function_call function_call_result reasoning compaction " +
		"human constructor user assistant gemini system message session session_start")
	parts = append(lines(`
{"text":"x"}
{"type":"text","text":"x"}
{"type":"image","image":"x"}
{"type":"image","data":"x"}
{"type":"file","data":"x"}
{"type":"text","toolUseID":"x"}
{"part_kind":"x"}
{"kind":"text"}
{"content":"x"}
{"content":"x","text":"x"}
{"type":"tool_call"}
{"type":"tool_call","data":{}}
{"type":"tool_call_response"}
{"type":"x","data":{}}
{"type":"x","data":"x"}
{"type":"data-x","data":{}}`), typed("tool_use tool_result thinking redacted_thinking document search_result server_tool_use "+
		"web_search_tool_result image_url input_audio file refusal input_text output_text input_image reasoning tool-call "+
		"tool-result tool-approval-request toolCall toolUse toolRequest tool_reference compaction step-start dynamic-tool tool-x source-url")...)
	untyped = words("toolUse toolResult image guardContent functionCall functionResponse function_call inlineData tool_call " +
		"tool_call_result toolRequest toolResponse media thought fileData")
	tops = lines(`
"system":"x"
"system":null
"info":{}
"modelId":"m"
"inferenceConfig":{}
"toolConfig":{}
"additionalModelRequestFields":{}
"tools":{}
"tools":[]
"tools":[{"input_schema":{}}]
"tools":[{"function":{}}]
"tools":[{"custom":{}}]
"lc":1`)
	fields = lines(`
"uuid":"u"
"uuid":1
"timestamp":"t"
"payload":{}
"payload":1
"session_id":"s"
"subtype":"s"
"sessionId":"s"
"projectHash":"p"
"$set":{}
"$rewindTo":"m"
"id":"i"
"content":"x"
"record_type":"r"
"role":"user"
"stop_reason":"x"
"instructions":"x"
"git":{}
"message":{"role":"user","content":"x"}
"message":{"parts":[]}
"messages":[]
"messages":{}`)
)

// Messages of several formats, and values that are none.
var mixed = lines(`
{"role":"user","content":"x"}
{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":{}}]}
{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"n","arguments":"{}"}}]}
{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}
{"role":"model","parts":[{"text":"x"}]}
{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"n","input":{}}]}
{"id":"i","role":"assistant","parts":[{"type":"step-start"}]}
{"info":{"role":"user"},"parts":[]}
{"role":"toolResult","toolCallId":"c","content":[]}
{"role":"user","content":[{"text":"x"}]}
{"a":1}
7`)

func words(text string) []string { return strings.Fields(text) }
func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func typed(kinds string) (all []string) {
	for _, kind := range words(kinds) {
		all = append(all, `{"type":"`+kind+`"}`)
	}
	return all
}

var seems = regexp.MustCompile(`\((?:an? )?([^()]*(?:\([^()]*\))?[^()]*), it seems\)`)

// taken is what a document is read as: without a format, and the formats that it can be read as if they are given.
func taken(doc string) string {
	read := func(name format.Name) string {
		c, err := format.Parse([]byte(doc), name)
		if err == nil {
			return c.Format
		}
		if found := seems.FindStringSubmatch(err.Error()); found != nil {
			return "refused as " + found[1]
		}
		var e *msg.Error
		errors.As(err, &e)
		return "refused: " + string(e.Code)
	}
	var given []string
	for _, name := range format.Names() {
		if read(name) == name {
			given = append(given, name)
		}
	}
	return read("") + "; given: " + strings.Join(given, " ")
}

// TestShapes reads every member, role and type of a table alone and next to others. A golden file has what each
// document is read as, or refused as. The most frequent answer of a section is only counted.
func TestShapes(t *testing.T) {
	sections := map[string][]string{}
	message := func(fields ...string) string {
		return "{" + strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == "" }), ",") + "}"
	}
	for _, name := range append(roles, "") {
		role := ""
		if name != "" {
			role = `"role":"` + name + `"`
		}
		for i, member := range members {
			sections["messages"] = append(sections["messages"], "["+message(role, member)+"]")
			for _, other := range members[:i] {
				if name == "user" {
					sections["pairs"] = append(sections["pairs"], "["+message(role, other, member)+"]")
				}
			}
		}
		if !slices.Contains([]string{"user", "tool", "model"}, name) {
			continue
		}
		for _, part := range parts {
			sections["parts"] = append(sections["parts"], "["+message(role, `"content":[`+part+`]`)+"]",
				"["+message(role, `"parts":[`+part+`]`)+"]", "["+message(role, `"id":"i","parts":[`+part+`]`)+"]")
		}
		for _, member := range untyped {
			sections["parts"] = append(sections["parts"], "["+message(role, `"content":[{"`+member+`":{}}]`)+"]",
				"["+message(role, `"parts":[{"`+member+`":{}}]`)+"]")
		}
	}
	for _, kind := range kinds {
		kind = `"type":"` + kind + `"`
		for _, member := range members {
			sections["types"] = append(sections["types"], "["+message(kind, member)+"]")
		}
		for _, field := range fields {
			sections["lines"] = append(sections["lines"], message(kind, field))
		}
	}
	for i, field := range fields {
		for _, other := range fields[:i] {
			sections["lines"] = append(sections["lines"], message(other, field))
		}
	}
	for _, m := range []string{"", `{"role":"user","content":"x"}`, `{"role":"system","content":"x"}`,
		`{"role":"developer","content":"x"}`, `{"a":1}`, "1"} {
		sections["bodies"] = append(sections["bodies"], "["+m+"]", `{"input":[`+m+"]}", `{"contents":[`+m+"]}")
		for _, top := range tops {
			sections["bodies"] = append(sections["bodies"], message(top, `"messages":[`+m+`]`))
		}
	}
	for _, m := range mixed {
		for _, other := range mixed {
			sections["mixed"] = append(sections["mixed"], "["+m+","+other+"]", `{"messages":[`+m+","+other+"]}")
		}
	}
	convtest.Golden(t, "shapes/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		for _, name := range s.Names() {
			s.Want(name, []byte(listed(sections[name])))
		}
	})
}

// listed groups documents by what they are read as.
func listed(docs []string) string {
	by := map[string][]string{}
	for _, doc := range docs {
		as := taken(doc)
		if !slices.Contains(by[as], doc) {
			by[as] = append(by[as], doc)
		}
	}
	var text strings.Builder
	var all []string
	for as := range by {
		all = append(all, as)
	}
	slices.SortFunc(all, func(a, b string) int {
		if d := len(by[b]) - len(by[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, as := range all {
		fmt.Fprintf(&text, "%s (%d)\n", as, len(by[as]))
		for _, doc := range by[as] {
			if i > 0 {
				fmt.Fprintf(&text, "  %s\n", doc)
			}
		}
	}
	return text.String()
}
