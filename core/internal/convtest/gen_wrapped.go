package convtest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// wrapped are the formats of logs that have the messages of an API, or what is left of them, in a form of their own:
// the API. The forms are those of the packages of the codecs.
var wrapped = map[string]string{msg.Cline: msg.Anthropic, msg.QwenCode: msg.Gemini, msg.KimiCLI: msg.OpenAIChat,
	msg.CopilotCLI: msg.Anthropic, msg.Aider: msg.Anthropic, msg.VSCodeChat: msg.Anthropic}

// wrapped draws a log of a wrapped format.
func (g *gen) wrapped(format string) []byte {
	var messages []string
	switch wrapped[format] {
	case msg.OpenAIChat:
		messages = g.openAI()
	case msg.Gemini:
		messages = translate(msg.Gemini, g.anthropic())
	default:
		messages = g.anthropic()
	}
	document := growWrapped(format, emptyLog(format), messages, 0)
	if format == msg.Cline && chance(g.t, 2) {
		return []byte(`{"version":1,"system_prompt":` + g.text() + `,"messages":` + string(document) + `}`)
	}
	return document
}

// emptyLog is a log of a wrapped format without a message.
func emptyLog(format string) []byte {
	switch format {
	case msg.Cline:
		return []byte("[]")
	case msg.VSCodeChat:
		return []byte(`{"responderUsername":"GitHub Copilot","requests":[]}`)
	case msg.KimiCLI:
		return []byte(`{"role":"_system_prompt","content":"You are careful."}` + "\n" + `{"role":"_checkpoint","id":0}` + "\n")
	case msg.CopilotCLI:
		return []byte(`{"type":"session.start","data":{"sessionId":"s","version":1},"id":"e","timestamp":` +
			`"2026-01-02T03:04:05.000Z","parentId":null}` + "\n")
	case msg.Aider:
		return []byte("# aider chat started at 2026-01-02 03:04:05\n\n> Model: claude-sonnet-4-5 with diff edit format  \n")
	}
	return nil
}

// growWrapped adds messages to a log; the first of them is message number from.
func growWrapped(format string, document []byte, messages []string, from int) []byte {
	if format == msg.Cline {
		list := elements(rawjson.Value(document))
		for n, m := range messages {
			if m := rawjson.Value(m); m.Member("role").Text() != "system" {
				list = append(list, m.With("ts", rawjson.Value(strconv.Itoa(1767323045000+(from+n)*1000))))
			}
		}
		return rawjson.Value(document).WithElements(list)
	}
	if format == msg.VSCodeChat {
		list := elements(rawjson.Value(document).Member("requests"))
		for n, m := range messages {
			list = inRequests(list, rawjson.Value(m), from+n)
		}
		return rawjson.Value(document).With("requests", rawjson.Value("[]").WithElements(list))
	}
	out := bytes.NewBuffer(bytes.Clone(document))
	if n := len(document); n > 0 && document[n-1] != '\n' {
		out.WriteByte('\n')
	}
	parent, id := "null", map[string]string{msg.QwenCode: "uuid", msg.CopilotCLI: "id"}[format]
	for line := range strings.Lines(string(document)) {
		if id != "" && rawjson.Value(line).Member(id) != nil {
			parent = string(rawjson.Value(line).Member(id))
		}
	}
	for n, text := range messages {
		m := rawjson.Value(text)
		role := m.Member("role").Text()
		stamp := fmt.Sprintf(`"timestamp":"2026-01-02T03:04:%02d.000Z"`, 10+(from+n)%50)
		switch format {
		case msg.KimiCLI:
			out.Write(append(m.Line(), '\n'))
			if role == "assistant" {
				fmt.Fprintf(out, `{"role":"_usage","token_count":%d}`+"\n", 100+n)
			}
		case msg.QwenCode:
			kind := map[bool]string{true: `"assistant","model":"qwen3-coder-plus"`, false: `"user"`}[role == "model"]
			uuid := quote("u-" + strconv.Itoa(from+n))
			fmt.Fprintf(out, `{"uuid":%s,"parentUuid":%s,"sessionId":"s",%s,"type":%s,"cwd":"/","message":%s}`+"\n", uuid,
				parent, stamp, kind, m.Line())
			parent = uuid
		case msg.CopilotCLI:
			for k, event := range copilotEvents(m) {
				id := quote(fmt.Sprintf("e-%d-%d", from+n, k))
				fmt.Fprintf(out, `{%s,"id":%s,%s,"parentId":%s}`+"\n", event, id, stamp, parent)
				parent = id
			}
		case msg.Aider:
			said := strings.Trim(saidIn(m), "\n")
			switch {
			case strings.TrimSpace(said) == "" || role == "system":
			case role == "user":
				out.WriteString("\n#### " + strings.ReplaceAll(said, "\n", "  \n#### ") + "  \n")
			default:
				out.WriteString("\n" + said + "\n\n> Tokens: 2.4k sent, 120 received. Cost: $0.0091 message, $0.01 session.  \n")
			}
		}
	}
	return out.Bytes()
}

