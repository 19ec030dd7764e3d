package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// show writes what a pass decided, one line for each block.
func show(t require.TestingT, decisions []pass.Decision) []string {
	lines := []string{}
	for _, d := range decisions {
		line := fmt.Sprintf("%d.%d %s %s: %s", d.Ref.Message, d.Ref.Block, d.Fate, d.Tool, d.Reason)
		if e := d.Edit; e != nil {
			require.Equal(t, d.Ref, e.Ref())
			require.Equal(t, d.Reason, e.Reason)
			require.Equal(t, d.Tool, e.Tool)
			line += fmt.Sprintf(", %s %d to %d %s", e.Kind, e.Tokens, e.After, e.Text)
		}
		lines = append(lines, line)
	}
	return lines
}

// rounds parses a conversation of one call a message with its result, after a prompt: "a100" is a result of the tool a
// of 100 characters, "." is an answer, and "|" an answer and the next prompt.
func rounds(t *testing.T, spec string) *msg.Conversation {
	messages := []string{`{"role":"user","content":"Go."}`}
	for i, word := range strings.Fields(spec) {
		if word == "|" || word == "." {
			messages = append(messages, `{"role":"assistant","content":"Done."}`)
			if word == "|" {
				messages = append(messages, `{"role":"user","content":"Go on."}`)
			}
			continue
		}
		var size int
		_, err := fmt.Sscanf(word[1:], "%d", &size)
		require.NoError(t, err)
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"%d","name":"%s","input":{"path":"some/file"}}]}`, i, word[:1]),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d","content":"%s"}]}`, i,
				strings.Repeat("x", size)))
	}
	return parse(t, []byte("["+strings.Join(messages, ",")+"]"))
}

