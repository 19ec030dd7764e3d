package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
)

// cached is a provider's cache that counts each block as a position, the strictest reading of its rule. It has the
// prefixes, as texts, up to each breakpoint of the requests so far.
type cached map[string]bool

// send writes the entries of a request, and returns how many of its blocks a breakpoint finds in earlier entries.
func (e cached) send(c *msg.Conversation) (read, blocks int) {
	prefix, at := "", []string(nil)
	var marks []int
	add := func(b *msg.Block) {
		raw := b.Raw
		if raw.Kind() == '"' {
			raw = rawjson.Value(`{"type":"text"}`).With("text", raw)
		}
		prefix += string(raw.Without("cache_control").Compact()) + "\n"
		if at = append(at, prefix); b.Cache != nil {
			marks = append(marks, len(at)-1)
		}
	}
	for _, list := range [][]msg.Block{c.Tools, c.System} {
		for i := range list {
			add(&list[i])
		}
	}
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			add(&c.Messages[m].Blocks[b])
		}
	}
	for _, mark := range marks {
		for k := mark; k >= 0 && k > mark-20; k-- {
			if e[at[k]] {
				read = max(read, k+1)
				break
			}
		}
	}
	for _, mark := range marks {
		e[at[mark]] = true
	}
	return read, len(at)
}

// The output of Anchors comes back with more messages, as an agent sends it: each call reads the whole prompt of the
// call before, whatever it adds, and the breakpoints of the program keep their places. 1 to 30 calls a round.
func TestAnchorsOfItsOwnOutput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(n int) string { return strings.Repeat("some words of a text ", n) }
		p, err := policy.Preset(rapid.SampledFrom([]string{"balanced", "prune", "clear_tool_uses", "harness"}).Draw(t,
			"preset"))
		require.NoError(t, err)
		observes, mark := rapid.Bool().Draw(t, "observes"), ""
		if rapid.Bool().Draw(t, "a breakpoint of the program") {
			mark = `,"cache_control":{"type":"ephemeral"}`
		}
		top := `{"model":"claude-opus-4-8","system":[{"type":"text","text":"` + text(400) + `"}],"tools":[{"name":"Read",` +
			`"description":"` + text(300) + `","input_schema":{"type":"object"}}],"messages":`
		messages := []string{`{"role":"user","content":[{"type":"text","text":"` + text(300) + `"` + mark + `}]}`}
		all := rapid.Bool().Draw(t, "all breakpoints come back")
		state, provider, sent, id := core.State(""), cached{}, 0, 0
		for range rapid.IntRange(2, 8).Draw(t, "calls of the model") {
			c := parse(t, top+"["+strings.Join(messages, ",")+"]}")
			a, err := core.Anchors(c, state, p, core.Env{}, core.AnchorOptions{})
			require.NoError(t, err)
			out, err := format.Render(a.Conversation)
			require.NoError(t, err)
			again, err := core.Anchors(parse(t, string(out)), a.State, p, core.Env{}, core.AnchorOptions{})
			require.NoError(t, err)
			same, err := format.Render(again.Conversation)
			require.NoError(t, err)
			require.Equal(t, string(out), string(same), "a second time changes nothing")
			state = a.State
			request := parse(t, string(out))
			read, blocks := provider.send(request)
			require.Equal(t, sent, read, "of %s", out)
			sent = blocks
			if mark != "" {
				require.NotNil(t, request.Messages[0].Blocks[0].Cache, "the breakpoint of the program stays")
			}
			for _, x := range a.Anchors {
				require.Equal(t, mark != "" && x.Path == "/messages/0/content/0", strings.HasPrefix(x.Reason, "already"), x.Path)
			}
			if observes {
				state, _ = core.Observe(state, core.Usage{Input: 10, CacheRead: 5000})
			}

			// The messages come back as they were sent, without or with the breakpoints of the tools and the system prompt.
			var body struct {
				System, Tools json.RawMessage
				Messages      []json.RawMessage
			}
			require.NoError(t, json.Unmarshal(out, &body))
			if all {
				top = `{"model":"claude-opus-4-8","system":` + string(body.System) + `,"tools":` + string(body.Tools) +
					`,"messages":`
			}
			messages = messages[:0]
			for _, m := range body.Messages {
				messages = append(messages, string(m))
			}
			calls, results := []string(nil), []string(nil)
			for range rapid.IntRange(0, 30).Draw(t, "calls") {
				id++
				calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Read","input":{"k":%d}}`, id, id))
				results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":"%s"}`, id, text(40)))
			}
			switch split := rapid.IntRange(0, 2).Draw(t, "split"); {
			case len(calls) == 0:
				messages = append(messages, `{"role":"assistant","content":"done"}`, `{"role":"user","content":"`+text(1+id)+`"}`)
			case split == 0: // an assistant message for each call
				for _, call := range calls {
					messages = append(messages, `{"role":"assistant","content":[`+call+`]}`)
				}
				messages = append(messages, `{"role":"user","content":[`+strings.Join(results, ",")+`]}`)
			default:
				messages = append(messages, `{"role":"assistant","content":[{"type":"text","text":"ok"},`+
					strings.Join(calls, ",")+`]}`, `{"role":"user","content":[`+strings.Join(results[:1], ",")+`]}`)
				if len(results) > 1 {
					messages = append(messages, `{"role":"user","content":[`+strings.Join(results[1:], ",")+`]}`)
				}
			}
		}
	})
}

// A result that was cleared since then keeps the breakpoint as one of Anchors.
func TestAnchorsAfterAClearing(t *testing.T) {
	p, err := policy.Preset("s06")
	require.NoError(t, err)
	text := strings.Repeat("some words of a text ", 400)
	messages := `{"role":"user","content":"` + text + `"}`
	for i := range 6 {
		messages += fmt.Sprintf(`,{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i, i, text)
	}
	c := parse(t, `{"model":"claude-opus-4-8","messages":[`+messages+`]}`)
	state, cleared := core.State(""), 0
	for range 2 {
		a, err := core.Anchors(c, state, p, core.Env{}, core.AnchorOptions{})
		require.NoError(t, err)
		for _, x := range a.Anchors {
			require.NotContains(t, x.Reason, "already", x.Path)
		}
		env := core.Env{Force: true}
		plan, err := core.NewPlan(a.Conversation, a.State, p, env)
		require.NoError(t, err)
		cleared += len(plan.Edits)
		out, err := core.Apply(a.Conversation, a.State, p, env, plan, nil)
		require.NoError(t, err)
		c, state = out.Conversation, out.State
	}
	require.NotZero(t, cleared)
}
