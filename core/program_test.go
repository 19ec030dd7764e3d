package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
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

// A program is kept or removed whole, nothing is put into it, and none of its outputs is cleared, whether it waits for
// an output, returns, or a prompt of the user interrupts it, before an output or before its own. The recent window
// begins before it, in it or behind it.
func TestPresetsKeepInterruptedPrograms(t *testing.T) {
	text := strings.Repeat("a line of the file. ", 100)
	rapid.Check(t, func(t *rapid.T) {
		server, returns := rapid.Bool().Draw(t, "server"), rapid.Bool().Draw(t, "returns")
		waits := rapid.Bool().Draw(t, "waits")
		caller := `"caller":{"type":"program","caller_id":"p1"}`
		code, end := `{"type":"program","id":"pr_1","call_id":"p1","code":"read()","fingerprint":"AA"}`,
			`{"type":"program_output","id":"po_1","call_id":"p1","result":"42","status":"completed"}`
		answer := func(blocks ...string) []string { return blocks }
		if server {
			caller = `"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}`
			code, end = `{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{}}`,
				`{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{}}`
			answer = func(blocks ...string) []string {
				return []string{`{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`}
			}
		}
		var items []string
		exchanges := func(label string) {
			for i := range rapid.IntRange(0, 4).Draw(t, label) {
				items = append(items, `{"role":"user","content":"Now file `+strconv.Itoa(i)+`."}`,
					`{"role":"assistant","content":"`+text+`"}`)
			}
		}
		exchanges("before")
		items = append(items, `{"role":"user","content":"Read all files."}`)
		rounds := rapid.IntRange(1, 6).Draw(t, "rounds")
		interrupted := rapid.IntRange(0, 2*rounds-1).Draw(t, "interrupted") // the place of the prompt among the outputs
		prompt := func(place int) {
			if place == interrupted && !waits {
				items = append(items, `{"role":"user","content":"Wait. `+text+`"}`)
			}
		}
		first, made, group := len(items), []string{code}, []string{code}
		for i := range rounds {
			id := strconv.Itoa(i)
			call := `{"type":"function_call","id":"fc_` + id + `","call_id":"c` + id + `","name":"read","arguments":"{}",` + caller + "}"
			output := `{"type":"function_call_output","call_id":"c` + id + `","output":"` + text + id + `"}`
			if server {
				call = `{"type":"tool_use","id":"c` + id + `","name":"read","input":{},` + caller + "}"
				output = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c` + id + `","content":"` + text + id + `"}]}`
			}
			items, made = append(items, answer(append(made, call)...)...), nil
			prompt(2 * i)
			items, group = append(items, output), append(group, call, output)
			prompt(2*i + 1)
		}
		if returns {
			items, group = append(items, answer(end)...), append(group, end)
		}
		length := len(items) - first
		if returns || !waits {
			exchanges("behind")
		}
		input := `{"model":"gpt-6.1","input":[` + strings.Join(items, ",") + "]}"
		if server {
			input = `{"model":"claude-opus-4-8","messages":[` + strings.Join(items, ",") + "]}"
		}
		recent := rapid.IntRange(100, 5000).Draw(t, "recent")
		presets := policy.Presets()
		for k := rapid.IntRange(0, 2).Draw(t, "preset"); k < len(presets); k += 3 {
			p := presets[k].Policy
			p.Trigger.Window, p.Pin.RecentTokens = 12_000, min(p.Pin.RecentTokens, recent)
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
			kept, begin, last := 0, -1, -1
			list := append(rawjson.Value(written).Member("input").List(), rawjson.Value(written).Member("messages").List()...)
			for i, element := range list {
				for _, item := range group {
					if !strings.Contains(string(element), item) {
						continue
					}
					if kept++; begin < 0 {
						begin = i
					}
					last = i
				}
			}
			removed := kept == 0 && (returns || !waits)
			require.True(t, removed || kept == len(group) && last-begin < length,
				"%s: %d of %d are kept, in %d messages:\n%s\nof\n%s", p.Preset, kept, len(group), last-begin+1, written, input)
		}
	})
}