// Each rule of clearing, with its reason text.
func TestClearRules(t *testing.T) {
	was := func(_ msg.Ref, b *msg.Block) bool { return len(b.Text) == 77 }
	rows := []struct {
		why, rounds string
		policy      pass.Clear
		want        []string
	}{
		{"no rule protects", "a100 b6 a7", pass.Clear{}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 kept b: no longer than its placeholder",
			"6.0 cleared a: an old result of a that no rule protects, clear_result 1 to 1 [gone]"}},
		{"seen by the model", "a100 a100", pass.Clear{ConsumedOnly: true, KeepRecent: 0}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 pinned a: the model has not answered it yet"}},
		{"not read", "a100 a100", pass.Clear{}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 pinned a: the model has not answered it yet"}},
		{"results not seen do not count as new ones", "a100 a100 a100", pass.Clear{ConsumedOnly: true, KeepRecent: 1},
			[]string{
				"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
				"4.0 pinned a: one of the newest 1 results",
				"6.0 pinned a: the model has not answered it yet"}},
		{"the newest", "a100 a100 a100", pass.Clear{KeepRecent: 2}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 pinned a: one of the newest 2 results",
			"6.0 pinned a: one of the newest 2 results"}},
		{"the window", "a100 a100", pass.Clear{Sticky: true, Before: 4}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 pinned a: in the recent window"}},
		{"the window counts with sticky only", "a100 a100", pass.Clear{Before: 1}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]"}},
		{"an exchange", "a100 | a100", pass.Clear{ProtectExchanges: 1}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"6.0 pinned a: in the newest 1 exchanges"}},
		{"as many exchanges as there are", "a100 | a100", pass.Clear{ProtectExchanges: 2}, []string{
			"2.0 pinned a: in the newest 2 exchanges",
			"6.0 pinned a: in the newest 2 exchanges"}},
		{"more exchanges than there are", "a100", pass.Clear{ProtectExchanges: 2},
			[]string{"2.0 pinned a: in the newest 2 exchanges"}},
		{"a tool", "a100 b100", pass.Clear{KeepTools: []string{"a"}}, []string{
			"2.0 pinned a: results of a are kept",
			"4.0 cleared b: an old result of b that no rule protects, clear_result 25 to 1 [gone]"}},
		{"a sum", "a100 a100 a100", pass.Clear{ProtectTokens: 50}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 pinned a: within the newest 50 tokens of results",
			"6.0 pinned a: within the newest 50 tokens of results"}},
		{"characters", "a9 a10", pass.Clear{MinChars: 9}, []string{
			"2.0 kept a: no longer than 9 characters",
			"4.0 cleared a: an old result of a that no rule protects, clear_result 2 to 1 [gone]"}},
		{"too little to save", "a100 a100", pass.Clear{MinSavings: 50}, []string{
			"2.0 kept a: the candidates hold 50 tokens, not more than minSavings 50",
			"4.0 kept a: the candidates hold 50 tokens, not more than minSavings 50"}},
		{"too few calls, and a text that is short anyway", "a100 a5", pass.Clear{TriggerToolUses: 2, MinChars: 5}, []string{
			"2.0 kept a: nothing is cleared before 2 tool_uses, now 2",
			"4.0 kept a: no longer than 5 characters"}},
		{"enough calls", "a100 a100 a5", pass.Clear{TriggerToolUses: 2, TriggerTokens: 9999, KeepRecent: 1}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"6.0 pinned a: one of the newest 1 results"}},
		{"freed too little", "a100 b3", pass.Clear{ClearAtLeast: 25}, []string{
			"2.0 kept a: clearing would free 24 tokens, less than clearAtLeast 25",
			"4.0 kept b: no longer than its placeholder"}},
		{"freed just enough", "a100", pass.Clear{ClearAtLeast: 24}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]"}},
		{"cleared in an earlier turn", "a77 b77 a100",
			pass.Clear{Sticky: true, Was: was, Before: 99, KeepRecent: 1, MinSavings: 500,
				KeepTools: []string{"b"}}, []string{
				"2.0 cleared a: an old result of a that no rule protects, clear_result 19 to 1 [gone]",
				"4.0 cleared b: an old result of b that no rule protects, clear_result 19 to 1 [gone]",
				"6.0 pinned a: one of the newest 1 results"}},
		{"a new result stays, even if the memory has its key", "a100 a77",
			pass.Clear{Sticky: true, Was: was, Before: 99, KeepRecent: 1}, []string{
				"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
				"4.0 pinned a: one of the newest 1 results"}},
		{"and so does one that the model has not answered", "a77 a77",
			pass.Clear{Sticky: true, Was: was, Before: 99, ConsumedOnly: true}, []string{
				"2.0 cleared a: an old result of a that no rule protects, clear_result 19 to 1 [gone]",
				"4.0 pinned a: the model has not answered it yet"}},
		{"and one of the recent window", "a77 a77", pass.Clear{Sticky: true, Was: was, Before: 3}, []string{
			"2.0 cleared a: an old result of a that no rule protects, clear_result 19 to 1 [gone]",
			"4.0 pinned a: in the recent window"}},
		{"it was cleared, but the policy is not sticky", "a77", pass.Clear{Was: was, MinSavings: 500}, []string{
			"2.0 kept a: the candidates hold 19 tokens, not more than minSavings 500"}},
		{"sticky without a memory", "a77", pass.Clear{Sticky: true, Before: 99, MinSavings: 500}, []string{
			"2.0 kept a: the candidates hold 19 tokens, not more than minSavings 500"}},
		{"the calls of a tool", "a100 b100", pass.Clear{ClearToolInputs: []string{"a"}},
			[]string{
				"1.0 cleared a: the input of a cleared call of a, clear_input 5 to 0 {}",
				"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
				"4.0 cleared b: an old result of b that no rule protects, clear_result 25 to 1 [gone]"}},
		{"all calls, but that of the open round", "a100 b100", pass.Clear{ConsumedOnly: true,
			ClearToolInputs: []string{"*"}}, []string{
			"1.0 cleared a: the input of a cleared call of a, clear_input 5 to 0 {}",
			"2.0 cleared a: an old result of a that no rule protects, clear_result 25 to 1 [gone]",
			"4.0 pinned b: the model has not answered it yet"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			row.policy.Enabled, row.policy.Placeholder = true, "[gone]"
			spec := row.rounds
			if !row.policy.ConsumedOnly && row.why != "not read" {
				spec += " ." // the model has answered the last result
			}
			require.Equal(t, row.want, show(t, row.policy.Run(input(rounds(t, spec), charCounter))))
		})
	}
	require.Nil(t, pass.Clear{}.Run(input(rounds(t, "a100"), charCounter)), "switched off")
}

// A result that is a placeholder already, of this policy or of a preset's, is not cleared again.
func TestClearLeavesPlaceholders(t *testing.T) {
	for _, text := range []string{"[gone for a while]", "[Previous: used a]", marker.PlaceholderOld,
		marker.PlaceholderCleared} {
		c := parse(t, fmt.Appendf(nil, `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":%q}]},
			{"role":"assistant","content":"Done."}]`, text))
		p := pass.Clear{Enabled: true, Placeholder: "[gone for a while]"}
		require.Equal(t, []string{"1.0 kept a: already cleared"}, show(t, p.Run(input(c, charCounter))))
	}
}

// An input goes only where that saves something: {} and what costs as much stay.
func TestClearLeavesShortInputs(t *testing.T) {
	for args, cleared := range map[string]bool{`{}`: false, `{"a":1}`: true, `{ }`: false} {
		c := parse(t, fmt.Appendf(nil, `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":%s}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"long enough to be cleared"}]},
			{"role":"assistant","content":"Done."}]`, args))
		p := pass.Clear{Enabled: true, Placeholder: "[gone]", ClearToolInputs: []string{"*"}}
		decisions := p.Run(input(c, charCounter))
		require.Equal(t, cleared, decisions[0].Edit.Kind == pass.ClearInput, args)
	}
}

