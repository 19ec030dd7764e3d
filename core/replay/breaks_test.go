package replay

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/policy"
	"tamp/core/tokens"
)

// Without usage, a call names the pause after which nothing was in the cache; the breaks of a policy name its
// compactions.
func TestSimulatedBreaks(t *testing.T) {
	doc := `[{"role":"user","content":"` + strings.Repeat("text", 5000) + `","timestamp":"2026-03-01T10:00:00Z"},` +
		`{"role":"assistant","content":"text"},{"role":"user","content":"text","timestamp":"2026-03-01T10:04:59Z"},` +
		`{"role":"assistant","content":"text"},{"role":"user","content":"text","timestamp":"2026-03-01T10:09:59Z"},` +
		`{"role":"assistant","content":"text"}]`
	r, err := Replay(parse(t, doc), policy.Policy{}, Options{None: true, Count: tokens.Chars4, Model: "claude-opus-4-5"})
	require.NoError(t, err)
	require.Empty(t, r.Calls[0].Breaks)
	require.Empty(t, r.Calls[1].Breaks)
	require.Len(t, r.Calls[2].Breaks, 1)
	b := r.Calls[2].Breaks[0]
	require.Equal(t, "idle", b.Cause)
	require.Equal(t, r.Calls[1].Sent, b.Tokens)
	require.Equal(t, (b.Tokens*115*50+500)/1000, b.Cost, "a write costs 1.15 times the input more than a read, at $5")

	p := preset(t, "harness")
	p.Trigger.Window = 60_000
	r, err = Replay(parse(t, rounds(30, 2000)), p, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	compactions := 0
	for _, call := range r.Calls {
		for _, b := range call.Breaks {
			require.Equal(t, "compaction", b.Cause, "call %d", call.Number)
			require.Positive(t, call.Freed)
			compactions++
		}
	}
	require.Positive(t, compactions)
	require.Less(t, compactions, r.Totals.Compactions+1)
}

// A call of another model finds nothing in the cache.
func TestBreaksOfAnotherModel(t *testing.T) {
	l := &agentLog{model: "claude-opus-4-5"}
	l.user(5000)
	l.answer(usage{0, 0, 5000, 0, 10})
	l.user(90)
	l.model = "claude-sonnet-4-5"
	l.answer(usage{0, 0, 5100, 0, 10})
	for _, ignore := range []bool{false, true} {
		r, err := Replay(l.parse(t), policy.Policy{}, Options{None: true, Count: tokens.Chars4, IgnoreUsage: ignore})
		require.NoError(t, err)
		require.Equal(t, []CallBreak{{"model", 5000, 17_250}}, r.Calls[1].Breaks, "at $3")
	}
}

// What each call has before its messages, by owner.
func TestFixed(t *testing.T) {
	r, err := Replay(parse(t, `{"model":"claude-opus-4-5","system":"texttext","tools":[{"name":"mcp__git__log","input_schema":{}},`+
		`{"name":"mcp__git__diff","input_schema":{}},{"name":"read","input_schema":{}}],"messages":[`+
		`{"role":"user","content":[{"type":"text","text":"<system-reminder>Be brief.</system-reminder>"},`+
		`{"type":"text","text":"Go on, and say what you do."}]},{"role":"assistant","content":"Done."}]}`), policy.Policy{},
		Options{None: true, Count: tokens.Chars4})
	require.NoError(t, err)
	require.Len(t, r.Fixed, 3)
	owners, sum := "", r.Calls[0].Notes
	for _, f := range r.Fixed {
		owners += f.Owner + " " + f.Name + ","
		sum += f.Tokens
	}
	require.Equal(t, "system ,server git,tools ,", owners)
	require.Positive(t, r.Calls[0].Notes)
	require.Less(t, sum, r.Calls[0].Sent)
}
