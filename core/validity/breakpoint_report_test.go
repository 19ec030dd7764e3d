package validity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/validity"
)

// A report on a cache breakpoint says on which kind of block it is, also in the first message.
func TestBreakpointReportNamesTheBlock(t *testing.T) {
	const mark = `,"cache_control":{"type":"ephemeral"}`
	all := parseAll(t, msg.Anthropic,
		`[{"role":"user","content":[{"type":"text","text":""`+mark+`},{"type":"text","text":"go"}]}]`,
		`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"thinking","thinking":"1","signature":"c2ln"`+mark+
			`},{"type":"text","text":"x"}]},{"role":"user","content":"on"}]`)
	var messages []string
	for _, c := range all {
		for _, p := range validity.Check(c) {
			if p.Rule == validity.A11Cache {
				messages = append(messages, p.Message)
				require.Empty(t, p.ProviderError, "the provider's words are of the limit on their number")
			}
		}
		repaired, _ := validity.Repair(c)
		require.Empty(t, validity.Check(repaired))
	}
	require.Equal(t, []string{"A cache breakpoint is on an empty text block.",
		"A cache breakpoint is on a thinking block."}, messages)
}

// A breakpoint inside a tool result is reported at its own place and kept, with the reason: only those of the message's
// own blocks are removed.
func TestBreakpointInsideAResultIsKept(t *testing.T) {
	write := func(inside, own, last string) string {
		mark := func(ttl string) string {
			if ttl == "" {
				return ""
			}
			return `,"cache_control":{"type":"ephemeral","ttl":"` + ttl + `"}`
		}
		return `[{"role":"user","content":[{"type":"text","text":"go"` + mark(own) + `}]},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"out"` +
			mark(inside) + `}]}` +
			`,{"type":"text","text":"on"` + mark(last) + `}]}]`
	}
	all := parseAll(t, msg.Anthropic, write("1h", "5m", ""), write("5m", "", "1h"), write("1h", "", "1h"))

	problems := validity.Check(all[0])
	require.Equal(t, "A11_cache_control /2/content/0/content/0", found(problems))
	require.Equal(t, "A cache breakpoint of 1h comes after one of 5m.", problems[0].Message)
	require.Empty(t, problems[0].Repair)
	require.Equal(t, "only the cache_control of a message's own blocks is removed", problems[0].Reason)
	require.Empty(t, problems[0].ProviderError)
	repaired, reports := validity.Repair(all[0])
	require.Same(t, all[0], repaired)
	require.Empty(t, reports)

	problems = validity.Check(all[1])
	require.Equal(t, "A11_cache_control /2/content/1", found(problems), "five minutes inside a result count")
	require.NotEmpty(t, problems[0].Repair)
	repaired, _ = validity.Repair(all[1])
	require.Empty(t, validity.Check(repaired))
	require.Empty(t, validity.Check(all[2]))
}

// With the breakpoint of a result removed, the one inside the result still counts.
func TestBreakpointInsideAResultOutlivesTheOwn(t *testing.T) {
	const five, hour = `,"cache_control":{"type":"ephemeral"}`, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`
	text := func(mark string) string { return `{"type":"text","text":"x"` + mark + `}` }
	all := parseAll(t, msg.Anthropic, `[{"role":"user","content":"go"},`+
		`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[`+text(five)+`]`+five+`},`+
		text("")+`,`+text("")+`,`+text(hour)+`,`+text(five)+`,`+text(five)+`]}]`)
	problems := validity.Check(all[0])
	require.Equal(t, "A11_cache_control /2/content/0, A11_cache_control /2/content/3", found(problems))
	require.Contains(t, problems[0].Message, "There are 5 cache breakpoints")
	require.Contains(t, problems[1].Message, "1h comes after one of 5m")
}