// What the pass waits for, as the page shows it.
func TestTrigger(t *testing.T) {
	c := rounds(t, "a10 a10 a10 .")
	server := parse(t, []byte(`[{"role":"user","content":"Go."},{"role":"assistant","content":[
		{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}]}]`))
	rows := []struct {
		why         string
		policy      pass.Clear
		c           *msg.Conversation
		kind        string
		used, limit int
	}{
		{"calls", pass.Clear{Enabled: true, TriggerToolUses: 9, TriggerTokens: 5}, c, "tool_uses", 3, 9},
		{"the provider's own calls do not count", pass.Clear{Enabled: true, TriggerToolUses: 9}, server, "tool_uses", 0, 9},
		{"tokens", pass.Clear{Enabled: true, TriggerTokens: 5}, c, "tokens", input(c, charCounter).Counts.Total, 5},
		{"nothing", pass.Clear{Enabled: true}, c, "", 0, 0},
		{"switched off", pass.Clear{TriggerToolUses: 9, TriggerTokens: 5}, c, "", 0, 0},
	}
	for _, row := range rows {
		kind, used, limit := row.policy.Trigger(input(row.c, charCounter))
		require.Equal(t, []any{row.kind, row.used, row.limit}, []any{kind, used, limit}, row.why)
	}
	total := input(c, charCounter).Counts.Total
	for limit, cleared := range map[int]bool{total - 1: true, total: false} {
		p := pass.Clear{Enabled: true, TriggerTokens: limit}
		require.Equal(t, cleared, p.Run(input(c, charCounter))[0].Edit != nil, "at %d of %d tokens", total, limit)
	}
}

// The one pass that serves every preset agrees with the sentences of the published designs.
func TestClearAgreesWithItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := workOrAny(t)
		in := input(c, charCounter)
		for range 20 {
			p := drawTracker(t).Clear
			p.Enabled, p.Sticky, p.Was, p.ClearToolInputs = true, false, nil, nil // what the sentences leave out
			p.TriggerTokens, p.TriggerToolUses, p.ClearAtLeast = 0, 0, 0
			have := map[msg.Ref]bool{}
			for _, d := range p.Run(in) {
				require.NotEmpty(t, d.Reason, "every decision has a reason")
				if d.Edit != nil {
					have[d.Ref] = true
				}
			}
			require.Equal(t, slowClear(c, p, charCounter), have)
		}
	})
}

// A result in the message of a prompt is of the exchange that the prompt opens.
func TestClearOfAPromptWithAResult(t *testing.T) {
	c := parse(t, []byte(`[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"long enough to go"},{"type":"text","text":"And now?"}]},
		{"role":"assistant","content":"Done."}]`))
	p := pass.Clear{Enabled: true, Placeholder: "[gone]", ProtectExchanges: 1}
	require.Equal(t, []string{"2.0 pinned a: in the newest 1 exchanges"}, show(t, p.Run(input(c, charCounter))))
}

// A conversation that ends with the model's answer has no result that it did not see.
func TestClearOfAnAnsweredConversation(t *testing.T) {
	c := parse(t, []byte(`[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"long enough to go"}]},{"role":"assistant","content":"Done."}]`))
	p := pass.Clear{Enabled: true, Placeholder: "[gone]", ConsumedOnly: true}
	require.Equal(t, []string{"2.0 cleared a: an old result of a that no rule protects, clear_result 4 to 1 [gone]"},
		show(t, p.Run(input(c, charCounter))))
}

// The user's answer to a tool that asks and the reason of a rejected call are never cleared; a failed call of such a
// tool and that of a server are.
func TestAnswersOfTheUserAreNotCleared(t *testing.T) {
	c := rounds(t, "a100 b100 c100 d100")
	for m, name := range map[int]string{1: "AskUserQuestion", 3: "ask_user", 5: "mcp__notes__ask_user"} {
		c.Messages[m].Blocks[0].Name = name
	}
	c.Messages[4].Blocks[0].IsError = true
	rejected := &c.Messages[8].Blocks[0]
	rejected.IsError, rejected.Text = true, "The user doesn't want to proceed with this tool use. The tool use was rejected. "+
		"To tell you how to proceed, the user said:\nNever use rm."
	var fates []string
	for _, d := range (pass.Clear{Enabled: true, Placeholder: "[gone]"}).Run(input(c, charCounter)) {
		fates = append(fates, fmt.Sprint(d.Tool, " ", d.Fate, ": ", d.Reason))
	}
	require.Equal(t, []string{"AskUserQuestion pinned: the user's words",
		"ask_user cleared: an old result of ask_user that no rule protects",
		"mcp__notes__ask_user cleared: an old result of mcp__notes__ask_user that no rule protects",
		"d pinned: the user's words"}, fates)
}
