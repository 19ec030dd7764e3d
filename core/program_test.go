package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
)

// No preset divides a program, wherever the conversation ends: in its rounds, behind its output, in the next exchange.
func TestPresetsKeepPrograms(t *testing.T) {
	text := strings.Repeat("a line of the file. ", 100)
	caller := `"caller":{"type":"program","caller_id":"p1"}`
	items := []string{`{"role":"user","content":"Fix the parser."}`, `{"role":"assistant","content":"` + text + `"}`,
		`{"role":"user","content":"Now read all files."}`,
		`{"type":"program","id":"pr_1","call_id":"p1","code":"for (const f of files) await read(f)","fingerprint":"AA"}`}
	for i := range 8 {
		n := strconv.Itoa(i)
		items = append(items, `{"type":"function_call","id":"fc_`+n+`","call_id":"c`+n+`","name":"read","arguments":"{}",`+caller+
			"}", `{"type":"function_call_output","call_id":"c`+n+`","output":"`+text+n+`"}`)
	}
	rounds := len(items)
	items = append(items, `{"type":"program_output","id":"po_1","call_id":"p1","result":"`+text+`","status":"completed"}`,
		`{"role":"assistant","content":"Done."}`, `{"role":"user","content":"Thanks. Now the tests."}`)
	for _, end := range []int{rounds - 1, rounds, rounds + 1, rounds + 2, rounds + 3} {
		input := []byte(`{"model":"gpt-6.1","input":[` + strings.Join(items[:end], ",") + "]}")
		for _, preset := range policy.Presets() {
			c, err := format.Parse(input, "")
			require.NoError(t, err)
			p, err := policy.Preset(preset.Name)
			require.NoError(t, err)
			p.Trigger.Window, p.Pin.RecentTokens = 8000, min(p.Pin.RecentTokens, 500)
			env := core.Env{Force: true}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			for round, state := 0, core.State(""); plan != nil && round < 4; round++ {
				out, err := core.Apply(c, state, p, env, plan, summaries(plan))
				require.NoError(t, err, preset.Name)
				c, state, plan = out.Conversation, out.State, out.Next
			}
			written, err := format.Render(c)
			require.NoError(t, err)
			requirePrograms(t, itemsOf(t, input), itemsOf(t, written))
		}
	}
}
