package convtest

import "strconv"

// anthropic draws the messages of the Messages API.
func (g *gen) anthropic() []string {
	messages := g.system(g.user(nil))
	for range between(g.t, "exchanges", 0, 4) {
		for range between(g.t, "rounds", 0, 4) {
			var calls []string
			messages = append(messages, g.assistant(&calls))
			if len(calls) > 0 {
				messages = append(messages, g.system(g.answers(calls)...)...)
			}
		}
		messages = append(messages, g.message("assistant", g.array([]string{g.textBlock()})))
		messages = append(messages, g.system(g.user(nil))...)
	}
	switch between(g.t, "end", 0, 4) {
	case 0: // waiting for a result
		var calls []string
		messages = append(messages, g.assistant(&calls))
	case 1:
		messages = append(messages, g.message("assistant", g.text()))
	case 2:
		messages = append(messages, g.message("assistant", pick(g.t, "empty", []string{`""`, `[]`})))
	}
	return messages
}

// system draws a system message behind messages of the user, now and then.
func (g *gen) system(messages ...string) []string {
	if chance(g.t, 10) {
		messages = append(messages, g.message("system", g.text()))
	}
	return messages
}

func (g *gen) message(role, content string) string {
	m := object{"role", quote(role), "content", content}
	if chance(g.t, 10) {
		m = object{"content", content, "x_unknown", `{"keep":[1.0,"\u00e9"]}`, "role", quote(role)}
	}
	return g.object(m)
}

func (g *gen) textBlock() string {
	return g.object(g.cached(object{"type", `"text"`, "text", g.text()}))
}

// user draws a user message: the results given, then the user's text.
func (g *gen) user(results []string) string {
	if len(results) == 0 && chance(g.t, 2) {
		return g.message("user", g.text())
	}
	blocks := results
	for range between(g.t, "user blocks", 1, 2) {
		switch between(g.t, "user block", 0, 7) {
		case 0:
			blocks = append(blocks, g.image())
		case 1:
			blocks = append(blocks, `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a page"}}`)
		case 2:
			blocks = append(blocks, `{"type":"hologram","depth":3,"data":{"z":1}}`)
		default:
			blocks = append(blocks, g.textBlock())
		}
	}
	return g.message("user", g.array(blocks))
}

// image is a real one of one pixel.
func (g *gen) image() string {
	return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":` +
		`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}`
}

// assistant draws an assistant message and the ids of the calls it makes.
func (g *gen) assistant(calls *[]string) string {
	var blocks []string
	switch between(g.t, "thinking", 0, 5) {
	case 0, 1:
		blocks = append(blocks, g.object(object{"type", `"thinking"`, "thinking", g.text(), "signature",
			quote("sig" + strconv.Itoa(g.ids))}))
	case 2:
		blocks = append(blocks, `{"type":"redacted_thinking","data":"EmwKAhgBEgy"}`)
	}
	if chance(g.t, 2) {
		blocks = append(blocks, g.textBlock())
	}
	if chance(g.t, 8) {
		blocks = append(blocks, g.serverPair()...)
	}
	for range between(g.t, "calls", 0, 3) {
		id := g.id("toolu_")
		*calls = append(*calls, id)
		blocks = append(blocks, g.object(g.cached(object{"type", `"tool_use"`, "id", quote(id), "name", quote(g.tool()),
			"input", g.input()})))
	}
	if chance(g.t, 12) || len(blocks) == 0 {
		blocks = append(blocks, g.textBlock())
	}
	return g.message("assistant", g.array(blocks))
}

func (g *gen) serverPair() []string {
	if chance(g.t, 3) {
		id := quote(g.id("mcptoolu_"))
		return []string{`{"type":"mcp_tool_use","id":` + id + `,"name":"echo","server_name":"s","input":{}}`,
			`{"type":"mcp_tool_result","tool_use_id":` + id + `,"is_error":false,"content":[{"type":"text","text":"ok"}]}`}
	}
	id := quote(g.id("srvtoolu_"))
	return []string{`{"type":"server_tool_use","id":` + id + `,"name":"web_search","input":{"query":"tamp"}}`,
		`{"type":"web_search_tool_result","tool_use_id":` + id +
			`,"content":[{"type":"web_search_result","title":"t","url":"https://example.org","encrypted_content":"AbC="}]}`}
}

// answers draws the user messages that answer the calls: in any order, in one message or several, with more behind.
func (g *gen) answers(calls []string) []string {
	var results []string
	for _, id := range rapidShuffle(g, calls) {
		results = append(results, g.result(id))
	}
	if len(results) > 1 && chance(g.t, 4) {
		return []string{g.message("user", g.array(results[:1])), g.message("user", g.array(results[1:]))}
	}
	if chance(g.t, 6) {
		return []string{g.user(results)}
	}
	return []string{g.message("user", g.array(results))}
}

func (g *gen) result(id string) string {
	block := object{"type", `"tool_result"`, "tool_use_id", quote(id)}
	switch between(g.t, "result", 0, 7) {
	case 0: // some tools answer nothing
	case 1:
		block = append(block, "content", `""`)
	case 2:
		block = append(block, "content", g.array([]string{g.object(object{"type", `"text"`, "text", g.text()})}))
	case 3:
		block = append(block, "content", g.array([]string{g.object(object{"type", `"text"`, "text", g.text()}), g.image()}))
	default:
		block = append(block, "content", g.text())
	}
	if chance(g.t, 5) {
		block = append(block, "is_error", pick(g.t, "is_error", []string{"true", "false"}))
	}
	return g.object(g.cached(block))
}
