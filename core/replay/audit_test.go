package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// audited audits a request whose answers have the given usage (input, read, write).
func audited(t *testing.T, usage ...[3]int) *Audited {
	var out strings.Builder
	out.WriteString(`{"model":"claude-opus-4-5","system":"Be careful.","tools":[{"name":"mcp__git__log","input_schema":{}},` +
		`{"name":"mcp__git__diff","input_schema":{}},{"name":"read","input_schema":{}}],"messages":[`)
	for i, u := range usage {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"role":"user","content":"Go on."},{"role":"assistant","content":"Done.","usage":{"input_tokens":%d,`+
			`"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":5}}`, u[0], u[1], u[2])
	}
	c, err := format.Parse([]byte(out.String()+`]}`), "")
	require.NoError(t, err)
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	a, err := Audit(c, p, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, len(usage), a.Calls)
	require.Equal(t, a.Cost-a.Compacted, a.Saved)
	return a
}

// The tokens that are paid again, by cause; a write costs 1.15 times the input more than a read, at 5 dollars a
// million.
func TestAuditNamesTheCauseOfEachBreak(t *testing.T) {
	for _, row := range []struct {
		why   string
		usage [][3]int
		want  []Break
	}{
		{"everything is read", [][3]int{{0, 0, 50_000}, {0, 50_000, 1000}, {0, 51_000, 1000}}, []Break{}},
		{"the system prompt changed", [][3]int{{0, 0, 50_000}, {0, 0, 51_000}}, []Break{{"system", 1, 50_000, 287_500}}},
		{"a message changed", [][3]int{{0, 0, 50_000}, {0, 20_000, 31_000}}, []Break{{"edit", 1, 30_000, 172_500}}},
		{"the agent compacted", [][3]int{{0, 0, 50_000}, {0, 5000, 10_000}}, []Break{{"compaction", 1, 10_000, 57_500}}},
		{"another session in turn", [][3]int{{0, 0, 50_000}, {0, 0, 10_000}, {0, 0, 51_000}},
			[]Break{{"compaction", 1, 10_000, 57_500}, {"two_sessions", 1, 50_000, 287_500}}},
		{"another session that reads its own entry", [][3]int{{0, 0, 50_000}, {0, 9500, 500}, {0, 50_000, 1000},
			{0, 10_000, 2000}}, []Break{}},
		{"no breakpoint at the end", [][3]int{{30_000, 0, 20_000}, {0, 20_000, 31_000}}, []Break{{"no_breakpoint", 1, 30_000,
			172_500}}},
	} {
		require.Equal(t, row.want, audited(t, row.usage...).Breaks, row.why)
	}
}

// The overhead of a call is what the usage of the first call has beyond its messages; tools are grouped by server.
func TestAuditMeasuresTheOverhead(t *testing.T) {
	a := audited(t, [3]int{0, 0, 50_000}, [3]int{0, 50_000, 1000})
	require.Greater(t, a.Fixed, 49_900)     // of 50,000: the first message has a few tokens
	require.LessOrEqual(t, a.Fixed, 51_000) // the prompt of the second call
	require.Len(t, a.Servers, 1)
	require.Equal(t, "git", a.Servers[0].Name)
	require.Equal(t, 2, a.Servers[0].Tools)
	require.Positive(t, a.Servers[0].Tokens)
}

// A real log: its project, its days, and the money of both replays.
func TestAuditOfARealLog(t *testing.T) {
	c := corpus(t, "claude-code/claude-code-log--a7da6a22-facc-4fcd-8bab-f83c87862004.jsonl")
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	a, err := Audit(c, p, Options{})
	require.NoError(t, err)
	require.NotEmpty(t, a.Project)
	require.Greater(t, a.End, a.Start)
	require.Positive(t, a.Saved)
	require.Positive(t, a.Fixed, "the log does not show its system prompt")
}
