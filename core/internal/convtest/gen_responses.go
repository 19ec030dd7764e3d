package convtest

import (
	"strconv"
	"strings"
)

// responses draws the input items of OpenAI's Responses: responses of reasoning, texts and calls, and their outputs, in
// the order of the calls or not, now and then after the next prompt.
func (g *gen) responses() []string {
	var items []string
	if chance(g.t, 2) {
		items = append(items, g.item("developer", "input_text"))
	}
	var late []string // outputs of asynchronous calls
	for range between(g.t, "exchanges", 1, 4) {
		if chance(g.t, 6) {
			items = append(items, g.configuration())
		}
		items = append(items, g.item("user", "input_text"))
		for range between(g.t, "rounds", 0, 4) {
			response, outputs := g.response()
			items = append(append(items, response...), rapidShuffle(g, outputs)...)
		}
		if chance(g.t, 5) {
			items = append(items, g.program()...)
		}
		items, late = append(items, late...), nil
		items = append(items, g.answerItems()...)
		if chance(g.t, 8) {
			id := quote(g.id("call_"))
			items = append(items, g.object(object{"type", `"function_call"`, "id", quote(g.id("fc_")), "call_id", id,
				"name", `"build"`, "arguments", `"{}"`, "async", "true"}))
			if chance(g.t, 2) {
				continue // it still runs
			}
			late = []string{g.object(object{"type", `"function_call_output"`, "call_id", id, "output", g.text()})}
		}
	}
	switch between(g.t, "end", 0, 4) {
	case 4: // the program has not returned
		program := g.program()
		items = append(items, program[:len(program)-1]...)
	case 0:
		response, _ := g.response()
		items = append(items, response...)
	case 1:
		items = append(items, g.item("user", "input_text"))
	}
	return items
}

// item draws a message item; now and then in the easy form, without a type and with a string.
func (g *gen) item(role, part string) string {
	switch between(g.t, "item", 0, 5) {
	case 0:
		return message(role, g.text())
	case 1:
		if role == "user" {
			return g.object(object{"type", `"message"`, "role", quote(role), "content", g.array([]string{
				g.object(object{"type", quote(part), "text", g.text()}),
				`{"type":"input_image","image_url":"https://example.org/a.png","detail":"low"}`})})
		}
	}
	return g.object(object{"type", `"message"`, "role", quote(role), "content",
		g.array([]string{g.object(object{"type", quote(part), "text", g.text()})})})
}

func (g *gen) reasoning() string {
	summary := g.array(nil)
	if chance(g.t, 2) {
		summary = g.array([]string{g.object(object{"type", `"summary_text"`, "text", g.text()})})
	}
	return g.object(object{"type", `"reasoning"`, "id", quote(g.id("rs_")), "summary", summary,
		"encrypted_content", quote("gAAAA" + strconv.Itoa(g.ids))})
}

func (g *gen) answerItems() []string {
	answer := g.object(object{"type", `"message"`, "role", `"assistant"`, "id", quote(g.id("msg_")), "status",
		`"completed"`, "content", g.array([]string{g.object(object{"type", `"output_text"`, "annotations", "[]", "text",
			g.text()})})})
	switch between(g.t, "answer", 0, 4) {
	case 0:
		return []string{g.reasoning(), answer}
	case 1:
		search := g.object(object{"type", `"web_search_call"`, "id", quote(g.id("ws_")), "status", `"completed"`})
		return []string{g.reasoning(), search, answer}
	case 2:
		return []string{message("assistant", g.text())}
	}
	return []string{answer}
}

// response draws the items of one response with calls, and the outputs of the calls. An id comes again in a later round
// now and then.
func (g *gen) response() (items, outputs []string) {
	if chance(g.t, 2) {
		items = append(items, g.reasoning())
	}
	if chance(g.t, 4) {
		items = append(items, g.item("assistant", "output_text"))
	}
	again := chance(g.t, 6)
	for n := range between(g.t, "calls", 1, 3) {
		id := quote(g.id("call_"))
		if again {
			id = quote("call_again_" + string(rune('a'+n)))
		}
		call, output := g.callItem(id)
		items, outputs = append(items, call), append(outputs, output)
	}
	return items, outputs
}

// program draws a program with its calls, their outputs, and its output as the last item.
func (g *gen) program() (items []string) {
	id := quote(g.id("call_"))
	caller := `{"type":"program","caller_id":` + id + "}"
	if chance(g.t, 2) {
		items = append(items, g.reasoning())
	}
	items = append(items, g.object(object{"type", `"program"`, "id", quote(g.id("prog_")), "call_id", id, "code", g.text(),
		"fingerprint", quote("gAAAA" + strconv.Itoa(g.ids))}))
	for range between(g.t, "rounds of a program", 1, 3) {
		var outputs []string
		for range between(g.t, "calls of a program", 1, 2) {
			call := quote(g.id("call_"))
			output := object{"type", `"function_call_output"`, "call_id", call, "output", g.text()}
			if chance(g.t, 2) {
				output = append(output, "caller", caller)
			}
			items = append(items, g.object(object{"type", `"function_call"`, "id", quote(g.id("fc_")), "call_id", call, "name",
				quote(g.tool()), "arguments", quote(g.input()), "caller", caller}))
			outputs = append(outputs, g.object(output))
		}
		items = append(items, rapidShuffle(g, outputs)...)
	}
	return append(items, g.object(object{"type", `"program_output"`, "id", quote(g.id("po_")), "call_id", id, "result",
		g.text(), "status", `"completed"`}))
}

