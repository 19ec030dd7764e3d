package apply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/words"
)

const (
	truncation     = "[Earlier turns truncated due to compactor error]"
	truncationCost = len(truncation) / 4 // in tokens of tokens.Chars4
)

// outline writes a letter for each message of an outcome: n for the note of the failure path, N for one with the user's
// words, S for a summary, and the letters that spelled knows for the messages of the conversation before; T for one
// whose text became the note.
func outline(t require.TestingT, before *msg.Conversation, letters string, after *msg.Conversation) string {
	byPath := map[string]byte{}
	for m := range before.Messages {
		byPath[before.Messages[m].Path] = letters[m]
	}
	var out strings.Builder
	for m := range after.Messages {
		message := &after.Messages[m]
		switch letter, ok := byPath[message.Path]; {
		case message.Path != "":
			require.True(t, ok)
			if message.Blocks[0].Text == truncation {
				letter = 'T'
			}
			out.WriteByte(letter)
		case message.Blocks[0].Text == truncation:
			out.WriteByte('n')
		case strings.HasPrefix(message.Blocks[0].Text, truncation+"\n\n"+words.Heading):
			out.WriteByte('N')
		default:
			out.WriteByte('S')
		}
	}
	return out.String()
}

// A region whose summary failed loses its oldest messages, whole pairs at a time, and no more of them than the target
// needs. A message of the table takes 100 tokens, h and a note
// 12, and a call a few more.
func TestFailedSummaryDropsTheOldest(t *testing.T) {
	whole, tail := policy.Summary{Strategy: "whole", Shape: "harness"}, policy.Summary{Strategy: "tail"}
	chunks := policy.Summary{Strategy: "chunks", ChunkMessages: 2}
	regions := policy.Summary{Strategy: "regions", Granularity: "span"}
	blocks := policy.Summary{Strategy: "regions", Granularity: "block"}
	rows := []struct {
		why, letters string
		summary      policy.Summary
		over         int // tokens above the target
		fails        string
		want         string
	}{
		{"the target is met", "aaaau", whole, 0, "1", "aaaau"},
		{"one token over", "aaaau", whole, 1, "1", "naaau"},
		{"one message less a note is exactly enough", "aaaau", whole, 100 - truncationCost, "1", "naaau"},
		{"and a token more takes two", "aaaau", whole, 100 - truncationCost + 1, "1", "naau"},
		{"two messages less a note", "aaaau", whole, 200 - truncationCost, "1", "naau"},
		{"and a token more takes three", "aaaau", whole, 200 - truncationCost + 1, "1", "nau"},
		{"everything is not enough", "aaaau", whole, 999, "1", "nu"},
		{"a call goes with its result", "craaau", whole, 1, "1", "naaau"},
		{"with all results of it", "acraaau", whole, 150, "1", "naaau"},
		{"the tail stays", "aaaaua", tail, 999, "1", "nua"},
		{"instructions stay", "saaau", whole, 999, "1", "snu"},
		{"the first run is enough", "aasaaua", tail, 150, "1", "nsaaua"},
		{"chunks: the oldest one", "aaaaua", chunks, 150, "11", "naaua"},
		{"chunks: a token more takes one of the next", "aaaaua", chunks, 200 - truncationCost + 1, "11", "nnaua"},
		{"chunks: the target is met by the first", "aaaaua", chunks, 200 - truncationCost, "11", "naaua"},
		{"the user's words stay, so an answer goes, too", "uaua", whole, 1, "1", "Nua"},
		{"everything but these", "uaua", whole, 999, "1", "N"},
		{"and the current request", "uauacr", whole, 999, "1", "Nuncr"},
		{"the words of each run stay in its note", "uasuaua", tail, 999, "1", "NsNua"},
		{"a region of regions, the oldest first", "uaaauaaaaua", regions, 250, "11", "unuaaaaua"},
		{"between the prompts", "uaaauaaaaua", regions, 999, "11", "ununua"},
		{"what another summary freed counts", "uaaauaaaaua", regions, 250, "01", "uSuaaaaua"},
		{"and what it freed is not enough", "uaaauaaaaua", regions, 450, "10", "unaauSua"},
		{"as small as a note: it goes with the next", "haaau", whole, 1, "1", "naau"},
		{"as small as a note, and alone: it stays", "hsuaua", whole, 1, "1", "hsNua"},
		{"the oldest result", "ucrcrcraua", blocks, 100 - truncationCost, "111", "ucTcrcraua"},
		{"and a token more takes two of them", "ucrcrcraua", blocks, 100 - truncationCost + 1, "111", "ucTcTcraua"},
		{"two results are exactly enough", "ucrcrcraua", blocks, 2 * (100 - truncationCost), "111", "ucTcTcraua"},
		{"all results, with their calls in place", "ucrcrcraua", blocks, 999, "111", "ucTcTcTaua"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(`{"preset":"harness","clear":{"enabled":false}}`))
			require.NoError(t, err)
			row.summary.Kind, row.summary.MaxTokens, row.summary.MergeTokens = "general", 10, 200 // too few for any line
			row.summary.Window, row.summary.MergeAbove = 100_000, 99
			p.Summary, p.Pin.KeepTurns, p.Pin.RecentTurns = row.summary, 1, 1
			c := spelled(t, row.letters)
			env := core.Env{Count: tokens.Chars4, Force: true}
			plan, err := core.NewPlan(c, "", p, env)
			require.NoError(t, err)
			plan.Target = plan.Before - row.over
			require.Equal(t, len(row.fails), len(plan.Requests))
			// The requests come largest first, the marks of the row in order of the conversation.
			rs := answerAll(plan, core.SummaryResult{Text: "They read on."})
			for i, q := range plan.Requests {
				older := 0
				for _, other := range plan.Requests {
					if other.Span.Start < q.Span.Start {
						older++
					}
				}
				if row.fails[older] == '1' {
					rs[i].Text, rs[i].Err = "", "overloaded"
				}
			}
			out, err := core.Apply(c, "", p, env, plan, rs)
			require.NoError(t, err)
			require.Equal(t, row.want, outline(t, c, row.letters, out.Conversation))
			dropped := 0
			for _, a := range out.Actions {
				if a.Kind == "truncate" {
					dropped += a.Before - a.After
				}
			}
			if !strings.Contains(row.fails, "0") {
				require.Equal(t, out.Before-out.After, dropped, "the actions say how much")
			}
		})
	}
}

// What clearing freed of a message is not freed again when the message is dropped: the target is met, and by no more
// than a message.
func TestTruncationOfClearedResults(t *testing.T) {
	c := spelled(t, "acrcrcrcrcraau")
	for target := 150; target <= 1300; target += 50 {
		p, err := policy.Parse("", []byte(`{"preset":"s06","clear":{"keepRecent":0},"summary":{"maxTokens":10}}`))
		require.NoError(t, err)
		env := core.Env{Count: tokens.Chars4, Force: true}
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.Len(t, plan.Edits, 5)
		plan.Target = target
		out, err := core.Apply(c, "", p, env, plan, answerAll(plan, core.SummaryResult{Err: "overloaded"}))
		require.NoError(t, err)
		require.LessOrEqual(t, out.After, target)
		if len(out.Conversation.Messages) < len(c.Messages) {
			require.Greater(t, out.After, target-210, "no more goes than has to")
		}
	}
}
