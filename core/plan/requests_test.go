package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A request holds as many whole messages as fit the summarizer's window: it keeps 600 tokens for the prompts, the room
// of the answer, and 16 for the line above each message of 100.
func TestRequestsAreSplitBetweenMessages(t *testing.T) {
	rows := []struct {
		why     string
		letters string
		room    int   // for the data of a request
		want    []int // how many messages each request has
	}{
		{"all fit exactly", "uauauau", 6 * 116, []int{6}},
		{"a token less", "uauauau", 6*116 - 1, []int{5, 1}},
		{"two by two", "uauauau", 3*116 - 1, []int{2, 2, 2}},
		{"one by one", "uauauau", 116, []int{1, 1, 1, 1, 1, 1}},
		{"no two prompts of a turn are apart", "uuaau", 2*116 - 1, []int{2, 1, 1}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(`{"preset":"harness","clear":{"enabled":false}}`))
			require.NoError(t, err)
			p.Summary.InputChars, p.Summary.Window = 0, 4000
			p.Summary.MaxTokens = 4000 - 600 - row.room
			c := spelled(t, row.letters)
			plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4, Force: true})
			require.NoError(t, err)
			var have []int
			for _, q := range plan.Requests {
				have = append(have, strings.Count(q.User, "\n[turn "))
				require.Equal(t, plan.Regions[0].Tokens/len(row.want), q.Tokens, "an equal share")
			}
			require.Equal(t, row.want, have)
		})
	}
}

// One message that is larger than the summarizer's window is cut, so that its request fits.
func TestALargeMessageIsCut(t *testing.T) {
	p, err := policy.Parse("", []byte(`{"preset":"harness","summary":{"inputChars":0,"window":4000,"maxTokens":400}}`))
	require.NoError(t, err)
	large := strings.Repeat("All of it is one sentence. ", 2000)
	c := parse(t, `[{"role":"user","content":"Go."},{"role":"assistant","content":"`+large+`"},{"role":"user","content":"`+large+`"},{"role":"assistant","content":"Done."}]`)
	plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4, Force: true})
	require.NoError(t, err)
	require.Len(t, plan.Requests, 4)
	for i, q := range plan.Requests {
		size := tokens.Chars4.Count(q.System) + tokens.Chars4.Count(q.User)
		require.LessOrEqual(t, size, 3600) // summary.window without summary.maxTokens
		if i == 1 || i == 2 {
			require.Greater(t, size, 3000, "and no shorter than needed")
		}
	}
}

// A region that is no longer than a label is not worth a summary.
func TestNoSummaryOfALabelsLength(t *testing.T) {
	for count, want := range map[int]int{16: 0, 17: 1} {
		p, err := policy.Parse("", []byte(`{"preset":"harness","clear":{"enabled":false}}`))
		require.NoError(t, err)
		c := parse(t, `[{"role":"assistant","content":"`+strings.Repeat("word", count)+`"}]`)
		plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4, Force: true})
		require.NoError(t, err)
		require.Equal(t, count, plan.Before)
		require.Len(t, plan.Requests, want, "%d tokens", count)
	}
}

// A result of less than 200 bytes is no longer than what would take its place.
func TestNoSummaryOfAShortResult(t *testing.T) {
	for size, want := range map[int]int{199: 0, 200: 1} {
		p, err := policy.Parse("", []byte(`{"preset":"regions","pin":{"recentTokens":0,"recentTurns":1}}`))
		require.NoError(t, err)
		c := parse(t, `[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"`+strings.Repeat("x", size)+`"}]},`+
			`{"role":"assistant","content":"Done."},{"role":"user","content":"On."},{"role":"assistant","content":"Yes."},{"role":"user","content":"On."}]`)
		plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4, Force: true})
		require.NoError(t, err)
		require.Len(t, plan.Requests, want, "%d bytes", size)
	}
}

// A summary of whole messages between the prompts is told which results are errors.
func TestErrorsAreMarkedImportant(t *testing.T) {
	call := func(id, more string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"run","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` +
			strings.Repeat("a line ", 300) + `"` + more + `}]},`
	}
	c := parse(t, `[{"role":"user","content":"Go."},`+call("1", "")+call("2", `,"is_error":true`)+call("3", "")+
		`{"role":"assistant","content":"Done."},{"role":"user","content":"On."},{"role":"assistant","content":"Yes."},{"role":"user","content":"On."}]`)
	for values, want := range map[string]int{
		`{"preset":"balanced","clear":{"enabled":false}}`: 1,
		`{"preset":"regions","clear":{"enabled":false}}`:  0, // of results alone, an error says so itself
	} {
		p, err := policy.Parse("", []byte(values))
		require.NoError(t, err)
		p.Pin.RecentTurns, p.Pin.RecentTokens = 1, 0
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		require.NotEmpty(t, plan.Requests)
		marked := 0
		for _, q := range plan.Requests {
			marked += strings.Count(q.User, ", important]")
		}
		require.Equal(t, want, marked, values)
	}
}
