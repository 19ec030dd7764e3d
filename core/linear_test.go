package core_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
)

// allocated returns the bytes that f allocates: a measure of its work that does not depend on the machine.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// A long conversation is compacted in linear time: one of twice the length allocates at most two and a half times as
// much. Where each of the requests for a region, or of the parts of a long one, reads all of it, it is four times.
func TestCompactIsLinear(t *testing.T) {
	const result = `,{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"make %[1]d"}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[1]d","is_error":true,"content":"no rule for %[1]d"}]}`
	for name, row := range map[string]struct{ start, round, end string }{
		"prompts with a constraint": {`"Fix it."}`, `,{"role":"user","content":"Please change file%d.go, and never call ` +
			`old%[1]d again."},{"role":"assistant","content":"I changed file%[1]d.go and decided to keep table%[1]d."}`, ``},
		"failed calls": {`"Fix it."}`, result, ``},
		"one prompt of constraints": {`"Fix it.`, `\nNever call old%d again, and never read the table%[1]d of its server.`,
			`"},{"role":"assistant","content":"Done."},{"role":"user","content":"Go on."}`},
	} {
		t.Run(name, func(t *testing.T) {
			compacted := func(rounds int) float64 {
				body := `[{"role":"user","content":` + row.start
				for i := range rounds {
					body += fmt.Sprintf(row.round, i)
				}
				c := parse(t, body+row.end+"]")
				p, err := policy.Preset("balanced")
				require.NoError(t, err)
				p.Trigger.Window, p.Summary.Window = 20_000, 20_000
				return allocated(func() {
					plan, err := core.NewPlan(c, "", p, core.Env{})
					if err != nil {
						require.ErrorContains(t, err, "start a new session")
						return // the constraints alone do not fit
					}
					results, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
					require.NoError(t, err)
					_, err = core.Apply(c, "", p, core.Env{}, plan, results)
					require.NoError(t, err)
				})
			}
			short, long := compacted(1000), compacted(2000)
			t.Logf("%.0f and %.0f MB", short/1e6, long/1e6)
			require.Less(t, long, 2.5*short)
		})
	}
}

// A conversation of 30 windows, half of it constraints of the user, is compacted: its target is at most the hard limit.
func TestManyWindows(t *testing.T) {
	var body strings.Builder
	body.WriteString(`[{"role":"user","content":"Fix it."}`)
	for i := range 4000 {
		fmt.Fprintf(&body, `,{"role":"assistant","content":"I changed file%d.go and decided to keep table%[1]d."},`+
			`{"role":"user","content":"Please change file%[1]d.go, and never call old%[1]d again."}`, i)
	}
	c := parse(t, body.String()+"]")
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window, p.Summary.Window = 8000, 20_000
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Greater(t, len(plan.Requests), 5)
	require.LessOrEqual(t, plan.Target, plan.Limit)
	out, err := core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
	require.NoError(t, err)
	require.LessOrEqual(t, out.After, plan.Limit)
}
