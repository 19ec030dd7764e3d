package core_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

// While a model writes the summaries, a host calls Turn and Plan again: without new messages, the plan is made once.
func TestSessionPlansOncePerTurn(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 8000
	c := &msg.Conversation{Format: msg.Anthropic}
	for range 60 {
		c.Messages = append(c.Messages, msg.TextMessage(msg.User, "Describe the next part of the store."),
			msg.TextMessage(msg.Assistant, strings.Repeat("The store keeps every order that the shop accepted. ", 20)))
	}
	s, err := core.NewSession(c, "", p, nil)
	require.NoError(t, err)
	require.True(t, s.Turn(core.Env{}).Due)
	require.Equal(t, 1, s.Plans())
	plan, err := s.Plan(core.Env{})
	require.NoError(t, err)
	require.NotEmpty(t, plan.Regions)
	first := plan.Requests[0].ID
	plan.Requests = slices.Delete(plan.Requests, 0, 1) // a host may answer fewer
	plan, err = s.Plan(core.Env{})
	require.NoError(t, err)
	require.Equal(t, first, plan.Requests[0].ID)
	for range 10 {
		require.True(t, s.Turn(core.Env{}).Due)
	}
	_, err = s.Loop(core.Env{})
	require.NoError(t, err)
	require.Equal(t, 1, s.Plans(), "the same plan")

	usage := &core.Usage{Input: 30_000}
	for i, env := range []core.Env{{IdleSec: 400}, {Usage: usage}, {Force: true}, {Focus: "orders", Force: true}} {
		s.Turn(env)
		s.Turn(env)
		require.Equal(t, 2+i, s.Plans(), "another Env")
	}
	s.Turn(core.Env{Usage: usage})
	before := s.Plans()
	usage.Input = 40_000
	s.Turn(core.Env{Usage: usage})
	require.Equal(t, before+1, s.Plans(), "the usage itself changed")
	s.Append([]msg.Message{msg.TextMessage(msg.User, "Go on.")})
	s.Turn(core.Env{Usage: usage})
	require.Equal(t, before+2, s.Plans(), "another message")
	fresh, err := core.NewPlan(s.Conversation(), "", p, core.Env{Usage: usage})
	require.NoError(t, err)
	again, err := s.Plan(core.Env{Usage: usage})
	require.NoError(t, err)
	require.Equal(t, fresh, again)
	require.NoError(t, s.SetState(s.State()))
	s.Turn(core.Env{Usage: usage})
	require.Equal(t, before+3, s.Plans(), "another State")
}