// configuration draws an instruction of the client that is no message.
func (g *gen) configuration() string {
	if chance(g.t, 2) {
		return g.object(object{"type", `"additional_tools"`, "role", `"developer"`, "tools",
			`[{"type":"function","name":"more","parameters":{"type":"object"}}]`})
	}
	return g.object(object{"type", `"configuration_update"`, "id", quote(g.id("cfg_")), "reasoning", `{"effort":"high"}`})
}

func (g *gen) callItem(id string) (call, output string) {
	result := g.text()
	if chance(g.t, 5) {
		result = g.array([]string{g.object(object{"type", `"input_text"`, "text", g.text()}),
			g.object(object{"type", `"input_image"`, "image_url", `"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="`})})
	}
	switch between(g.t, "call type", 0, 7) {
	case 0:
		return g.object(object{"type", `"custom_tool_call"`, "call_id", id, "name", quote(g.tool()), "input", g.text()}),
			g.object(object{"type", `"custom_tool_call_output"`, "call_id", id, "output", result})
	case 1:
		return g.object(object{"type", `"local_shell_call"`, "call_id", id, "status", `"completed"`, "action",
				`{"type":"exec","command":["ls"]}`}),
			g.object(object{"type", `"local_shell_call_output"`, "id", id, "output", g.text()})
	case 2:
		return g.object(object{"type", `"shell_call"`, "call_id", id, "action", `{"commands":["ls"]}`}),
			g.object(object{"type", `"shell_call_output"`, "call_id", id, "output",
				`[{"stdout":` + g.text() + `,"stderr":"","outcome":{"type":"exit","exit_code":0}}]`})
	case 3:
		return g.object(object{"type", `"computer_call"`, "call_id", id, "action", `{"type":"screenshot"}`}),
			g.object(object{"type", `"computer_call_output"`, "call_id", id, "output",
				`{"type":"computer_screenshot","image_url":"https://example.org/a.png"}`})
	}
	arguments := quote(g.input())
	if chance(g.t, 8) {
		arguments = quote(`{"cut": "sho`)
	}
	return g.object(object{"type", `"function_call"`, "id", quote(g.id("fc_")), "call_id", id, "name", quote(g.tool()),
			"arguments", arguments}),
		g.object(object{"type", `"function_call_output"`, "call_id", id, "output", result})
}

// responsesBody puts the items into a request body, or leaves them bare.
func (g *gen) responsesBody(items []string) []byte {
	list := g.array(items)
	if chance(g.t, 2) && len(items) > 3 {
		return []byte(list)
	}
	body := object{"model", quote("gpt-5")}
	if chance(g.t, 2) {
		body = append(body, "instructions", g.text())
	}
	if chance(g.t, 2) {
		body = append(body, "tools", `[{"type":"function","name":"bash","parameters":{"type":"object"}}]`)
	}
	body = append(body, "input", list, "store", "false")
	if chance(g.t, 3) {
		body = append(body, "seed", "9007199254740993123", "__proto__", `{"polluted":true}`)
	}
	return []byte(g.object(body))
}

// rollout writes items as the lines of a log of Codex. The first ones are the list of a compaction now and then.
func (g *gen) rollout(items []string) []byte {
	line := func(kind, payload string) string {
		return `{"timestamp":"2026-01-02T03:04:05.000Z","type":` + quote(kind) + `,"payload":` + payload + "}\n"
	}
	out := line("session_meta", `{"id":"s","cli_version":"1","base_instructions":{"text":`+g.text()+`}}`) +
		line("turn_context", `{"model":"gpt-5","cwd":"/project"}`)
	if chance(g.t, 3) {
		n := between(g.t, "listed", 0, len(items))
		out += line("response_item", message("user", g.text())) +
			line("compacted", `{"message":"","replacement_history":[`+strings.ReplaceAll(strings.Join(items[:n], ", "), "\n", "")+"]}")
		items = items[n:]
	}
	for i, item := range items {
		out += line("response_item", strings.ReplaceAll(item, "\n", ""))
		if i%3 == 2 {
			out += line("event_msg", `{"type":"token_count","info":{"last_token_usage":{"input_tokens":`+
				strconv.Itoa(100*i)+`,"cached_input_tokens":50,"output_tokens":7}}}`)
		}
	}
	return []byte(out)
}
