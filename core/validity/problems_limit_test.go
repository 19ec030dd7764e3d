package validity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// A list of problems ends at MaxProblems with a count of the others; Repair repairs those too.
func TestProblemListsHaveALimit(t *testing.T) {
	for format, in := range map[string]string{
		msg.Anthropic:  `u =hi ` + strings.Repeat(`u = `, 5*MaxProblems) + `u =go`,
		msg.OpenAIChat: `u =hi ` + strings.Repeat(`u `, 5*MaxProblems) + `u =go`,
	} {
		c := convtest.FromWords(format, in)
		problems, omitted := CheckAll(c)
		require.Len(t, problems, MaxProblems)
		require.Equal(t, 4*MaxProblems, omitted)
		require.Equal(t, problems, Check(c))
		require.Equal(t, "/1", problems[0].Path, "the first ones are listed")
		require.Equal(t, "/1000", problems[MaxProblems-1].Path)

		repaired, report := RepairAll(c)
		require.Equal(t, `u =hi u =go`, convtest.Words(repaired))
		require.Len(t, report.Problems, MaxProblems)
		require.Equal(t, 4*MaxProblems, report.Omitted)
		require.Empty(t, report.Left)
		require.Zero(t, report.More)
	}
	c := convtest.FromWords(msg.Anthropic, `u =hi `+strings.Repeat(`robot =x `, 2*MaxProblems)+`u =`)
	repaired, report := RepairAll(c)
	require.Equal(t, 1, report.Omitted+len(report.Problems), "the repair behind the list's end counts")
	require.Len(t, repaired.Messages, len(c.Messages)-1)
	require.Len(t, report.Left, MaxProblems)
	require.Equal(t, MaxProblems, report.More)
}

// Errors are listed before warnings, so that a list without an error says that there is none.
func TestALongListKeepsTheError(t *testing.T) {
	waiting := strings.Repeat(`!x%d `, 1)
	var in strings.Builder
	in.WriteString(`u =hi a `)
	for i := range 3 * MaxProblems {
		in.WriteString(strings.Replace(waiting, "%d", strings.Repeat("a", i%7)+strings.Repeat("b", i/7), 1))
	}
	c := convtest.FromWords(msg.Anthropic, in.String())
	require.True(t, Valid(Check(c)), "calls that wait are warnings")
	c.Messages[1].Blocks = append(c.Messages[1].Blocks,
		msg.Block{Kind: msg.KindText, Type: "text", Path: "/1/content/3000"})
	problems, omitted := CheckAll(c)
	require.False(t, Valid(problems))
	require.Equal(t, 2*MaxProblems+1, omitted)
}

// The list is the beginning of all problems, however many times it was cut on the way.
func TestTheLimitKeepsTheFirstProblems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &msg.Conversation{Format: msg.OpenAIChat}
		f := &checker{c: c}
		var all []Problem
		n := rapid.IntRange(0, 5*MaxProblems).Draw(t, "problems")
		step := rapid.SampledFrom([]int{1, 7, 1009}).Draw(t, "step")
		for i := range n {
			f.report(O3Empty, outside, "", "removed").Ref = msg.Ref{Message: i * step % (n + 1), Block: 0}
			all = append(all, Problem{Ref: msg.Ref{Message: i * step % (n + 1), Block: 0}})
		}
		f.limit()
		require.Len(t, f.problems, min(n, MaxProblems))
		require.Equal(t, n, len(f.problems)+f.omitted)
		require.Equal(t, f.omitted, f.repaired)
		last := msg.Ref{Message: -1, Block: 0}
		if n > MaxProblems {
			for _, p := range f.problems {
				require.LessOrEqual(t, last.Message, p.Ref.Message)
				last = p.Ref
			}
			before := 0
			for _, p := range all {
				if p.Ref.Message < last.Message {
					before++
				}
			}
			require.LessOrEqual(t, before, MaxProblems, "no earlier one is left out")
		}
	})
}

// Whatever Repair leaves has a reason, and whatever it repairs has none.
func TestWhatIsLeftHasAReason(t *testing.T) {
	for _, format := range []string{msg.Anthropic, msg.OpenAIChat} {
		rapid.Check(t, func(t *rapid.T) {
			for _, p := range Check(convtest.FromWords(format, convtest.RandomWords(t))) {
				require.Equal(t, p.Repair == "", p.Reason != "", "%s: %q, %q", p.Rule, p.Repair, p.Reason)
			}
		})
	}
}
