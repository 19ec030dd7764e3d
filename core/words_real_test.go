package core_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/tokens"
	"tamp/core/words"
)

// In recorded sessions, each sentence that the user typed is in the outcome of three compactions in every preset, as
// long as all of them fit the room for words.
func TestWordsOfRealSessions(t *testing.T) {
	n, kept := 0, 0
	for _, file := range convtest.Corpus(t, "anthropic", "claude-code", "codex", "gemini", "openai-chat") {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		if err != nil || len(c.Messages) < 12 || convtest.Fewer() && len(data) > 1<<20 {
			continue
		}
		var typed string
		for _, s := range saidIn(c) {
			typed += s.Text + "\n"
		}
		if tokens.Estimate.Count(typed)+words.FrameTokens > words.Room(60_000, 30_000) {
			continue
		}
		n++
		for i, preset := range policy.Names() {
			if convtest.Fewer() && (i+n)%3 != 0 {
				continue
			}
			kept += requireWordsOfSession(t, file, c, preset)
		}
	}
	t.Logf("%d sessions, %d sentences", n, kept)
	if n > 0 {
		require.Greater(t, kept, 1000)
	}
}

// requireWordsOfSession compacts a session after each third of it, and returns the number of sentences that were there.
func requireWordsOfSession(t *testing.T, file string, c *msg.Conversation, preset string) (kept int) {
	p, err := policy.Preset(preset)
	require.NoError(t, err)
	p.Trigger.Window = 60_000
	count := tokens.NewMeter(nil, c).Text
	now, state, edited := c.WithMessages(nil), core.State(""), map[string]bool{}
	from := 0
	for part := 1; part <= 3; part++ {
		to := part * len(c.Messages) / 3
		for to < len(c.Messages) && !provenance.IsPrompt(&c.Messages[to]) {
			to++ // no part ends within a tool round
		}
		now = now.WithMessages(append(now.Messages[:len(now.Messages):len(now.Messages)], c.Messages[from:to]...))
		from = to
		loop, err := core.NewLoop(now, state, p, core.Env{Force: true})
		if isOverflow(err) {
			return kept
		}
		require.NoError(t, err, file)
		for loop.Plan() != nil {
			plan := loop.Plan()
			if wordsWereCut(plan.Warnings) {
				return kept // what stays besides them leaves less room
			}
			for _, e := range plan.Edits {
				provenance.Sentences(loop.Conversation().At(e.Ref()).Text, func(s string) { edited[s] = true })
			}
			results, err := loop.Summarize()
			require.NoError(t, err, file)
			_, err = loop.Apply(results)
			if isOverflow(err) {
				return kept
			}
			require.NoError(t, err, file)
		}
		now, state = loop.Conversation(), loop.State()
		var have []string
		for _, s := range saidBy(now, count) {
			provenance.Sentences(s.Text, func(sentence string) { have = append(have, sentence) })
		}
		for _, said := range saidBy(c.WithMessages(c.Messages[:to]), count) {
			provenance.Sentences(said.Text, func(sentence string) {
				if !edited[sentence] {
					require.True(t, slices.Contains(have, sentence), "%s, %s, part %d: %q", file, preset, part, sentence)
					kept++
				}
			})
		}
	}
	return kept
}
