package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// The messages that each strategy summarizes, and those that it keeps.
func TestStrategies(t *testing.T) {
	whole := policy.Summary{Strategy: "whole", Shape: "harness"}
	asked := policy.Summary{Strategy: "whole", Shape: "question"}
	tail, critical := policy.Summary{Strategy: "tail"}, policy.Summary{Strategy: "critical"}
	chunks := policy.Summary{Strategy: "chunks", ChunkMessages: 2}
	rows := []struct {
		why, letters string
		summary      policy.Summary
		want         string // a letter for each region, "." for what stays
	}{
		{"whole takes everything but the current request", "uau", whole, "AA."},
		{"but not instructions", "suadu", whole, ".AA.."},
		{"nor a call that waits for its result", "uauc", whole, "AA.."},
		{"whose result is there", "uaucr", whole, "AA.AA"},
		{"the newest prompt has no answer yet", "uau", asked, "AA."},
		{"nor have two", "uauu", asked, "AA.."},
		{"an answered prompt is no current request", "uaua", asked, "AAAA"},
		{"a result is asked about with its call", "uauacr", asked, "AA.A.."},
		{"the newest two messages for each turn", "uauaua", tail, "AAAA.."},
		{"with the call of a result among them", "uacrua", tail, "AAAA.."},
		{"which moves the cut", "uauacru", tail, "AAAA..."},
		{"no more messages than that", "ua", tail, ".."},
		{"the open round stays, and its request", "uaucr", tail, "AA..."},
		{"instructions stay in the middle", "uasuaua", tail, "AA.AA.."},
		{"the tail does not look for errors", "uacfuaua", tail, "AAAAAA.."},
		{"what is critical stays, as a pair", "uacfuaua", critical, "AA..AA.."},
		{"chunks", "uauaua", chunks, "AABB.."},
		{"the last chunk may be short", "uauau", chunks, "AABB."},
		{"no chunk parts a pair", "ucruaua", chunks, "ABBCCD."},
		{"chunks begin behind the instructions", "suauaua", chunks, ".AABB.."},
		{"one chunk is the last one", "ua", chunks, ".."},
		{"the open round is not cut", "uauacr", chunks, "AA.B.."},
		{"a summary and its last chunk", "Suau", chunks, "...."},
		{"no new chunk yet", "Suaua", chunks, ".AA.."},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(`{"preset":"harness","clear":{"enabled":false}}`))
			require.NoError(t, err)
			row.summary.Kind, row.summary.MaxTokens, row.summary.MergeTokens = "general", 50, 200
			row.summary.Window, row.summary.MergeAbove = 100_000, 99
			p.Summary, p.Pin.KeepTurns = row.summary, 1
			plan, err := core.NewPlan(spelled(t, row.letters), "", p, core.Env{Count: tokens.Chars4, Force: true})
			require.NoError(t, err)
			have := []byte(strings.Repeat(".", len(row.letters)))
			for i, r := range plan.Regions {
				for _, s := range r.Spans {
					for m := s.Start; m < s.End; m++ {
						require.EqualValues(t, '.', have[m], "one region a message")
						have[m] = byte('A' + i)
					}
				}
			}
			require.Equal(t, row.want, string(have))
		})
	}
}
