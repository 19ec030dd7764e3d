package core_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A session returns, at every turn and under any policy, the same as the engine for the whole conversation; a turn is
// due if and only if the plan has edits or requests.
func TestSessionAgreesWithTheEngine(t *testing.T) {
	due := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, name)))
		p := drawSmallPolicy(t)
		counter := rapid.SampledFrom([]tokens.Counter{tokens.Estimate, tokens.Chars4}).Draw(t, "counter")
		var st core.State
		if plan, err := core.NewPlan(c, "", p, core.Env{Count: counter}); err == nil && rapid.Bool().Draw(t, "state") {
			out, err := core.Apply(c, "", p, core.Env{Count: counter}, plan, nil)
			if err != nil { // of the smallest windows
				require.ErrorContains(t, err, "cannot compact further")
			} else if st = out.State; rapid.Bool().Draw(t, "on") { // else a host that sends the whole history again
				c = out.Conversation
			}
		}
		at := rapid.IntRange(0, len(c.Messages)).Draw(t, "at")
		s, err := core.NewSession(c.WithMessages(c.Messages[:at]), st, p, counter)
		require.NoError(t, err)
		for {
			env := core.Env{Count: counter}
			if rapid.IntRange(0, 3).Draw(t, "usage") == 0 {
				env.Usage = &core.Usage{Input: rapid.IntRange(0, 3000).Draw(t, "input"), Output: 7}
			}
			env.Force = rapid.IntRange(0, 9).Draw(t, "force") == 0
			due[requireSame(t, s, c.WithMessages(c.Messages[:at]), st, p, env)]++
			if at == len(c.Messages) {
				return
			}
			n := rapid.IntRange(1, len(c.Messages)-at).Draw(t, "messages")
			s.Append(c.Messages[at : at+n])
			at += n
		}
	})
	require.Positive(t, min(due[true], due[false]), "both were seen: %v", due)
}

// A session that goes on after each compaction plans, summarizes and applies the same as the engine, which has read
// nothing before.
func TestSuccessorAgreesWithTheEngine(t *testing.T) {
	rounds := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		whole := parse(t, string(convtest.Conversation(t, name)))
		p := drawSmallPolicy(t)
		env := core.Env{Count: tokens.Chars4, Lean: true}
		c, st := whole.WithMessages(nil), core.State("")
		s, err := core.NewSession(c, st, p, env.Count)
		require.NoError(t, err)
		for at := 0; at < len(whole.Messages); {
			n := rapid.IntRange(1, len(whole.Messages)-at).Draw(t, "messages")
			s.Append(whole.Messages[at : at+n])
			c = c.WithMessages(slices.Concat(c.Messages, whole.Messages[at:at+n]))
			at += n
			requireSame(t, s, c, st, p, env)
			loop, err := s.Loop(env)
			for n := 0; err == nil && loop.Plan() != nil && n < 5; n++ {
				want, err := core.Summarize(c, st, p, env, loop.Plan(), nil)
				require.NoError(t, err)
				results, err := loop.Summarize()
				require.NoError(t, err)
				require.Equal(t, want, results)
				applied, applyErr := core.Apply(c, st, p, env, loop.Plan(), results)
				out, err := loop.Apply(results)
				require.Equal(t, applyErr, err)
				if err != nil {
					break
				}
				require.Equal(t, applied, out)
				c, st = out.Conversation, out.State
				rounds++
			}
			s, err = s.Successor(c, st)
			require.NoError(t, err)
			requireSame(t, s, c, st, p, env)
		}
	})
	require.Positive(t, rounds) // Apply is compared, too
}

// requireSame compares a session with the engine, and returns whether the turn is due.
func requireSame(t require.TestingT, s *core.Session, c *msg.Conversation, st core.State, p policy.Policy,
	env core.Env) bool {
	want, wantErr := core.NewPlan(c, st, p, env)
	turn := s.Turn(env)
	plan, err := s.Plan(env)
	require.Equal(t, wantErr, err)
	require.Equal(t, want, plan)
	require.Equal(t, tokens.NewMeter(env.Count, c).Conversation(c), s.Counts())
	require.Equal(t, len(c.Messages), turn.Messages)
	require.Equal(t, s.Counts().Total, turn.Total)
	if err != nil {
		require.True(t, turn.Due)
		return true
	}
	require.Equal(t, len(plan.Edits)+len(plan.Regions) > 0, turn.Due)
	require.Equal(t, plan.Trigger, turn.Trigger)
	return turn.Due
}

