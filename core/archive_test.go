package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
)

// A host that goes on with the conversation of an Outcome archives summaries that no input holds. Each is a line of
// JSON too.
func TestArchiveOfSummaries(t *testing.T) {
	var input strings.Builder
	input.WriteString(`[{"role":"system","content":"You help."}`)
	for range 12 {
		input.WriteString(`,{"role":"user","content":"Please look at the failing test again, and say what it needs."},` +
			`{"role":"assistant","content":"I read it, and it needs another name for the file that it opens."}`)
	}
	c := parse(t, input.String()+`]`)
	p, err := policy.Parse("hierarchical", []byte(`{"trigger":{"window":400},"summary":{"chunkMessages":4}}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	var results []core.SummaryResult
	for _, q := range plan.Requests {
		results = append(results, core.SummaryResult{ID: q.ID, Text: convtest.Vouched(q.User, "It was looked at.")})
	}
	out, err := core.Apply(c, "", p, core.Env{}, plan, results)
	require.NoError(t, err)
	require.NotNil(t, out.Next, "the parts are to be merged")
	archive := core.Archive(out.Conversation, out.Next)
	require.Equal(t, 1, strings.Count(string(archive), "\n"))
	require.NoError(t, msg.Validate(archive))
	line := rawjson.Value(archive)
	require.Equal(t, "user", line.Member("role").Text())
	require.Contains(t, line.Member("content").Text(), "[part 4]\nIt was looked at.")
}
