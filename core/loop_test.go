package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// allRounds runs a Loop until no plan is left and reads each result again from its bytes. seen gets each outcome.
func allRounds(t require.TestingT, c *msg.Conversation, st core.State, p policy.Policy, env core.Env,
	answer func(*core.Loop) []core.SummaryResult, seen func(*core.Outcome)) (*msg.Conversation, core.State) {
	l, err := core.NewLoop(c, st, p, env)
	require.NoError(t, err)
	for rounds := 0; l.Plan() != nil; rounds++ {
		require.Less(t, rounds, 20, "it ends")
		out, err := l.Apply(answer(l))
		require.NoError(t, err)
		seen(out)
		l.Reread(reread(t, out.Conversation))
	}
	return l.Conversation(), l.State()
}

// sameAnswer answers every request with the same text.
func sameAnswer(text string) func(*core.Loop) []core.SummaryResult {
	return func(l *core.Loop) []core.SummaryResult {
		return answerAll(l.Plan(), core.SummaryResult{Text: text})
	}
}

// A Loop, from a conversation or from its session, does what the steps of the host's manual do.
func TestLoopAgreesWithItsSteps(t *testing.T) {
	rounds := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, name)))
		p, env := drawPolicy(t), drawEnv(t)
		l, err := core.NewLoop(c, "", p, env)
		s, sessionErr := core.NewSession(c, "", p, env.Count)
		require.NoError(t, sessionErr)
		ofSession, sessionErr := s.Loop(env)
		plan, planErr := core.NewPlan(c, "", p, env)
		require.Equal(t, planErr, err)
		require.Equal(t, planErr, sessionErr)
		if err != nil {
			return
		}
		state := core.State("")
		for ; plan != nil; rounds++ {
			require.Equal(t, plan, l.Plan())
			require.Equal(t, plan, ofSession.Plan())
			require.Equal(t, core.Archive(c, plan), l.Archive())
			results := drawResults(t, plan)
			want, wantErr := core.Apply(c, state, p, env, plan, results)
			for _, loop := range []*core.Loop{l, ofSession} {
				out, err := loop.Apply(results)
				require.Equal(t, wantErr, err)
				if isOverflow(err) {
					continue
				}
				require.NoError(t, err)
				require.Equal(t, want, out)
				require.Equal(t, want.State, loop.State())
				require.Same(t, out.Conversation, loop.Conversation())
			}
			if wantErr != nil {
				return
			}
			c, state, plan, env.Usage = want.Conversation, want.State, want.Next, nil
		}
		require.Nil(t, l.Plan())
	})
	require.NotZero(t, rounds)
}
