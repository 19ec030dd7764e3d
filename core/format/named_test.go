package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// What is no conversation that Tamp reads is refused by its name, as lines, as an array and with a format that is
// given.
func TestRefusedByName(t *testing.T) {
	cursor := `{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}`
	answer := `{"role":"assistant","message":{"content":[{"type":"text","text":"I look"},{"type":"tool_use","name":"Shell","input":{}}]}}`
	span := `{"traceId":"a","spanId":"b","name":"chat","attributes":{"gen_ai.prompt.0.content":"x"}}`
	acted := `{"id":0,"source":"user","action":"message","args":{"content":"x"}}`
	seen := `{"id":1,"source":"agent","observation":"run","content":"y"}`
	flat := `{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"f","arguments":{"a":1},` +
		`"requestor":"assistant"}]},{"id":"c1","role":"tool","content":"y"}`
	for text, says := range map[string]string{
		cursor + "\n" + answer:                  "Cursor",
		"[" + cursor + "," + answer + "]":       "Cursor",
		cursor:                                  "Cursor",
		span + "\n" + span:                      "spans of OpenTelemetry",
		"[" + span + "]":                        "spans of OpenTelemetry",
		`{"resourceSpans":[{"scopeSpans":[]}]}`: "OpenTelemetry",
		acted + "\n" + seen:                     "OpenHands",
		"[" + acted + "," + seen + "]":          "OpenHands",
		`[{"kind":"MessageEvent","source":"user","llm_message":{}}]`:                                                         "OpenHands",
		`[{"id":"m","message_type":"user_message","content":"x"}]`:                                                           "Letta",
		`{"agent_type":"memgpt_agent","message_ids":[],"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`: "Letta",
		`{"eval":{},"samples":[{"messages":[{"role":"user","content":"x"}]}]}`:                                               "Inspect AI",
		`{"history":[{"role":"user","content":"x"}],"trajectory":[],"info":{}}`:                                              "SWE-agent, it seems: give the value of its history",
		`{"tasks":[],"simulations":[{"messages":[]}]}`:                                                                       "τ²-bench",
		`{"task_id":0,"traj":[]}`:     "give the value of traj",
		`{"messages":[` + flat + `]}`: "without their member function",
		"[" + flat + "]":              "without their member function",
		`[{"role":"user","content":"x"},{"role":"assistant","content":"y","tool_calls":[{"id":"c1","function":"f","type":"function",` +
			`"arguments":{}}]},{"role":"tool","tool_call_id":"c1","function":"f","content":"z"}]`: "Inspect AI",
		"hello there, this is a text\nof two lines":                   "this is plain text, it seems",
		"user: fix it\nassistant: ok\nuser: thanks":                   "a conversation as plain text",
		"**Human:** fix it\n\n**Assistant:** ok":                      "a conversation as plain text",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR":                         "this is a picture (image/png)",
		"\xff\xd8\xff\xe0 and so on":                                  "this is a picture (image/jpeg)",
		"%PDF-1.7\n":                                                  "this is a PDF",
		`{"info":{"id":"s"},"messages":[{"info":{"id":"m","role":"us`: "opencode export writes only a part into a pipe",
		`{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"y"}],"usage":{}}`: "",
	} {
		require.Empty(t, format.Detect([]byte(text)), text)
		_, err := format.Parse([]byte(text), "")
		require.ErrorContains(t, err, says, text)
	}
	for _, text := range []string{"[" + cursor + "," + answer + "]", "[" + flat + "]", "[" + acted + "," + seen + "]"} {
		_, detected := format.Parse([]byte(text), "")
		for _, name := range []string{msg.Anthropic, msg.OpenAIChat} {
			_, err := format.Parse([]byte(text), name)
			require.Error(t, err, text)
			if strings.Contains(text, "requestor") { // the two texts agree
				require.ErrorContains(t, detected, `"function": {"name", "arguments"}`)
				require.ErrorContains(t, err, `"function": {"name", "arguments"}`)
			}
		}
	}
}

// Plain messages for a model of OpenAI are a request to it; a system prompt next to them is still Anthropic's.
func TestModelsOfOpenAI(t *testing.T) {
	const list = `"messages":[{"role":"user","content":"x"}]`
	for text, want := range map[string]string{`{"model":"gpt-5.5",` + list + `}`: msg.OpenAIChat,
		`{"model":"openai/gpt-6-astra","max_tokens":9,` + list + `}`: msg.OpenAIChat, `{"model":"o3-mini",` + list + `}`: msg.OpenAIChat,
		`{"model":"claude-opus-4-5",` + list + `}`: msg.Anthropic, `{` + list + `}`: msg.Anthropic,
		`{"model":"gpt-5.5","system":"s",` + list + `}`: msg.Anthropic} {
		require.Equal(t, want, format.Detect([]byte(text)), text)
	}
}
