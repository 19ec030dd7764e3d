package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
)

// A round of an agent in each format: a call and its result, "%d" its number and "%s" the JSON string of the result.
// Before them is a prompt, which is the text around the rounds up to "…".
var benchRounds = map[string][2]string{
	msg.Anthropic: {`[{"role":"user","content":"go"}…]`, `,{"role":"assistant","content":[{"type":"tool_use","id":"c%[1]d",` +
		`"name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%[1]d","content":%[2]s}]}`},
	msg.OpenAIChat: {`[{"role":"user","content":"go"}…]`, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%[1]d",` +
		`"type":"function","function":{"name":"read","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c%[1]d","content":%[2]s}`},
	msg.OpenAIResponses: {`[{"role":"user","content":"go"}…]`, `,{"type":"function_call","call_id":"c%[1]d","name":"read",` +
		`"arguments":"{}"},{"type":"function_call_output","call_id":"c%[1]d","output":%[2]s}`},
	msg.Gemini: {`[{"role":"user","parts":[{"text":"go"}]}…]`, `,{"role":"model","parts":[{"functionCall":{"id":"c%[1]d",` +
		`"name":"read","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c%[1]d","name":"read",` +
		`"response":{"output":%[2]s}}}]}`},
	msg.AISDK: {`[{"role":"user","content":"go"}…]`, `,{"role":"assistant","content":[{"type":"tool-call",` +
		`"toolCallId":"c%[1]d","toolName":"read","input":{}}]},{"role":"tool","content":[{"type":"tool-result",` +
		`"toolCallId":"c%[1]d","toolName":"read","output":{"type":"text","value":%[2]s}}]}`},
	msg.AISDKUI: {`[{"id":"u","role":"user","parts":[{"type":"text","text":"go"}]}…]`, `,{"id":"m%[1]d","role":"assistant",` +
		`"parts":[{"type":"tool-read","toolCallId":"c%[1]d","state":"output-available","input":{},"output":%[2]s}]}`},
	msg.ClaudeCode: {`{"uuid":"u-1","parentUuid":null,"type":"user","message":{"role":"user","content":"go"}}…`, "\n" +
		`{"uuid":"a%[1]d","parentUuid":"u%[3]d","type":"assistant","message":{"id":"m%[1]d","role":"assistant","content":[` +
		`{"type":"tool_use","id":"c%[1]d","name":"read","input":{}}]}}` + "\n" +
		`{"uuid":"u%[1]d","parentUuid":"a%[1]d","type":"user","message":{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"c%[1]d","content":%[2]s}]}}`},
	msg.Codex: {`{"timestamp":"x","type":"response_item","payload":{"type":"message","role":"user","content":[` +
		`{"type":"input_text","text":"go"}]}}…`, "\n" + `{"timestamp":"x","type":"response_item","payload":{` +
		`"type":"function_call","call_id":"c%[1]d","name":"read","arguments":"{}"}}` + "\n" + `{"timestamp":"x",` +
		`"type":"response_item","payload":{"type":"function_call_output","call_id":"c%[1]d","output":%[2]s}}`},
	msg.Pi: {`{"type":"session","version":3,"id":"s"}` + "\n" +
		`{"type":"message","id":"u-1","parentId":null,"message":{"role":"user","content":"go"}}…`, "\n" +
		`{"type":"message","id":"a%[1]d","parentId":"u%[3]d","message":{"role":"assistant","content":[{"type":"toolCall",` +
		`"id":"c%[1]d","name":"read","arguments":{}}]}}` + "\n" + `{"type":"message","id":"u%[1]d","parentId":"a%[1]d",` +
		`"message":{"role":"toolResult","toolCallId":"c%[1]d","toolName":"read","content":[{"type":"text","text":%[2]s}]}}`},
	msg.GeminiCLI: {`{"sessionId":"s","projectHash":"p"}` + "\n" + `{"id":"u","type":"user","content":"go"}…`, "\n" +
		`{"id":"m%[1]d","type":"gemini","content":"","toolCalls":[{"id":"c%[1]d","name":"read","args":{},"result":[` +
		`{"functionResponse":{"id":"c%[1]d","name":"read","response":{"output":%[2]s}}}]}]}`},
	msg.OpenCode: {`[{"info":{"id":"u","role":"user"},"parts":[{"type":"text","text":"go"}]}…]`, `,{"info":{"id":"m%[1]d",` +
		`"role":"assistant"},"parts":[{"type":"tool","callID":"c%[1]d","tool":"read","state":{"status":"completed",` +
		`"input":{},"output":%[2]s}}]}`},
}

// benchSession is a session of a format with about size bytes.
func benchSession(name string, size int) []byte {
	var rounds strings.Builder
	for i := 0; rounds.Len() < size; i++ {
		text := fmt.Sprintf(`"file %d\n%s"`, i, strings.Repeat("\\tline of the file, with some words and core/msg/raw.go:12\\n", 60))
		round := strings.ReplaceAll(strings.ReplaceAll(benchRounds[name][1], "%[2]s", text), "%[1]d", fmt.Sprint(i))
		rounds.WriteString(strings.ReplaceAll(round, "%[3]d", fmt.Sprint(i-1)))
	}
	before, after, _ := strings.Cut(benchRounds[name][0], "…")
	return []byte(before + rounds.String() + after)
}

// BenchmarkFormats is a turn of 4 MB in each format: parse, plan, apply, render.
func BenchmarkFormats(b *testing.B) {
	p, err := policy.Preset("harness")
	require.NoError(b, err)
	for _, name := range format.Names() {
		b.Run(name+"/4MB", func(b *testing.B) {
			data := benchSession(name, 4<<20)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				c, err := format.Parse(data, "")
				require.NoError(b, err)
				require.Equal(b, name, c.Format)
				_, out := step(b, c, p, core.Env{Force: true})
				require.Less(b, out.After, out.Before)
				_, err = format.Render(out.Conversation)
				require.NoError(b, err)
			}
		})
	}
}
