package pass_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// work draws the conversation of an agent that calls tools: results of many sizes, some around the size of a
// placeholder or of a limit, with what the rules of the passes ask about.
func work(t *rapid.T) *msg.Conversation {
	ids := 0
	one := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	text := func(label string) string {
		n := rapid.SampledFrom([]int{1, 4, 9, 10, 11, 22, 23, 24, 25, 40, 99, 100, 101, 400, 1500}).Draw(t, label)
		return strings.Repeat(one("letter", "a", "b ", "c\\n", "é"), n)
	}
	var messages []string
	add := func(role string, blocks []string) {
		if len(blocks) > 0 {
			messages = append(messages, fmt.Sprintf(`{"role":"%s","content":[%s]}`, role, strings.Join(blocks, ",")))
		}
	}
	for range rapid.IntRange(1, 10).Draw(t, "rounds") {
		if rapid.IntRange(0, 3).Draw(t, "prompt") == 0 {
			add("user", []string{fmt.Sprintf(`{"type":"text","text":"%s"}`, one("asks", "Go on.", "You must not stop.",
				"<system-reminder>be short</system-reminder>", text("prompt")))})
		}
		var said, answered []string
		if rapid.Bool().Draw(t, "thinks") {
			said = append(said, `{"type":"thinking","thinking":"hm","signature":"s"}`)
		}
		for range rapid.IntRange(0, 2).Draw(t, "calls") {
			ids++
			tool := one("tool", "bash", "edit", "read_file")
			if rapid.IntRange(0, 5).Draw(t, "server") == 0 {
				said = append(said, fmt.Sprintf(`{"type":"server_tool_use","id":"s%d","name":"web_search","input":{}}`, ids),
					fmt.Sprintf(`{"type":"web_search_tool_result","tool_use_id":"s%d","content":[]}`, ids))
				continue
			}
			said = append(said, fmt.Sprintf(`{"type":"tool_use","id":"c%d","name":"%s","input":%s}`, ids, tool,
				one("input", `{}`, `{"a":1}`, `{"path":"core/doc.go","content":"package core, and some more of it"}`)))
			content := fmt.Sprintf(`"%s"`, one("output", text("size"), text("size"), "some error",
				"[Old tool result content cleared]", "[Previous: used bash]"))
			if rapid.IntRange(0, 9).Draw(t, "image") == 0 {
				content = `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]`
			}
			answered = append(answered, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"c%d","content":%s,"is_error":%t}`, ids,
				content,
				rapid.IntRange(0, 9).Draw(t, "failed") == 0))
		}
		if len(said) == 0 || len(answered) == 0 && rapid.Bool().Draw(t, "says") {
			said = append(said, `{"type":"text","text":"Done."}`)
		}
		add("assistant", said)
		add("user", answered)
	}
	return parse(t, []byte(`[`+strings.Join(messages, ",")+`]`))
}

// workOrAny draws work or another conversation of any format.
func workOrAny(t *rapid.T) *msg.Conversation {
	if rapid.Bool().Draw(t, "work") {
		return work(t)
	}
	return parse(t, convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")))
}
