package format_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// large writes a conversation of about size bytes: tool results of a few kilobytes, as agents have them.
func large(name string, size int) []byte {
	text := strings.Repeat(`some output \"quoted\" of a tool\n\twith 漢字, /paths/of/files.go:12 and numbers 12345\n`, 40)
	var b bytes.Buffer
	round := func(i int) string {
		switch name {
		case msg.Gemini:
			return fmt.Sprintf(`{"role":"model","parts":[{"functionCall":{"id":"t%d","name":"f","args":{"n":%d}}}]},{"role":"user","parts":[{"functionResponse":{"id":"t%d","name":"f","response":{"output":"%s"}}}]}`, i, i, i, text)
		case msg.AISDK:
			return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t%d","toolName":"f","input":{"n":%d}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"t%d","toolName":"f","output":{"type":"text","value":"%s"}}]}`, i, i, i, text)
		case msg.KimiCode:
			lines := `{"type":"context.append_loop_event","event":{"type":"step.begin","uuid":"s%d","turnId":"0","step":%d}}` + "\n" +
				`{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"t%d","name":"f","args":{"n":%d}}}` + "\n" +
				`{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"t%d","result":{"output":"%s"}}}`
			if i == 0 {
				lines = `{"type":"metadata","protocol_version":"1.5","created_at":1}` + "\n" + lines
			}
			return fmt.Sprintf(lines, i, i, i, i, i, text)
		case msg.OpenAIChat:
			return fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"f","arguments":"{\"n\":%d}"}}]},{"role":"tool","tool_call_id":"c%d","content":"%s"}`, i, i, i, text)
		case msg.OpenAIResponses:
			return fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"f","arguments":"{\"n\":%d}"},{"type":"function_call_output","call_id":"c%d","output":"%s"}`, i, i, i, text)
		case msg.Interactions:
			return fmt.Sprintf(`{"type":"function_call","id":"c%d","name":"f","arguments":{"n":%d}},{"type":"function_result","call_id":"c%d","result":"%s"}`, i, i, i, text)
		case msg.Cline:
			return fmt.Sprintf(`{"role":"assistant","ts":1,"content":[{"type":"tool_use","id":"t%d","name":"f","input":{"n":%d}}]},{"role":"user","ts":2,"content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i, i, i, text)
		case msg.QwenCode:
			return fmt.Sprintf(`{"uuid":"a%d","parentUuid":"r%d","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"t%d","name":"f","args":{"n":%d}}}]}}`+"\n"+
				`{"uuid":"r%d","parentUuid":"a%d","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t%d","name":"f","response":{"output":"%s"}}}]}}`, i, i-1, i, i, i, i, i, text)
		case msg.KimiCLI:
			return fmt.Sprintf(`{"role":"_checkpoint","id":%d}`+"\n"+`{"role":"assistant","content":[],"tool_calls":[{"type":"function","id":"t%d","function":{"name":"f","arguments":"{}"}}]}`+"\n"+
				`{"role":"tool","tool_call_id":"t%d","content":"%s"}`, i, i, i, text)
		case msg.GrokCLI:
			return fmt.Sprintf(`{"type":"assistant","content":"","tool_calls":[{"id":"t%d","name":"f","arguments":"{}"}],"model_id":"m"}`+"\n"+
				`{"type":"tool_result","tool_call_id":"t%d","content":"%s"}`, i, i, text)
		case msg.Crush:
			return fmt.Sprintf(`{"id":"a%d","role":"assistant","created":"t","parts":[{"type":"tool_call","tool_call_id":"t%d","name":"f","input":"{}"},{"type":"finish"}]},`+
				`{"id":"r%d","role":"tool","created":"t","parts":[{"type":"tool_result","tool_call_id":"t%d","name":"f","content":"%s"},{"type":"finish"}]}`, i, i, i, i, text)
		case msg.CopilotCLI:
			return fmt.Sprintf(`{"type":"assistant.message","data":{"messageId":"m%d","content":"","toolRequests":[{"toolCallId":"t%d","name":"f","arguments":{"n":%d}}]},"id":"a%d","parentId":null,"timestamp":"t"}`+"\n"+
				`{"type":"tool.execution_complete","data":{"toolCallId":"t%d","success":true,"result":{"content":"%s"}},"id":"r%d","parentId":"a%d","timestamp":"t"}`, i, i, i, i, i, text, i, i)
		case msg.Aider:
			start := ""
			if i == 0 {
				start = "# aider chat started at 2026\n"
			}
			return start + "\n#### go  \n\n" + text
		case msg.VSCodeChat:
			return fmt.Sprintf(`{"requestId":"r%d","message":"go","result":{"metadata":{"toolCallRounds":[{"response":"","toolCalls":[{"id":"t%d","name":"f","arguments":"{}"}]}],"toolCallResults":{"t%d":{"content":[{"value":"%s"}]}}}}}`, i, i, i, text)
		case msg.Codex:
			return fmt.Sprintf(`{"timestamp":"t","type":"response_item","payload":{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}}`+"\n"+
				`{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"c%d","output":"%s"}}`, i, i, text)
		case msg.Pi:
			return fmt.Sprintf(`{"type":"message","id":"a%d","parentId":"r%d","message":{"role":"assistant","content":[{"type":"toolCall","id":"t%d","name":"f","arguments":{"n":%d}}]}}`+"\n"+
				`{"type":"message","id":"r%d","parentId":"a%d","message":{"role":"toolResult","toolCallId":"t%d","toolName":"f","content":[{"type":"text","text":"%s"}]}}`, i, i-1, i, i, i, i, i, text)
		case msg.GeminiCLI:
			return fmt.Sprintf(`{"id":"m%d","type":"gemini","content":"","toolCalls":[{"id":"t%d","name":"f","args":{"n":%d},"result":[{"functionResponse":{"id":"t%d","name":"f","response":{"output":"%s"}}}]}]}`, i, i, i, i, text)
		case msg.OpenCode:
			return fmt.Sprintf(`{"info":{"role":"assistant","id":"m%d"},"parts":[{"type":"tool","callID":"t%d","tool":"f","state":{"status":"completed","input":{"n":%d},"output":"%s"}}]}`, i, i, i, text)
		case msg.AISDKUI:
			return fmt.Sprintf(`{"id":"m%d","role":"assistant","parts":[{"type":"tool-f","toolCallId":"t%d","state":"output-available","input":{"n":%d},"output":"%s"}]}`, i, i, i, text)
		case msg.ClaudeCode:
			up := "null"
			if i > 0 {
				up = fmt.Sprintf(`"r%d"`, i-1)
			}
			return fmt.Sprintf(`{"parentUuid":%s,"type":"assistant","uuid":"a%d","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"f","input":{"n":%d}}]}}`+"\n"+
				`{"parentUuid":"a%d","type":"user","uuid":"r%d","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}}`, up, i, i, i, i, i, i, i, text)
		}
		return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"f","input":{"n":%d}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i, i, i, text)
	}
	separator := ","
	if format.IsLines(name) {
		separator = "\n"
	} else {
		b.WriteString(`{"` + convtest.List(name) + `":[`)
		if name == msg.VSCodeChat {
			b.Reset()
			b.WriteString(`{"responderUsername":"","requests":[`)
		} else if name == msg.Crush {
			b.Reset()
			b.WriteString(`{"meta":{"uuid":"s"},"messages":[`)
		}
	}
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(round(i))
	}
	if !format.IsLines(name) {
		b.WriteString("]}")
	}
	return b.Bytes()
}

