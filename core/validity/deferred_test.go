package validity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/promptcache"
	"tamp/core/validity"
)

// A deferred tool that joins or goes changes no prompt: no cache is lost, and no thinking. It gets no breakpoint.
func TestDeferredTools(t *testing.T) {
	read := func(tools string) *msg.Conversation {
		c, err := format.Parse([]byte(`{"model":"claude-opus-5-5","tools":[{"name":"a","input_schema":{}}`+tools+
			`],"messages":[{"role":"user","content":"Hi."},`+
			`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},`+
			`{"type":"text","text":"Yes."}]},{"role":"user","content":"Go on."}]}`), "anthropic")
		require.NoError(t, err)
		return c
	}
	const deferred = `,{"name":"b","defer_loading":true,"input_schema":{}}`
	require.Empty(t, validity.CheckAppend(read(""), read(deferred)))
	require.Empty(t, validity.CheckAppend(read(deferred), read("")))
	require.NotEmpty(t, validity.CheckAppend(read(""), read(`,{"name":"b","input_schema":{}}`)))
	require.Equal(t, promptcache.FingerprintOf(read("")), promptcache.FingerprintOf(read(deferred)))
}

// A request whose tools are all deferred, and a breakpoint on a deferred tool, are errors. Repair changes nothing else:
// it takes the breakpoint away, and no longer defers the search tool, else the first tool that no reference names, else
// the first.
func TestRefusedDeferredTools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "tools")
		deferred := rapid.SliceOfN(rapid.SampledFrom([]bool{true, true, false}), n, n).Draw(t, "deferred")
		named := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "named")
		search := rapid.IntRange(-2, n-1).Draw(t, "the search tool")
		repaired := -1
		if n > 0 && !slices.Contains(deferred, false) {
			if repaired = search; search < 0 {
				repaired = max(slices.Index(named, false), 0)
			}
		}
		var was, want []string
		errors, references := map[validity.Rule]int{}, ""
		for i, d := range deferred {
			if named[i] {
				references += fmt.Sprintf(`,{"type":"tool_reference","tool_name":"t%d"}`, i)
			}
			kind, flag, cache := "", "", ""
			if i == search {
				kind = `"type":"tool_search_tool_bm25_20251119",`
			}
			if d {
				flag = `,"defer_loading":true`
			}
			if rapid.Bool().Draw(t, "cached") && i < 4 {
				cache = `,"cache_control": {"type":"ephemeral"}`
			}
			tool := func(flag, cache string) string {
				return fmt.Sprintf(` {%s"name":"t%d"%s,"input_schema":{}%s,"x":[1, %d]}`, kind, i, cache, flag, i)
			}
			was = append(was, tool(flag, cache))
			if d && cache != "" {
				errors[validity.A11Cache]++
				cache = ""
			}
			if i == repaired {
				errors[validity.A22Deferred]++
				flag = ""
			}
			want = append(want, tool(flag, cache))
		}
		body := func(tools []string) string {
			return `{"model":"claude-opus-4-8","tools":[` + strings.Join(tools, ",") + `],"messages":[{"role":"user","content":"Hi."},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Search","input":{}}]},{"role":"user","content":[` +
				`{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"x"}` + references + `]}]}]}`
		}
		c, err := format.Parse([]byte(body(was)), "")
		require.NoError(t, err)
		found := map[validity.Rule]int{}
		for _, p := range validity.Check(c) {
			found[p.Rule]++
			require.Contains(t, p.Path, "/tools")
			require.NotEmpty(t, p.Repair)
		}
		require.Equal(t, errors, found)
		fixed, done := validity.RepairAll(c)
		out, err := format.Render(fixed)
		require.NoError(t, err)
		require.Equal(t, body(want), string(out))
		require.Empty(t, done.Left)
	})
}
