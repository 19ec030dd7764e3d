// Package convtest makes conversations for tests: valid ones of every format (Conversation), and broken ones (Break).
// Only tests import it. Everything is drawn through rapid, so a failing case shrinks.
package convtest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

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

type gen struct {
	t      *rapid.T
	ids    int
	pretty bool // white space between tokens
	caches int  // breakpoints drawn so far
}

// object is JSON members in their order: name, value, name, value.
type object []string

func (g *gen) object(members object) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i < len(members); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(g.space() + quote(members[i]) + ":" + g.space() + members[i+1])
	}
	return b.String() + g.space() + "}"
}

func (g *gen) array(elements []string) string {
	return "[" + g.space() + strings.Join(elements, ","+g.space()) + g.space() + "]"
}

func (g *gen) space() string {
	if !g.pretty {
		return ""
	}
	return "\n  "
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

// cached adds a breakpoint now and then, never a fifth.
func (g *gen) cached(block object) object {
	if g.caches == 4 || !chance(g.t, 8) {
		return block
	}
	g.caches++
	return append(block, "cache_control", `{"type":"ephemeral"}`)
}

func (g *gen) id(prefix string) string {
	g.ids++
	return prefix + strconv.Itoa(g.ids)
}

var toolNames = [...]string{"read_file", "bash", "edit", "grep", "mcp__git__log-1"}

func (g *gen) tool() string { return pick(g.t, "tool", toolNames[:]) }

var texts = [...]string{
	"Please look at the failing test.", "ok", "line one\nline two\n\tindented", "读取文件，然后运行测试。",
	"😀 \U0001F468\u200d\U0001F469\u200d\U0001F467",
	"<system-reminder>keep it short</system-reminder>", "\"quoted\" \\ back / slash <b>&amp;</b>",
	"\u2028\u2029\u0000\u001f", "{\"json\": [1, 2.50, 1e400]}",
	"[Previous: used bash]", "مرحبا", "e\u0301",
}

// rawTexts are JSON strings that no encoder writes: escapes that need none.
var rawTexts = [...]string{`"\u0041\/\u00e9"`, `"\ud83d\ude00"`, `"a\u0000b"`}

// text draws a JSON string that is not empty.
func (g *gen) text() string {
	switch n := between(g.t, "text kind", 0, 19); {
	case n == 0:
		return pick(g.t, "raw text", rawTexts[:])
	case n <= 2:
		return quote(strings.Repeat(pick(g.t, "line", texts[:])+" some output of a tool\n", between(g.t, "lines", 2, 400)))
	case n <= 4:
		return quote("x" + rapid.String().Draw(g.t, "any text"))
	}
	return quote(pick(g.t, "text", texts[:]))
}

// input draws a call's input.
func (g *gen) input() string {
	return pick(g.t, "input", []string{`{}`, `{"path":"core/msg/raw.go"}`,
		`{ "command" : "go test ./..." , "timeout":1.50 }`,
		`{"path":"a","path":"b"}`, `{"text":"读取\n<tag>","deep":{"n":[1,9007199254740993]}}`, `{"__proto__":{"x":1}}`})
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("convtest: cannot quote: %v", err))
	}
	return string(b)
}

func chance(t *rapid.T, one int) bool { return rapid.IntRange(1, one).Draw(t, "one in") == one }

func between(t *rapid.T, label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(t, label)
}

func pick[T any](t *rapid.T, label string, from []T) T { return rapid.SampledFrom(from).Draw(t, label) }

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
