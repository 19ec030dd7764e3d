package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

const logLine = `{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}`

var detectRows = []struct{ name, data, want, why string }{
	{"bare text messages", `[{"role":"user","content":"hi"}]`, msg.Anthropic, "text alone is anthropic"},
	{"body of text", `{"messages":[{"role":"user","content":"hi"}]}`, msg.Anthropic, "likewise"},
	{"empty array", `[]`, msg.Anthropic, "no messages: for Check to report"},
	{"empty messages", `{"messages":[]}`, msg.Anthropic, "likewise"},
	{"system next to messages", `{"system":"x","messages":[{"role":"user","content":"hi"}]}`, msg.Anthropic,
		"a member that only Anthropic has"},
	{"system first", `[{"role":"system","content":"x"},{"role":"user","content":"hi"}]`, msg.OpenAIChat,
		"OpenAI's system prompt is a message"},
	{"developer first", `[{"role":"developer","content":"x"}]`, msg.OpenAIChat, "OpenAI's newer word"},
	{"system in the middle", `[{"role":"user","content":"hi"},{"role":"system","content":"x"}]`, msg.Anthropic,
		"Anthropic allows it there"},
	{"tool role", `[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"1","content":""}]`, msg.OpenAIChat,
		"decisive"},
	{"tool_calls", `[{"role":"assistant","tool_calls":[]}]`, msg.OpenAIChat, "decisive"},
	{"tool_calls of the wrong shape", `[{"role":"assistant","tool_calls":5}]`, msg.OpenAIChat, "Parse says what is wrong"},
	{"tool_calls null", `[{"role":"assistant","content":"x","tool_calls":null}]`, msg.Anthropic, "null says nothing"},
	{"function_call", `[{"role":"assistant","function_call":{"name":"f","arguments":""}}]`, msg.OpenAIChat, "deprecated"},
	{"function role", `[{"role":"function","name":"f","content":""}]`, msg.OpenAIChat, "deprecated"},
	{"image_url", `[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]`, msg.OpenAIChat,
		"a part that only OpenAI has"},
	{"tool_use", `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}]`, msg.Anthropic,
		"a block that only Anthropic has"},
	{"server result", `[{"role":"assistant","content":[{"type":"web_fetch_tool_result","tool_use_id":"1"}]}]`,
		msg.Anthropic, "likewise"},
	{"thinking under a system message",
		`[{"role":"system","content":"x"},{"role":"assistant","content":[{"type":"thinking","thinking":""}]}]`, msg.Anthropic,
		"blocks weigh more than the first role"},
	{"tools of Anthropic", `{"tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"system","content":"x"}]}`,
		msg.Anthropic, "tools have a shape too"},
	{"tools of OpenAI",
		`{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"x"}]}`, msg.OpenAIChat,
		"likewise"},
	{"unknown role", `[{"role":"narrator","content":"x"}]`, msg.Anthropic, "kept; Check reports it"},
	{"pretty-printed", "{\n  \"messages\": [\n    {\"role\": \"user\", \"content\": \"hi\"}\n  ]\n}\n", msg.Anthropic,
		"its first line is no value"},
	{"log", logLine, msg.ClaudeCode, "one line is a log"},
	{"log after a summary", "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"a\"}\n" + logLine, msg.ClaudeCode,
		"older logs begin so"},
	{"log after a snapshot", "{\"type\":\"file-history-snapshot\",\"snapshot\":{}}\r\n\r\n" + logLine + "\r\n",
		msg.ClaudeCode, "newer logs begin so"},
	{"log with a byte order mark", "\xEF\xBB\xBF" + logLine, msg.ClaudeCode, "some editors write one"},
	{"log cut short", logLine + "\n{\"type\":\"us", msg.ClaudeCode, "the agent was stopped while writing"},
	{"log with a broken first line", "{\"type\":\n" + logLine, msg.ClaudeCode, "Parse names the line"},
	{"body with uuid and type", `{"type":"x","uuid":"y","messages":[{"role":"user","content":"hi"}]}`, msg.Anthropic,
		"messages weigh more"},
	{"empty object", `{}`, "", "says nothing"},
	{"Gemini", `{"contents":[{"role":"user","parts":[{"text":"x"}]}]}`, msg.Gemini, "contents"},
	{"Gemini's single part", `{"contents":[{"role":"user","parts":{"text":"x"}}],"system_instruction":{"parts":{"text":"x"}}}`,
		msg.Gemini, "Google's documentation writes it"},
	{"Gemini's bare contents", `[{"role":"user","parts":[{"text":"x"}]}]`, msg.Gemini, "parts without a type"},
	{"Responses", `{"input":[{"role":"user","content":"x"}]}`, msg.OpenAIResponses, "the member of its items"},
	{"Responses' single prompt", `{"model":"m","input":"x"}`, msg.OpenAIResponses, "the short form of one"},
	{"Responses' bare input",
		`[{"role":"user","content":[{"type":"input_text","text":"x"}]},{"type":"function_call","name":"f"}]`,
		msg.OpenAIResponses, "parts and items that only it has"},
	{"Codex log", "{\"timestamp\":\"x\",\"type\":\"session_meta\",\"payload\":{}}\n{\"timestamp\":\"x\",\"type\":\"event_msg\",\"payload\":{}}", msg.Codex, "a payload with its time"},
	{"pi log", "{\"type\":\"session\",\"version\":3}\n{\"type\":\"message\",\"id\":\"a\"}", msg.Pi, "a header of type session"},
	{"pi log without a header", `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}}`, msg.Pi,
		"a message in a line of type message"},
	{"Gemini CLI session", "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n{\"id\":\"m\"}", msg.GeminiCLI, "its header"},
	{"older Gemini CLI session", `{"sessionId":"s","messages":[{"id":"m","type":"user","content":[{"inlineData":{}}]}]}`,
		msg.GeminiCLI, "the type of a message; its parts are Gemini's"},
	{"opencode export", `[{"info":{"role":"user"},"parts":[{"type":"text","text":"x"}]}]`, msg.OpenCode, "info and parts"},
	{"UIMessage[]", `[{"id":"m","role":"user","parts":[{"type":"text","text":"x"}]}]`, msg.AISDKUI, "parts with a type"},
	{"older Codex log", "{\"id\":\"x\",\"timestamp\":\"y\",\"instructions\":null,\"git\":{}}\n{\"type\":\"message\",\"role\":\"user\",\"content\":[]}",
		msg.Codex, "one item a line"},
	{"Cline", `[{"role":"user","content":"x","ts":1767323045000}]`, msg.Cline, "messages with a time"},
	{"Cline's session", `{"version":1,"messages":[{"id":"m","role":"user","content":[],"ts":1}]}`, msg.Cline, "a time"},
	{"Roo Code", `[{"role":"assistant","content":[{"type":"reasoning","text":"x"},{"type":"tool_use","id":"t","name":"f",` +
		`"input":{}}],"ts":1},{"type":"reasoning","encrypted_content":"x","ts":2}]`, msg.Cline, "its parts are of two formats"},
	{"AI SDK with times", `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t"}],"ts":1}]`, msg.AISDK,
		"a decisive part"},
	{"Qwen Code", `{"uuid":"a","type":"user","message":{"role":"user","parts":[{"text":"x"}]}}`, msg.QwenCode, "contents"},
	{"Qwen Code's first line", `{"uuid":"a","type":"system","subtype":"session_model","systemPayload":{}}`, msg.QwenCode,
		"the payload of its own lines"},
	{"Kimi CLI", "{\"role\":\"_checkpoint\",\"id\":0}\n{\"role\":\"user\",\"content\":\"x\"}", msg.KimiCLI, "lines of its own"},
	{"Copilot CLI", `{"type":"session.start","data":{},"id":"a","timestamp":"x","parentId":null}`, msg.CopilotCLI, "events"},
	{"aider", "\n# aider chat started at 2026-01-02 03:04:05\n\n#### hi  \n", msg.Aider, "its first line"},
	{"VS Code", `{"responderUsername":"GitHub Copilot","requests":[]}`, msg.VSCodeChat, "who answers"},
	{"VS Code's log of changes", "{\"kind\":0,\"v\":{\"responderUsername\":\"\"}}\n{\"kind\":1,\"k\":[\"a\"],\"v\":1}", "",
		"Parse says what to give"},
	{"numbers", `[1,2,3]`, "", "no messages"},
	{"string", `"hello"`, "", "no messages"},
	{"null", `null`, "", "no messages"},
	{"messages is a number", `{"messages":1}`, "", "Parse says where"},
	{"empty file", ``, "", "nothing"},
	{"white space", " \n\t", "", "nothing"},
	{"binary", "\x7fELF\x00\x01", "", "no text"},
	{"prose", "hello world", "", "no JSON"},
}