// 100 MB of valid input is read and written back in seconds; input over the limit is refused before it is parsed.
func TestLargeInput(t *testing.T) {
	for _, name := range convtest.InTurn(format.Names()) {
		t.Run(name, func(t *testing.T) {
			size := 100 << 20
			if runtime.GOARCH == "wasm" && name != msg.Anthropic {
				size = 10 << 20 // the memory is the same for all; their time is measured natively
			}
			data := large(name, size)
			start := convtest.CPUTime()
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			require.Equal(t, name, c.Format)
			t.Logf("read %d messages in %v", len(c.Messages), convtest.CPUTime()-start)
			last := len(c.Messages) - 1
			messages := append([]msg.Message(nil), c.Messages...)
			messages[last] = messages[last].WithBlocks([]msg.Block{messages[last].Blocks[0].WithText("cleared")})
			out, err := format.Render(c.WithMessages(messages))
			if name == msg.KimiCode || name == msg.Crush { // they are only read
				require.ErrorContains(t, err, "cannot write the conversation")
			} else {
				require.NoError(t, err)
				require.Less(t, len(out), len(data))
			}
			t.Logf("read and written in %v", convtest.CPUTime()-start)
			// Linear is a second or two on a slow machine; quadratic is many minutes.
			require.Less(t, convtest.CPUTime()-start, 20*time.Second)
		})
	}
}

