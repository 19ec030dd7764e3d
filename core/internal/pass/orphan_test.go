package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// A result whose call is gone, as a log that was cut leaves it, is a result by itself: nothing else moves or changes
// for it.
func TestResultsWithoutACall(t *testing.T) {
	c := parse(t, []byte(`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{"path":"some/file"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok"}]},
		{"role":"assistant","content":"Done."},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"gone","content":"long enough to be cleared"}]},
		{"role":"assistant","content":"Done."}]`))
	in := input(c, charCounter)
	require.Equal(t, 3, pass.SafeCut(in, 3))
	p := pass.Clear{Enabled: true, MinChars: 5, Placeholder: "[gone]", ClearToolInputs: []string{"*"}}
	require.Equal(t, []string{"1.0 kept a: no longer than 5 characters",
		"3.0 cleared unknown: an old result of unknown that no rule protects, clear_result 6 to 1 [gone]"},
		show(t, p.Run(in)))
	require.Equal(t, []bool{false, false, false, false, false}, pass.Critical{}.Mark(in))
	require.Equal(t, []pass.Region{{Span: msg.Span{Start: 3, End: 4}, Tokens: in.Counts.Messages[3].Tokens}},
		pass.SpanRegions(in, 0, 4, func(m int) bool { return m < 3 }))
}
