package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// A request that continues a thread is a part: it is not checked, counted, compacted or repaired. One that creates a
// thread is a whole conversation.
func TestThreads(t *testing.T) {
	const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}`
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	for thread, part := range map[string]bool{`{"type":"continue","previous_message_id":"msg_1"}`: true, `{"type":"create"}`: false,
		`null`: false, `7`: false} {
		doc := `{"model":"claude-opus-5-5","thread":` + thread + `,"messages":[` + result + `]}`
		c := parse(t, doc)
		require.Equal(t, part, c.IsThread())
		require.Equal(t, part, validity.Valid(validity.Check(c)))
		fixed, problems := validity.Repair(c)
		require.Equal(t, part, len(problems) == 0)
		if part {
			require.Same(t, c, fixed)
		}
		require.Equal(t, part, len(validity.CheckAppend(c, parse(t, `{"model":"claude-opus-5-5","messages":[]}`))) == 0)
		_, planned := core.NewPlan(c, "", p, core.Env{Force: true})
		_, opened := core.NewSession(c, "", p, tokens.Estimate)
		_, ranked := core.Anchors(c, "", p, core.Env{}, core.AnchorOptions{})
		_, inspected := core.Inspect(c, "", p, core.Env{})
		for _, err := range []error{planned, opened, ranked, inspected} {
			if !part {
				require.NoError(t, err)
				continue
			}
			var e *core.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, []any{msg.BadMessage, "/thread"}, []any{e.Code, e.Path})
		}
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, doc, string(out))
		_, losses, err := format.Convert(c, msg.OpenAIChat)
		require.NoError(t, err)
		named := false
		for _, loss := range losses {
			named = named || loss.Path == "/thread"
		}
		require.Equal(t, thread != "null", named, "%v", losses)
	}
}