func TestTooLarge(t *testing.T) {
	data := make([]byte, msg.MaxBytes+1)
	_, err := format.Parse(data, "")
	require.Equal(t, msg.TooLarge, err.(*msg.Error).Code)
	require.ErrorContains(t, err, "at most 256 MiB")
	require.Empty(t, format.Detect(data))
	for _, name := range format.Names() {
		_, err := format.Parse(data, name)
		require.Equal(t, msg.TooLarge, err.(*msg.Error).Code)
	}
}

// Many lines or many messages cost no more than their number.
func TestManySmall(t *testing.T) {
	n := 200_000
	if convtest.Fewer() {
		n /= 4
	}
	line := `{"uuid":"x","parentUuid":"x","type":"user","message":{"role":"user","content":"x"}}` + "\n"
	for _, test := range convtest.InTurn([]struct{ name, data string }{
		{"repeated uuids", strings.Repeat(line, n)},
		{"messages", "[" + strings.Repeat(`{"role":"user","content":"x"},`, n) + `{"role":"user","content":"x"}]`},
		{"blocks", `[{"role":"user","content":[` + strings.Repeat(`{"type":"text","text":"x"},`, n) +
			`{"type":"text","text":"x"}]}]`},
		{"members", `[{"role":"user",` + strings.Repeat(`"content":"x",`, n) + `"content":"x"}]`},
		{"lines that fork", `{"uuid":"x","type":"user","message":{"role":"user","content":"x"}}` + "\n" +
			strings.ReplaceAll(strings.Repeat(line, n), `"uuid":"x"`, `"uuid":"y"`)},
		{"rounds of a chat", `{"responderUsername":"x","requests":[{"message":"x","result":{"metadata":{"toolCallRounds":[` +
			strings.Repeat(`{"response":"x","toolCalls":[]},`, n) + `{"response":"x","toolCalls":[]}]}}}]}`},
		{"parts of a chat", `{"responderUsername":"x","requests":[{"message":"x","response":[` +
			strings.Repeat(`{"value":"`+strings.Repeat("x", 100)+`"},`, n) + `{"value":"x"}]}]}`},
	}) {
		t.Run(test.name, func(t *testing.T) {
			start := convtest.CPUTime()
			c, err := format.Parse([]byte(test.data), "")
			require.NoError(t, err)
			messages := append([]msg.Message(nil), c.Messages...)
			messages[0] = messages[0].WithBlocks(append([]msg.Block{msg.TextBlock("y")}, messages[0].Blocks...))
			_, err = format.Render(c.WithMessages(messages))
			require.NoError(t, err)
			// As above.
			require.Less(t, convtest.CPUTime()-start, 10*time.Second)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, name := range format.Names() {
		b.Run(name, func(b *testing.B) {
			data := large(name, 4<<20)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := format.Parse(data, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	for _, name := range format.Names() {
		b.Run(name, func(b *testing.B) {
			data := large(name, 4<<20)
			c, err := format.Parse(data, "")
			require.NoError(b, err)
			messages := append([]msg.Message(nil), c.Messages...)
			for i := 1; i < len(messages); i += 4 {
				messages[i] = messages[i].WithBlocks([]msg.Block{messages[i].Blocks[0].WithText("cleared")})
			}
			edited := c.WithMessages(messages)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := format.Render(edited); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
