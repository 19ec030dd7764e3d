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

// A program that a prompt of the user interrupts, before an output or before its own, is kept or removed whole, and
// none of its outputs is cleared, whether it returns later or not.
func TestPresetsKeepInterruptedPrograms(t *testing.T) {
	text := strings.Repeat("a line of the file. ", 100)
	presets, few, all := policy.Presets(), 1, 36
	if testing.Short() {
		few, all = 5, 18
	}
	for n := 0; n < all; n++ {
		interruptedAt, returns, server := n%3, n/3%3 == 0, n%2 == 0
		var calls, outputs []string // of one round
		caller := `"caller":{"type":"program","caller_id":"p1"}`
		if server {
			caller = `"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}`
		}
		for i := range 6 {
			id := strconv.Itoa(i)
			call := `{"type":"function_call","id":"fc_` + id + `","call_id":"c` + id + `","name":"read","arguments":"{}",` + caller + "}"
			output := `{"type":"function_call_output","call_id":"c` + id + `","output":"` + text + id + `"}`
			if server {
				call = `{"type":"tool_use","id":"c` + id + `","name":"read","input":{},` + caller + "}"
				output = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c` + id + `","content":"` + text + id + `"}]}`
			}
			calls, outputs = append(calls, call), append(outputs, output)
		}
		code, end := `{"type":"program","id":"pr_1","call_id":"p1","code":"read()","fingerprint":"AA"}`,
			`{"type":"program_output","id":"po_1","call_id":"p1","result":"42","status":"completed"}`
		if server {
			code, end = `{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{}}`,
				`{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{}}`
		}
		group := append(append([]string{code}, calls...), outputs...)
		answer := func(blocks ...string) []string {
			if !server {
				return blocks
			}
			return []string{`{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`}
		}
		items := []string{`{"role":"user","content":"Read all files."}`}
		for i := range calls {
			made := []string{calls[i]}
			if i == 0 {
				made = []string{code, calls[i]}
			}
			items = append(items, answer(made...)...)
			if i == 3 && interruptedAt == 0 {
				items = append(items, `{"role":"user","content":"Wait. `+text+`"}`)
			}
			if items = append(items, outputs[i]); i == 3 && interruptedAt == 1 {
				items = append(items, `{"role":"user","content":"Wait. `+text+`"}`)
			}
		}
		if interruptedAt == 2 {
			items = append(items, `{"role":"user","content":"Wait. `+text+`"}`)
		}
		if returns {
			items, group = append(items, answer(end)...), append(group, end)
		}
		for i := range 5 {
			items = append(items, `{"role":"assistant","content":"`+text+`"}`, `{"role":"user","content":"Now file `+strconv.Itoa(i)+`."}`)
		}
		input := `{"model":"gpt-6.1","input":[` + strings.Join(items, ",") + "]}"
		if server {
			input = `{"model":"claude-opus-4-8","messages":[` + strings.Join(items, ",") + "]}"
		}
		for k := n % few; k < len(presets); k += few {
			p, err := policy.Preset(presets[k].Name)
			require.NoError(t, err)
			p.Trigger.Window, p.Pin.RecentTokens = 8000, min(p.Pin.RecentTokens, 100+500*(n%4))
			c, env := parse(t, input), core.Env{Force: true}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			for round, state := 0, core.State(""); plan != nil && round < 4; round++ {
				out, err := core.Apply(c, state, p, env, plan, summaries(plan))
				require.NoError(t, err, p.Preset)
				c, state, plan = out.Conversation, out.State, out.Next
			}
			written, err := format.Render(c)
			require.NoError(t, err)
			kept := 0
			for _, item := range group {
				if strings.Contains(string(written), item) {
					kept++
				}
			}
			require.True(t, kept == 0 || kept == len(group), "%s: %d of %d are kept:\n%s\nof\n%s", p.Preset, kept, len(group),
				written, input)
		}
	}
}