// Files that are no conversation, or one of another kind than they seem, get the hint that helps.
func TestHints(t *testing.T) {
	for data, says := range map[string]string{
		"SQLite format 3\x00\x10\x00":                         "opencode export",
		`{"resourceSpans":[{"scopeSpans":[]}]}`:               "OpenTelemetry",
		`[{"ts":1,"type":"say","say":"text","text":"hi"}]`:    "api_conversation_history.json",
		`{"version":1,"requests":[{"message":{"text":"x"}}]}`: "an export of another program",
	} {
		_, err := format.Parse([]byte(data), "")
		require.ErrorContains(t, err, says, data)
	}
	c, err := format.Parse([]byte(`{"info":{"exit_status":"Submitted"},"messages":[{"role":"system","content":"x"},`+
		`{"role":"user","content":"y"}],"trajectory_format":"mini-swe-agent-1"}`), "")
	require.NoError(t, err)
	require.Equal(t, msg.OpenAIChat, c.Format)
}

func TestDetect(t *testing.T) {
	for _, row := range detectRows {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.want, format.Detect([]byte(row.data)), row.why)
		})
	}
}

// The error for an unknown format describes the input and lists the accepted formats, and never quotes content.
func TestRefusals(t *testing.T) {
	for _, row := range []struct {
		name, data string
		code       msg.Code
		path, want string
	}{
		{"empty file", "", msg.BadJSON, "", "the input is empty"},
		{"white space", " \r\n\t ", msg.BadJSON, "", "the input is empty"},
		{"byte order mark alone", "\xEF\xBB\xBF", msg.BadJSON, "", "the input is empty"},
		{"not JSON", "hello", msg.BadJSON, "", "line 1, column 1"},
		{"binary", "\x00\xff\xfe", msg.BadJSON, "", "line 1, column 1"},
		{"truncated", "{\"messages\": [\n  {\"role\": \"us", msg.BadJSON, "", "line 2, column 12"},
		{"two documents", "{\"messages\":[]}\nrubbish", msg.BadJSON, "", "line 2, column 1"},
		{"empty object", "{}", msg.UnknownFormat, "", "this is an empty object; accepted are an Anthropic"},
		{"keys, not content", `{"secret":"s3cr3t","b":1}`, msg.UnknownFormat, "", `the keys "secret", "b";`},
		{"one key", `{"items":[]}`, msg.UnknownFormat, "", `the key "items"`},
		{"many keys", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}`, msg.UnknownFormat, "", `"e" and 2 more`},
		{"a key too long to be one", `{"` + strings.Repeat("k", 100) + `":1}`, msg.UnknownFormat, "", "kkk…"},
		{"Responses without a list", `{"input":5}`, msg.BadMessage, "/input", "input is a number"},
		{"array of numbers", `[1]`, msg.UnknownFormat, "", "an array that begins with a number"},
		{"array of objects", `[{"a":1}]`, msg.UnknownFormat, "", `an array that begins with an object with the key "a"`},
		{"null", `null`, msg.UnknownFormat, "", "this is null"},
		{"pi's messages without their lines", `[{"role":"toolResult","toolCallId":"t","content":[]}]`, msg.UnknownFormat, "",
			"a pi session log (JSONL), it seems); give the lines of the session file"},
		{"UIMessage[] of version 4", `[{"id":"1","role":"user","content":"x","toolInvocations":[]}]`, msg.BadMessage, "/0",
			"version 5"},
		{"UIMessage[] of version 4, text alone", `[{"id":"1","role":"user","content":"x","parts":[{"type":"text","text":"x"}]}]`,
			msg.BadMessage, "/0", "version 5"},
		{"UTF-16", "\xff\xfe[\x00]\x00", msg.BadJSON, "", "UTF-16, it seems; save it as UTF-8"},
		{"an answer of Anthropic's API", `{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn"}`,
			msg.UnknownFormat, "", "an answer of an API, it seems"},
		{"an answer of OpenAI's API", `{"id":"x","choices":[]}`, msg.UnknownFormat, "", "an answer of an API, it seems"},
		{"a recorded request", `{"url":"x","body":{"messages":[{"role":"user","content":"x"}]}}`, msg.UnknownFormat, "",
			`(give the value of "body", which has messages)`},
		{"what Cline shows", `[{"ts":1,"type":"say","say":"text"}]`, msg.UnknownFormat, "", "api_conversation_history.json"},
		{"an export of ChatGPT", `[{"title":"x","mapping":{}}]`, msg.UnknownFormat, "", "an export of another program"},
		{"messages as lines", "{\"role\":\"user\",\"content\":\"x\"}\n{\"role\":\"user\",\"content\":\"y\"}", msg.UnknownFormat, "",
			"(give messages as one JSON array)"},
		{"conversations as lines", "{\"messages\":[]}\n{\"messages\":[]}", msg.UnknownFormat, "", "(give one of the lines)"},
		{"messages is no array", `{"messages":{}}`, msg.BadMessage, "/messages", "is an object"},
		{"messages hold numbers", `{"messages":[1]}`, msg.BadMessage, "/messages/0", "it is a number"},
		{"depth bomb", strings.Repeat("[", 5000), msg.TooLarge, "", "deeper than 1000"},
		{"depth bomb in a message", `[{"role":"user","content":` + strings.Repeat(`{"a":`, 1000) + `1` +
			strings.Repeat("}", 1000) + `}]`, msg.TooLarge, "", "deeper than 1000"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := format.Parse([]byte(row.data), "")
			var known *msg.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, row.code, known.Code, err)
			require.Equal(t, row.path, known.Path)
			require.ErrorContains(t, err, row.want)
			require.NotContains(t, err.Error(), "s3cr3t")
		})
	}
}

