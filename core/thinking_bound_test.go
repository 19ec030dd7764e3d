package core_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/validity"
)

// bindingModel binds every thinking block to the exact prefix before it.
const bindingModel = "claude-opus-5-5"

// applyBound applies a plan to a conversation of a model that binds thinking, and asserts the contract: stale_plan for
// a conversation that has grown, or an outcome that the provider accepts, in which only archived messages changed. It
// returns nil for stale_plan.
func applyBound(t require.TestingT, c *msg.Conversation, st core.State, p policy.Policy, env core.Env, plan *core.Plan,
	rs []core.SummaryResult) *core.Outcome {
	out, err := core.Apply(c, st, p, env, plan, rs)
	if err != nil {
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, msg.StalePlan, e.Code, "%s", e.Msg)
		require.Less(t, plan.Length, len(c.Messages), "a conversation that has not grown is never stale")
		return nil
	}
	require.Empty(t, brokenThinking(c, out.Conversation), "%s", p.Preset)
	if validity.Valid(validity.Check(c)) {
		require.Empty(t, errorsOf(out.Conversation), "%s", p.Preset)
	}
	requireUntouched(t, c, plan, out)
	require.LessOrEqual(t, out.After, out.Before)
	return out
}

// brokenThinking lists the thinking that the provider would refuse in the request after, which follows the request
// before.
func brokenThinking(before, after *msg.Conversation) []string {
	var paths []string
	for _, p := range validity.CheckAppend(before, after) {
		if p.Rule == validity.A9ThinkingBound {
			paths = append(paths, p.Path+": "+p.Message)
		}
	}
	return paths
}

// thought is a signed thinking block.
func thought(text string) msg.Block {
	raw := append(rawjson.AppendQuote([]byte(`{"type":"thinking","thinking":`), text), `,"signature":"c2ln"}`...)
	return msg.Block{Kind: msg.KindThinking, Type: "thinking", Raw: raw, Text: text, Signed: true}
}

// growth is a way in which a conversation grows between a plan and its application.
type growth struct {
	name     string
	messages []msg.Message
}

func growths(name string) []growth {
	prompt := msg.TextMessage(msg.User, "And the next one?")
	answer := msg.Message{Role: msg.Assistant, Changed: true,
		Blocks: []msg.Block{thought("What follows?"), msg.TextBlock("The next one.")}}
	call := msg.Block{Kind: msg.KindToolUse, Type: "tool_use", ID: "toolu_grown", Name: "read", Text: "{}"}
	open := msg.Message{Role: msg.Assistant, Changed: true, Blocks: []msg.Block{thought("Read it."), call}}
	result := msg.Message{Role: msg.User, Changed: true,
		Blocks: []msg.Block{msg.ResultBlock(&call, "What it says.", false)}}
	if name == msg.OpenAIChat {
		result.Role = msg.Tool
	}
	return []growth{
		{"nothing", nil},
		{"a prompt", []msg.Message{prompt}},
		{"a turn with thinking", []msg.Message{prompt, answer}},
		{"an open round with thinking", []msg.Message{prompt, open}},
		{"an open round with thinking and its result", []msg.Message{prompt, open, result}},
	}
}

func grown(c *msg.Conversation, more []msg.Message) *msg.Conversation {
	more = append([]msg.Message{}, more...)
	for m := range more {
		more[m].Path = "/grown/" + strconv.Itoa(m) // as if it had come in
	}
	return c.WithMessages(append(c.Messages[:len(c.Messages):len(c.Messages)], more...))
}

// Whatever the policy, the answers that fail, and what came after the plan was made: no request of a model that binds
// thinking is refused for thinking behind a changed prefix.
func TestBoundThinkingRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		whole := parse(t, string(convtest.Conversation(t, name)))
		whole.Model = bindingModel
		c, head := whole, whole
		if rapid.Bool().Draw(t, "cut") {
			n := rapid.IntRange(0, len(whole.Messages)).Draw(t, "length")
			head = whole.WithMessages(whole.Messages[:n:n])
		} else {
			c = grown(whole, rapid.SampledFrom(growths(c.Format)).Draw(t, "growth").messages)
		}
		p, env := drawPolicy(t), drawEnv(t)
		plan := planOrOverflow(t, head, "", p, env)
		decided := map[string]bool{}
		for _, a := range plan.Decisions {
			require.False(t, a.Kind != "thinking_dropped" && decided[a.Path], "two decisions about %s", a.Path)
			decided[a.Path] = decided[a.Path] || a.Kind != "thinking_dropped"
		}
		state := core.State("")
		for range 10 {
			out := applyBound(t, c, state, p, env, plan, drawResults(t, plan))
			if out == nil || out.Next == nil {
				return
			}
			c, state, plan = renumbered(out.Conversation), out.State, out.Next
		}
	})
}