// drawSmallPolicy draws a preset with limits that small conversations reach.
func drawSmallPolicy(t *rapid.T) policy.Policy {
	p := rapid.SampledFrom(policy.Presets()).Draw(t, "preset").Policy
	number := func(name string, to *int, from ...int) {
		if rapid.Bool().Draw(t, "set "+name) {
			*to = rapid.SampledFrom(from).Draw(t, name)
		}
	}
	flag := func(name string, to *bool) {
		if rapid.IntRange(0, 3).Draw(t, "turn "+name) == 0 {
			*to = !*to
		}
	}
	number("keepRecent", &p.Clear.KeepRecent, 0, 1, 2)
	number("minChars", &p.Clear.MinChars, 0, 30)
	number("minSavings", &p.Clear.MinSavings, 0, 20, 300)
	number("protectTokens", &p.Clear.ProtectTokens, 0, 20, 300)
	number("protectExchanges", &p.Clear.ProtectExchanges, 0, 1, 2)
	number("triggerTokens", &p.Clear.TriggerTokens, 0, 200, 2000)
	number("triggerToolUses", &p.Clear.TriggerToolUses, 0, 2)
	number("clearAtLeast", &p.Clear.ClearAtLeast, 0, 50, 500)
	flag("consumedOnly", &p.Clear.ConsumedOnly)
	flag("enabled", &p.Clear.Enabled)
	flag("sticky", &p.Clear.Sticky)
	if rapid.IntRange(0, 2).Draw(t, "economic") == 0 {
		p.Clear.When = "economic"
		number("rentPermille", &p.Clear.RentPermille, 0, 100, 3000)
	}
	if rapid.IntRange(0, 3).Draw(t, "inputs") == 0 {
		p.Clear.ClearToolInputs = []string{"*"}
	}
	if rapid.IntRange(0, 3).Draw(t, "keep") == 0 {
		p.Clear.KeepTools = []string{"bash"}
	}
	number("recentTurns", &p.Pin.RecentTurns, 0, 1, 2)
	number("recentTokens", &p.Pin.RecentTokens, 0, 50, 500)
	number("keepTurns", &p.Thinking.KeepTurns, 0, 1, 2)
	number("maxBytes", &p.Intake.MaxBytes, 0, 2000)
	number("maxChars", &p.Intake.MaxChars, 0, 500)
	number("tokens", &p.Trigger.Tokens, 0, 100, 1000)
	number("window", &p.Trigger.Window, 0, 500, 5000)
	flag("taskSwitch", &p.Trigger.TaskSwitch)
	if p.Validate() != nil {
		p = policy.Presets()[0].Policy
	}
	return p
}

// Real sessions under every preset, with windows that they sometimes exceed; due plans are applied, and the session
// continues.
func TestSessionOnRealSessions(t *testing.T) {
	for i, path := range convtest.Corpus(t, "anthropic", "openai-chat", "claude-code") {
		if i%7 != 0 {
			continue
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		if err != nil || len(c.Messages) > 400 {
			continue
		}
		for _, info := range policy.Presets() {
			p := info.Policy
			if p.Trigger.Window == 0 {
				p.Trigger.Window = 30_000
			}
			p.Clear.MinSavings /= 10
			s, err := core.NewSession(c.WithMessages(nil), "", p, nil)
			require.NoError(t, err)
			for at := 0; at < len(c.Messages); {
				n := min(1+at%7, len(c.Messages)-at)
				s.Append(c.Messages[at : at+n])
				at += n
				if at%5 == 0 || at == len(c.Messages) {
					requireSame(t, s, c.WithMessages(c.Messages[:at]), "", p, core.Env{})
				}
			}
		}
	}
}

// counted counts the texts and bytes that it counts.
type counted struct {
	tokens.Counter
	texts, bytes *int
}

func (c counted) Count(text string) int {
	*c.texts, *c.bytes = *c.texts+1, *c.bytes+len(text)
	return c.Counter.Count(text)
}

// The 3,000th turn counts as many texts as the 10th, and allocates as much.
func TestSessionCostIsLinearInNewMessages(t *testing.T) {
	for _, preset := range policy.Names() {
		t.Run(preset, func(t *testing.T) {
			p, err := policy.Preset(preset)
			require.NoError(t, err)
			p.Trigger.Window, p.Trigger.Tokens, p.Clear.KeepRecent, p.Clear.TriggerTokens = 100_000_000, 0, 2, 100_000_000
			texts, bytes := 0, 0
			s, err := core.NewSession(parse(t, `[{"role":"user","content":"Go."}]`), "", p, counted{tokens.Estimate,
				&texts, &bytes})
			require.NoError(t, err)
			round := parse(t, `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run","input":{"x":1}}]},`+
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"some output that is long enough to be worth clearing, or would be, if anything were to be cleared here, which it is not"}]}]`).Messages
			var first [3]int
			for turn := 1; turn <= 3000; turn++ {
				texts, bytes = 0, 0
				s.Append(round)
				require.False(t, s.Turn(core.Env{}).Due)
				var allocated int
				if turn == 10 || turn == 2999 {
					allocated = int(testing.AllocsPerRun(20, func() { s.Turn(core.Env{}) }))
				}
				if turn == 10 {
					first = [3]int{texts, bytes, allocated}
				} else if turn == 2999 {
					require.Equal(t, first, [3]int{texts, bytes, allocated})
				}
			}
		})
	}
}
