package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// What a caller appends to the lists that a session returns stays: neither the session nor another caller writes there.
func TestListsOfASessionAreTheCallersOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		s, err := core.NewSession(whole.WithMessages(nil), "", p, tokens.Chars4)
		require.NoError(t, err)
		mark := msg.TextMessage(msg.User, "the caller's")
		var messages [][]msg.Message
		var counts [][]tokens.MessageCount
		var decisions [][]core.Action
		for at := 0; at < len(whole.Messages); {
			n := rapid.IntRange(1, len(whole.Messages)-at).Draw(t, "messages")
			s.Append(whole.Messages[at : at+n])
			at += n
			for range 2 {
				messages = append(messages, append(s.Conversation().Messages, mark))
				counts = append(counts, append(s.Counts().Messages, tokens.MessageCount{Tokens: len(messages)}))
				if plan, err := s.Plan(core.Env{}); err == nil {
					decisions = append(decisions, append(plan.Decisions, core.Action{After: len(decisions)}))
				}
			}
			if loop, err := s.Loop(core.Env{Force: true}); err == nil && rapid.Bool().Draw(t, "compact") {
				_, err := loop.Apply(nil)
				require.NoError(t, err)
				s, err = s.Successor(loop.Conversation(), loop.State())
				require.NoError(t, err)
			}
		}
		for i := range messages {
			require.Equal(t, mark, messages[i][len(messages[i])-1])
			require.Equal(t, i+1, counts[i][len(counts[i])-1].Tokens)
		}
		for i := range decisions {
			require.Equal(t, i, decisions[i][len(decisions[i])-1].After)
		}
	})
}
