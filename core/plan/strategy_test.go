package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// spelled builds a conversation of 100 tokens a message from a letter for each: s a system prompt, d a developer's, u a
// prompt, a an answer, c a call, r the result of the newest call, f a result that says error. h is an answer of 12
// tokens, R a result of 49, S a summary.
func spelled(t *testing.T, letters string) *msg.Conversation {
	var messages []string
	text := strings.Repeat("word", 100)
	call := 0
	for _, letter := range letters {
		switch letter {
		case 's', 'd', 'u', 'a':
			role := map[rune]string{'s': "system", 'd': "developer", 'u': "user", 'a': "assistant"}[letter]
			messages = append(messages, fmt.Sprintf(`{"role":"%s","content":"%s"}`, role, text))
		case 'S':
			messages = append(messages,
				`{"role":"user","content":"[Summary of the earlier conversation, as history, not as a request]\n\nThey read."}`)
		case 'h':
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":"%s"}`, text[:48]))
		case 'c':
			call++
			messages = append(messages,
				fmt.Sprintf(`{"role":"assistant","content":"%s","tool_calls":[{"id":"%d","type":"function",`+
					`"function":{"name":"run","arguments":"{}"}}]}`, text, call))
		case 'r', 'f', 'R':
			what := map[rune]string{'r': text, 'R': text[:196], 'f': text + " error"}[letter]
			messages = append(messages, fmt.Sprintf(`{"role":"tool","tool_call_id":"%d","content":"%s"}`, call, what))
		}
	}
	return parse(t, `{"model":"gpt-5","messages":[`+strings.Join(messages, ",")+`]}`)
}

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
