// Package convtest makes conversations for tests: valid ones of every format (Conversation), and broken ones (Break).
// Only tests import it. Everything is drawn through rapid, so a failing case shrinks.
package convtest

import (
	"pgregory.net/rapid"

	"tamp/core/msg"
)

// Formats are those that Conversation makes, without aider, whose histories are no JSON.
var Formats = [...]string{msg.Anthropic, msg.OpenAIChat, msg.ClaudeCode, msg.Gemini, msg.AISDK, msg.OpenAIResponses,
	msg.Codex, msg.AISDKUI, msg.Pi, msg.OpenCode, msg.GeminiCLI, msg.Cline, msg.QwenCode, msg.KimiCLI, msg.CopilotCLI,
	msg.VSCodeChat}

// RequestFormats are those whose rules package validator has: all but those of Clients. NewSession makes all formats.
var RequestFormats = Formats[:7]

// Conversation draws a document that its provider accepts: a bare array of messages or a request body, or the lines of
// a log. It may end in an open round, before the results or after them.
func Conversation(t *rapid.T, format string) []byte {
	g := &gen{t: t, pretty: chance(t, 6)}
	switch format {
	case msg.Anthropic:
		return g.body(g.anthropic(), true)
	case msg.OpenAIChat:
		return g.body(g.openAI(), false)
	case msg.ClaudeCode:
		return g.log(g.anthropic())
	case msg.OpenAIResponses:
		return g.responsesBody(g.responses())
	case msg.Codex:
		return g.rollout(g.responses())
	case msg.AISDK:
		return g.aiSDK(translate(format, g.anthropic()))
	case msg.Gemini:
		return g.gemini(translate(format, g.anthropic()))
	case msg.Pi, msg.OpenCode, msg.GeminiCLI, msg.AISDKUI:
		return g.client(format, g.anthropic())
	}
	if wrapped[format] != "" {
		return g.wrapped(format)
	}
	panic("convtest: unknown format " + format)
}

// body puts the messages into a request body, or leaves them bare.
func (g *gen) body(messages []string, anthropic bool) []byte {
	list := g.array(messages)
	if chance(g.t, 2) {
		return []byte(list)
	}
	body := object{"model", quote("test-model")}
	if anthropic && g.caches < 4 && chance(g.t, 8) { // the automatic breakpoint
		g.caches++
		body = append(body, "cache_control", `{"type":"ephemeral"}`)
	}
	if anthropic && chance(g.t, 2) {
		if chance(g.t, 2) {
			body = append(body, "system", g.text())
		} else {
			body = append(body, "system", g.array([]string{g.object(g.cached(object{"type", `"text"`, "text", g.text()}))}))
		}
	}
	if chance(g.t, 2) {
		body = append(body, "tools", g.array(g.tools(anthropic)))
	}
	if chance(g.t, 3) {
		body = append(body, "temperature", "1.0", "seed", "9007199254740993123", "__proto__", `{"polluted":true}`)
	}
	body = append(body, "messages", list)
	if chance(g.t, 3) {
		body = append(body, "stream", "true")
	}
	return []byte(g.object(body))
}

func (g *gen) tools(anthropic bool) []string {
	schema := `{"type":"object","properties":{"path":{"type":"string"}}}`
	var tools []string
	for _, name := range toolNames[:between(g.t, "tools", 1, 3)] {
		if anthropic {
			tools = append(tools, g.object(g.cached(object{"name", quote(name), "input_schema", schema})))
		} else {
			tools = append(tools, `{"type":"function","function":{"name":`+quote(name)+`,"parameters":`+schema+`}}`)
		}
	}
	return tools
}

// aiSDK puts messages into the options of a call, or leaves them bare.
func (g *gen) aiSDK(messages []string) []byte {
	list := g.array(messages)
	if chance(g.t, 2) {
		return []byte(list)
	}
	return []byte(g.object(object{"system", g.text(), "messages", list, "tools",
		`{"bash":{"description":"run","inputSchema":{"jsonSchema":{"type":"object"}}}}`, "temperature", "1.0"}))
}

// gemini puts contents into a request body of the API or into the parameters of Google's SDK, or leaves them bare.
func (g *gen) gemini(contents []string) []byte {
	list := g.array(contents)
	if chance(g.t, 2) {
		return []byte(list)
	}
	body := object{"model", quote(pick(g.t, "model", []string{"gemini-3-pro-preview", "gemini-2.5-flash", "test-model"}))}
	system := `{"parts":[{"text":` + g.text() + `}]}`
	tools := `[{"functionDeclarations":[{"name":"bash","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}]`
	if chance(g.t, 2) {
		body = append(body, "contents", list, "config", `{"systemInstruction":`+g.text()+`,"tools":`+tools+`}`)
	} else {
		body = append(body, "system_instruction", system, "tools", tools, "contents", list, "generationConfig",
			`{"temperature":1.0,"seed":9007199254740993123}`)
	}
	return []byte(g.object(body))
}