func TestUnknownNames(t *testing.T) {
	_, err := format.Parse([]byte("[]"), "bedrock")
	require.ErrorContains(t, err,
		`cannot use the format "bedrock": it is unknown; accepted are `+strings.Join(format.Names(), ", "))
	_, err = format.Render(&msg.Conversation{})
	require.Equal(t, msg.UnknownFormat, err.(*msg.Error).Code)
}

// A conversation that was made and not read is written in the format's plainest shape.
func TestRenderMade(t *testing.T) {
	for _, row := range []struct{ format, want string }{
		{msg.Anthropic, `[{"role":"user","content":"hi"}]`},
		{msg.OpenAIChat, `[{"role":"user","content":"hi"}]`},
	} {
		c := &msg.Conversation{Format: row.format, Messages: []msg.Message{msg.TextMessage(msg.User, "hi")}}
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, row.want, string(out))
	}
	c := &msg.Conversation{Format: msg.ClaudeCode,
		Messages: []msg.Message{msg.TextMessage(msg.User, "hi"), msg.TextMessage(msg.Assistant, "ho")}}
	out, err := format.Render(c)
	require.NoError(t, err)
	back, err := format.Parse(out, "")
	require.NoError(t, err)
	require.Equal(t, told(c.Messages), told(back.Messages))
}

func FuzzDetect(f *testing.F) {
	for _, row := range detectRows {
		f.Add([]byte(row.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := format.Detect(data)
		c, err := format.Parse(data, "")
		if name == "" {
			require.Error(t, err)
			return
		}
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		require.Equal(t, name, c.Format)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
	})
}
