package core

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
	s, err := NewSession(c, "", p, nil)
	require.NoError(t, err)
	require.True(t, s.Turn(Env{}).Due)
	require.Equal(t, 1, s.plans)
	plan, err := s.Plan(Env{})
	require.NoError(t, err)
	require.NotEmpty(t, plan.Regions)
	first := plan.Requests[0].ID
	plan.Requests = slices.Delete(plan.Requests, 0, 1) // a host may answer fewer
	plan, err = s.Plan(Env{})
	require.NoError(t, err)
	require.Equal(t, first, plan.Requests[0].ID)
	for range 10 {
		require.True(t, s.Turn(Env{}).Due)
	}
	_, err = s.Loop(Env{})
	require.NoError(t, err)
	require.Equal(t, 1, s.plans, "the same plan")

	usage := &Usage{Input: 30_000}
	for i, env := range []Env{{IdleSec: 400}, {Usage: usage}, {Force: true}, {Focus: "orders", Force: true}} {
		s.Turn(env)
		s.Turn(env)
		require.Equal(t, 2+i, s.plans, "another Env")
	}
	s.Turn(Env{Usage: usage})
	before := s.plans
	usage.Input = 40_000
	s.Turn(Env{Usage: usage})
	require.Equal(t, before+1, s.plans, "the usage itself changed")
	s.Append([]msg.Message{msg.TextMessage(msg.User, "Go on.")})
	s.Turn(Env{Usage: usage})
	require.Equal(t, before+2, s.plans, "another message")
	fresh, err := NewPlan(s.Conversation(), "", p, Env{Usage: usage})
	require.NoError(t, err)
	again, err := s.Plan(Env{Usage: usage})
	require.NoError(t, err)
	require.Equal(t, fresh, again)
	require.NoError(t, s.SetState(s.State()))
	s.Turn(Env{Usage: usage})
	require.Equal(t, before+3, s.plans, "another State")
}
