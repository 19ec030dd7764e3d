package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/replay"
)

// Each format of logs says when its records were written, in its own way. The second call starts 90 seconds after the
// first one, when the result of a tool is there.
func TestTimesOfLogs(t *testing.T) {
	balanced, err := policy.Preset("balanced")
	require.NoError(t, err)
	at := func(seconds int) string { return fmt.Sprintf("2026-03-01T10:%02d:%02d.000Z", seconds/60, seconds%60) }
	millis := func(seconds int) int { return 1_772_359_200_000 + 1000*seconds }
	lines := func(all ...string) string { return strings.Join(all, "\n") + "\n" }
	codex := func(seconds int, item string) string {
		return fmt.Sprintf(`{"timestamp":%q,"type":"response_item","payload":%s}`, at(seconds), item)
	}
	pi := func(id, parent string, seconds int, message string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":%s}`, id, parent, at(seconds),
			message)
	}
	for _, row := range []struct{ format, log string }{
		{msg.Codex, lines(codex(0, `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`),
			codex(20, `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`),
			codex(90, `{"type":"function_call_output","call_id":"c","output":"x"}`),
			codex(95, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}`))},
		{msg.Pi, lines(`{"type":"session","version":3,"id":"s"}`, pi("a", "null", 0, `{"role":"user","content":"go"}`),
			pi("b", `"a"`, 20, `{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{}}]}`),
			pi("c", `"b"`, 90, `{"role":"toolResult","toolCallId":"c","toolName":"f","content":[{"type":"text","text":"x"}]}`),
			pi("d", `"c"`, 95, `{"role":"assistant","content":[{"type":"text","text":"done"}]}`))},
		{msg.GeminiCLI, lines(`{"sessionId":"s","projectHash":"p"}`,
			fmt.Sprintf(`{"id":"1","timestamp":%q,"type":"user","content":"go"}`, at(0)),
			fmt.Sprintf(`{"id":"2","timestamp":%q,"type":"gemini","content":"","toolCalls":[{"id":"c","name":"f","args":{},`+
				`"timestamp":%q,"result":[{"functionResponse":{"id":"c","name":"f","response":{"output":"x"}}}]}]}`, at(20), at(90)),
			fmt.Sprintf(`{"id":"3","timestamp":%q,"type":"gemini","content":"done"}`, at(95)))},
		{msg.OpenCode, fmt.Sprintf(`[{"info":{"role":"user","time":{"created":%d}},"parts":[{"type":"text","text":"go"}]},`+
			`{"info":{"role":"assistant","time":{"created":%d,"completed":%d}},"parts":[{"type":"tool","callID":"c","tool":"f",`+
			`"state":{"status":"completed","input":{},"output":"x"}}]},{"info":{"role":"assistant","time":{"created":%d}},`+
			`"parts":[{"type":"text","text":"done"}]}]`, millis(0), millis(20), millis(90), millis(95))},
	} {
		t.Run(row.format, func(t *testing.T) {
			c, err := format.Parse([]byte(row.log), "")
			require.NoError(t, err)
			require.Equal(t, row.format, c.Format)
			report, err := replay.Replay(c, balanced, replay.Options{})
			require.NoError(t, err)
			require.Len(t, report.Calls, 2)
			require.Equal(t, 90, report.Calls[1].IdleSec)
			require.Equal(t, millis(0), report.Calls[0].Time)
		})
	}
}