// renumbered is a conversation whose messages all have a path, as one that was written and parsed has.
func renumbered(c *msg.Conversation) *msg.Conversation {
	messages := append([]msg.Message{}, c.Messages...)
	for m := range messages {
		messages[m].Path = "/messages/" + strconv.Itoa(m)
	}
	return c.WithMessages(messages)
}

// The same on real conversations with every preset. Every second assistant message of them thinks.
func TestBoundThinkingCorpus(t *testing.T) {
	changed, stale := 0, 0
	files := convtest.Corpus(t, "anthropic", "openai-chat", "claude-code")
	for i, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			c = thinking(c)
			for _, info := range convtest.OneOfFew(policy.Presets(), i) {
				p := info.Policy
				if info.Name == "clear_thinking" {
					p.Thinking.KeepTurns = 1
				}
				plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
				if err != nil {
					require.ErrorContains(t, err, "start a new session")
					continue
				}
				all := growths(c.Format)
				for every := range 4 { // none fails, all, each second, each third
					rs := answerAll(plan, core.SummaryResult{Text: "They went on with it."})
					for i := range rs {
						if every > 0 && i%every == 0 {
							rs[i].Text, rs[i].Err = "", "overloaded"
						}
					}
					for i, g := range all {
						if len(c.Messages) > 100 && i != (every+len(plan.Requests))%len(all) {
							continue // of a long one, one growth for each set of answers
						}
						whole := grown(c, g.messages)
						out := applyBound(t, whole, "", p, core.Env{Lean: true}, plan, rs)
						switch {
						case out == nil:
							stale++
						case out.Conversation != whole:
							changed++
						}
					}
				}
			}
		})
	}
	if len(files) > 0 {
		require.NotZero(t, changed, "some outcomes change the conversation")
		require.NotZero(t, stale, "some plans are stale")
	}
}

// thinking is a conversation of a model that binds thinking, in which every second assistant message has some.
func thinking(c *msg.Conversation) *msg.Conversation {
	messages := append([]msg.Message{}, c.Messages...)
	n := 0
	for m := range messages {
		if messages[m].Role != msg.Assistant {
			continue
		}
		if n++; n%2 == 0 && (len(messages[m].Blocks) == 0 || messages[m].Blocks[0].Kind != msg.KindThinking) {
			messages[m] = messages[m].WithBlocks(append([]msg.Block{thought("Let me think about it.")}, messages[m].Blocks...))
		}
	}
	c = c.WithMessages(messages)
	c.Model = bindingModel
	return c
}

// A plan that no NewPlan made is refused, or its outcome keeps the rules on bound thinking as well.
func TestBoundThinkingHostile(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		c := thinking(parse(t, rapid.SampledFrom(fuzzConversations).Draw(t, "conversation")))
		p := fuzzPolicy(t, rapid.IntRange(0, 20).Draw(t, "preset"))
		head := c.WithMessages(c.Messages[:rapid.IntRange(1, len(c.Messages)).Draw(t, "length")])
		plan, err := core.NewPlan(head, "", p, core.Env{Force: true})
		if err != nil {
			return
		}
		base, length := plan.Base, plan.Length
		drawHostile(t, plan, length)
		plan.Base, plan.Length = base, length
		for _, rs := range [][]core.SummaryResult{nil, answerAll(plan, core.SummaryResult{Text: "It went well."})} {
			out, err := core.Apply(c, "", p, core.Env{}, plan, rs)
			if err != nil {
				requireRefusal(t, err)
				continue
			}
			accepted++
			require.Empty(t, brokenThinking(c, out.Conversation))
		}
	})
	require.NotZero(t, accepted, "some of them are good plans")
}
