package convtest

// openAI draws the messages of Chat Completions.
func (g *gen) openAI() []string {
	var messages []string
	// A system message at the start is what tells a bare array of texts from Anthropic's.
	messages = append(messages, g.message(pick(g.t, "first", []string{"system", "system", "developer"}), g.text()))
	for range between(g.t, "exchanges", 0, 4) {
		messages = append(messages, g.prompt())
		for range between(g.t, "rounds", 0, 4) {
			messages = append(messages, g.toolRound()...)
		}
		messages = append(messages, g.answer())
	}
	switch between(g.t, "end", 0, 3) {
	case 0:
		messages = append(messages, g.toolRound()[:1]...)
	case 1:
		messages = append(messages, g.prompt())
	}
	return messages
}

func (g *gen) prompt() string {
	if chance(g.t, 3) {
		return g.message("user", g.array([]string{g.object(object{"type", `"text"`, "text", g.text()}),
			`{"type":"image_url","image_url":{"url":"https://example.org/a.png","detail":"low"}}`}))
	}
	return g.message("user", g.text())
}

func (g *gen) answer() string {
	switch between(g.t, "answer", 0, 5) {
	case 0:
		return `{"role":"assistant","content":null,"refusal":"I cannot do that."}`
	case 1:
		return g.object(object{"role", `"assistant"`, "reasoning_content", g.text(), "content", g.text()})
	}
	return g.message("assistant", g.text())
}

// toolRound draws an assistant message with calls and the messages that answer them. An id comes again in a later round
// now and then, as some servers do it.
func (g *gen) toolRound() []string {
	if chance(g.t, 8) {
		name := quote(g.tool())
		return []string{`{"role":"assistant","content":null,"function_call":{"name":` + name + `,"arguments":"{}"}}`,
			`{"role":"function","name":` + name + `,"content":` + g.text() + `}`}
	}
	var calls, answers []string
	again := chance(g.t, 4)
	for n := range between(g.t, "calls", 1, 3) {
		id := g.id("call_")
		if again {
			id = "call_again_" + string(rune('a'+n))
		}
		arguments := quote(g.input())
		if chance(g.t, 8) {
			arguments = quote(`{"cut": "sho`)
		}
		calls = append(calls, g.object(object{"id", quote(id), "type", `"function"`,
			"function", `{"name":` + quote(g.tool()) + `,"arguments":` + arguments + `}`}))
		answers = append(answers, g.toolMessage(id))
	}
	content := pick(g.t, "content", []string{"null", `""`, g.text()})
	message := g.object(object{"role", `"assistant"`, "content", content, "tool_calls", g.array(calls)})
	return append([]string{message}, rapidShuffle(g, answers)...)
}

func (g *gen) toolMessage(id string) string {
	content := g.text()
	switch between(g.t, "tool content", 0, 5) {
	case 0:
		content = `""`
	case 1:
		content = g.array([]string{g.object(object{"type", `"text"`, "text", g.text()}),
			g.object(object{"type", `"text"`, "text", g.text()})})
	}
	return g.object(object{"role", `"tool"`, "tool_call_id", quote(id), "content", content})
}
