package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// files is a session that reads so many files, with a prompt after every ten.
func files(t testing.TB, rounds int) *msg.Conversation {
	var out strings.Builder
	out.WriteString(`[{"role":"user","content":"Read all the files and never change the API."}`)
	for i := range rounds {
		fmt.Fprintf(&out, `,{"role":"assistant","content":[{"type":"text","text":"Now file %d."},{"type":"tool_use","id":"t%d",`+
			`"name":"read_file","input":{"path":"src/f%d.go"}}]},{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":"t%d","content":"%s"}]}`, i, i, i, i,
			strings.Repeat(fmt.Sprintf(`func handler%d(w http.ResponseWriter) { return name%d }\n`, i, i*7), 20))
		if i%10 == 9 {
			fmt.Fprintf(&out, `,{"role":"assistant","content":"Done with part %d; I decided to keep name%d."},`+
				`{"role":"user","content":"Go on with part %d."}`, i, i, i)
		}
	}
	return parse(t, out.String()+"]")
}

// applied returns a function that applies a plan for a session of so many rounds, all of whose requests get the answer.
func applied(t testing.TB, preset string, rounds int, answer core.SummaryResult) func() {
	p, err := policy.Preset(preset)
	require.NoError(t, err)
	p.Trigger.Window, p.Trigger.Tokens, p.Trigger.ReserveOutput, p.Trigger.HardPermille = rounds*150, 0, 0, 0
	c := files(t, rounds)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Greater(t, len(plan.Regions), 1)
	results := answerAll(plan, answer)
	return func() {
		_, err := core.Apply(c, "", p, core.Env{Lean: true}, plan, results)
		require.NoError(t, err)
	}
}

var answers = map[string]core.SummaryResult{"answered": {Text: "The files hold handlers."}, "failed": {Err: "down"}}

// Apply is linear in the number of regions: of twice as many it allocates at most two and a half times as much. If each
// region reads all others, it is four times. The sessions are short, since a part of the preset regions grows with the
// square of the regions: from 800 to 1,600 rounds it allocates 3.1 times as much.
func TestApplyIsLinear(t *testing.T) {
	for name, answer := range answers {
		for _, preset := range []string{"regions", "balanced"} {
			short := testing.AllocsPerRun(1, applied(t, preset, 100, answer))
			long := testing.AllocsPerRun(1, applied(t, preset, 200, answer))
			require.Less(t, long, 2.5*short, "%s, %s", preset, name)
		}
	}
}

// If all requests of a bounded policy fail, the conversation is read once for all its summaries without a model.
// Reading it for each of the eight regions allocates 21 times as much as no summary, reading it once 6 times.
func TestFailedRegionsAreReadOnce(t *testing.T) {
	answered := testing.AllocsPerRun(1, applied(t, "balanced", 1000, answers["answered"]))
	failed := testing.AllocsPerRun(1, applied(t, "balanced", 1000, answers["failed"]))
	require.Less(t, failed, 10*answered)
}

func BenchmarkApply(b *testing.B) {
	for _, preset := range []string{"regions", "balanced"} {
		for name, answer := range answers {
			for _, rounds := range []int{1000, 2000, 4000} {
				b.Run(fmt.Sprintf("%s/%s/%d", preset, name, rounds), func(b *testing.B) {
					apply := applied(b, preset, rounds, answer)
					b.ReportAllocs()
					for b.Loop() {
						apply()
					}
				})
			}
		}
	}
}