// saidIn returns the texts of a message of the Messages API.
func saidIn(m rawjson.Value) string {
	text := m.Member("content").Text()
	for _, b := range elements(m.Member("content")) {
		if b.Member("type").Text() == "text" {
			text += b.Member("text").Text()
		}
	}
	return text
}

// copilotEvents returns the type and the data of the events of a message of the Messages API.
func copilotEvents(m rawjson.Value) (events []string) {
	role, said := m.Member("role").Text(), saidIn(m)
	if role == "system" {
		return nil
	}
	var calls []string
	for _, b := range elements(m.Member("content")) {
		switch b.Member("type").Text() {
		case "tool_use":
			calls = append(calls, fmt.Sprintf(`{"toolCallId":%s,"name":%s,"arguments":%s,"type":"function"}`, b.Member("id"),
				b.Member("name"), b.Member("input").Line()))
		case "tool_result":
			text, _ := resultText(b)
			result := `"success":true,"result":{"content":` + quote(text) + `}`
			if b.Member("is_error").IsTrue() {
				result = `"success":false,"error":{"message":` + quote(text) + `}`
			}
			events = append(events, fmt.Sprintf(`"type":"tool.execution_complete","data":{"toolCallId":%s,%s}`,
				b.Member("tool_use_id"), result))
		}
	}
	switch {
	case role == "user" && len(events) == 0 && said == "": // a picture, which an event does not have
		events = append(events, `"type":"user.message","data":{"content":"Look.","attachments":[]}`)
	case role == "user" && said != "":
		events = append(events, `"type":"user.message","data":{"content":`+quote(said)+`,"attachments":[]}`)
	case role == "assistant" && said != "" || len(calls) > 0:
		events = append(events, fmt.Sprintf(`"type":"assistant.message","data":{"messageId":"m","content":%s,`+
			`"toolRequests":[%s]}`, quote(said), strings.Join(calls, ",")))
	}
	return events
}

// inRequests adds message n of the Messages API to the requests of VS Code.
func inRequests(requests []rawjson.Value, m rawjson.Value, n int) []rawjson.Value {
	said := saidIn(m)
	begin := func(prompt string) {
		requests = append(requests, rawjson.Value(fmt.Sprintf(`{"requestId":"r%d","message":{"text":%s,"parts":[]},`+
			`"response":[{"value":"Shown."}],"result":{"metadata":{"toolCallRounds":[{"response":"","toolCalls":[]}],`+
			`"toolCallResults":{}}},"timestamp":%d,"modelId":"copilot/claude-sonnet-4"}`, n, quote(prompt), 1767323045000+n*1000)))
	}
	// change changes a member of the metadata of the last request.
	change := func(name string, to func(old rawjson.Value) rawjson.Value) {
		if len(requests) == 0 {
			begin("")
		}
		last := &requests[len(requests)-1]
		member := func(of rawjson.Value, name, empty string) rawjson.Value {
			if of.Member(name) == nil { // of a request that Tamp wrote
				return rawjson.Value(empty)
			}
			return of.Member(name)
		}
		result := member(*last, "result", "{}")
		metadata := member(result, "metadata", "{}")
		empty := map[string]string{"toolCallRounds": "[]", "toolCallResults": "{}"}[name]
		*last = last.With("result", result.With("metadata", metadata.With(name, to(member(metadata, name, empty)))))
	}
	var calls []rawjson.Value
	isResult := false
	for _, b := range elements(m.Member("content")) {
		switch b.Member("type").Text() {
		case "tool_use":
			calls = append(calls, rawjson.Value(fmt.Sprintf(`{"id":%s,"name":%s,"arguments":%s}`,
				quote(b.Member("id").Text()), b.Member("name"), quote(string(b.Member("input").Line())))))
		case "tool_result":
			isResult = true
			text, _ := resultText(b)
			change("toolCallResults", func(old rawjson.Value) rawjson.Value {
				return old.With(b.Member("tool_use_id").Text(), rawjson.Value(`{"$mid":20,"content":[{"$mid":21,"value":`+
					quote(text)+`}]}`))
			})
		}
	}
	switch m.Member("role").Text() {
	case "user":
		if said == "" && !isResult { // a picture, which a request does not have
			said = "Look."
		}
		if said != "" {
			begin(said)
		}
	case "assistant":
		if said != "" || len(calls) > 0 {
			change("toolCallRounds", func(old rawjson.Value) rawjson.Value {
				return old.WithElements(append(elements(old), rawjson.Value(`{"response":`+quote(said)+`}`).With("toolCalls",
					rawjson.Value("[]").WithElements(calls))))
			})
		}
	}
	return requests
}
