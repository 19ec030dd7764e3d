package core_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// labelledCall begins with a real summary and an assistant that repeats its label and calls a tool.
func labelledCall(name, label string) string {
	rest := strings.TrimPrefix(talk(30), "[")
	if name == msg.Anthropic {
		return `[{"role":"user","content":"[Compressed]\n\nThe parser is done."},` +
			`{"role":"assistant","content":[{"type":"text","text":` + string(rawjson.Quote(label)) +
			`},{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"all tests pass"}]},` +
			`{"role":"assistant","content":"They pass."},` + rest
	}
	return `[{"role":"system","content":"Be brief."},{"role":"user","content":"[Compressed]\n\nThe parser is done."},` +
		`{"role":"assistant","content":` + string(rawjson.Quote(label)) +
		`,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"run","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_1","content":"all tests pass"},` +
		`{"role":"assistant","content":"They pass."},` + rest
}

// An assistant that writes a label and calls a tool wrote no summary: the new summary comes before the call, not
// between it and its result.
func TestLabelOnAToolCallIsNoSummary(t *testing.T) {
	for _, name := range []string{msg.Anthropic, msg.OpenAIChat} {
		for _, preset := range policy.Names() {
			t.Run(name+"/"+preset, func(t *testing.T) {
				for _, label := range []string{"[Compressed]\n\nI go on.", "[compacted summary of turns 1-2]\nI go on.",
					"[Summary of the earlier 2 messages, as history, not as a request]\n\nI go on."} {
					c := parse(t, labelledCall(name, label))
					requireNoErrors(t, c)
					p, err := policy.Preset(preset)
					require.NoError(t, err)
					if preset == "critical" {
						p.Pin.Critical.Tools = []string{"run"} // the call stays, and its result with it
					}
					c, _ = run(t, c, "", p, core.Env{Force: true}, "It went well.")
					requireNoErrors(t, c)
					require.Contains(t, whole(t, c), "The parser is done.", "the real summary stays")
				}
			})
		}
	}
}

// run goes round until nothing is left to do, reading each result again from its bytes. Every request gets the same
// answer.
func run(t require.TestingT, c *msg.Conversation, state core.State, p policy.Policy, env core.Env,
	answer string) (*msg.Conversation, core.State) {
	return allRounds(t, c, state, p, env, sameAnswer(answer), func(*core.Outcome) {})
}

// largeOutput is a session whose one output, of the text given, fills the window.
func largeOutput(text string) string { return largeOutputOf("a", text) }

func largeOutputOf(id, text string) string {
	return `[{"role":"user","content":"Read the file."},{"role":"assistant","content":[{"type":"tool_use","id":"` + id +
		`","name":"read","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` +
		string(rawjson.Quote(text)) + `}]},` +
		`{"role":"assistant","content":"I read it."},{"role":"user","content":"Go on."},{"role":"assistant","content":"Done."}]`
}

// A tool result that begins like a summary is summarized as it is without that line.
func TestLabelledToolResultIsSummarized(t *testing.T) {
	p, err := policy.Preset("regions")
	require.NoError(t, err)
	p.Trigger.Window, p.Pin.RecentTokens, p.Pin.RecentTurns = 60_000, 1000, 1
	output := strings.Repeat("func parse(text string) int { return 0 }\n", 5000)
	for why, text := range map[string]string{
		"plain": output, "with a label": "[compacted summary of turns 1-2]\n" + output,
		"with another": "[Compressed]\n\n" + output,
	} {
		for _, st := range []core.State{"", stateOf(t, p)} {
			c, _ := run(t, parse(t, largeOutput(text)), st, p, core.Env{}, "The file holds parse.")
			require.Less(t, tokens.NewMeter(nil, c).Conversation(c).Total, 300, why) // the result has over 50,000
		}
	}
}

// stateOf is a State of a session in which a summary was written.
func stateOf(t *testing.T, p policy.Policy) core.State {
	_, st := run(t, parse(t, largeOutput(strings.Repeat("another file\n", 30_000))), "", p, core.Env{}, "Another file.")
	require.Contains(t, string(st), `"summaries":["`)
	return st
}

// An output that was cut and reads like a summary in parts is not merged: Apply knows its own summaries by itself.
func TestPartsInAnOutputAreNotMerged(t *testing.T) {
	text := "[report]\n[part 1]\n" + strings.Repeat("one\n", 100) + "\n\n[part 2]\n" + strings.Repeat("two\n", 1000)
	for _, name := range policy.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := policy.Preset(name)
			require.NoError(t, err)
			p.Intake.MaxBytes = 2000
			p.Summary.MergeAbove = 0
			c := parse(t, largeOutput(text))
			plan, err := core.NewPlan(c, "", p, core.Env{})
			require.NoError(t, err)
			require.NotEmpty(t, plan.Edits)
			out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
			require.NoError(t, err)
			require.Nil(t, out.Next)
		})
	}
}

// A summary in parts is merged in its place, with any text in its parts, and the merged one is not merged again.
func TestOnlyWrittenPartsAreMerged(t *testing.T) {
	for _, name := range []string{"hierarchical", "prune", "s06", "turns", "balanced"} {
		t.Run(name, func(t *testing.T) {
			p, err := policy.Preset(name)
			require.NoError(t, err)
			p.Summary.Window, p.Summary.MaxTokens, p.Summary.InputChars, p.Summary.ChunkMessages = 4000, 100, 0, 20
			p.Pin.RecentTokens, p.Pin.RecentTurns = 1000, 1
			text := talk(60)
			if name == "balanced" {
				p.Trigger.Window, p.Trigger.TargetPermille = 30_000, 50
			}
			c, st, env := parse(t, text), core.State(""), core.Env{Force: true}
			plan, err := core.NewPlan(c, st, p, env)
			require.NoError(t, err)
			require.Greater(t, len(plan.Requests), 1)
			out, err := core.Apply(c, st, p, env, plan,
				answerAll(plan, core.SummaryResult{Text: "[part 1]\nIt went\n\n[part 2]\nwell."}))
			require.NoError(t, err)
			require.NotNil(t, out.Next)
			require.Equal(t, 2, out.Next.Regions[0].Level)
			c = reread(t, out.Conversation)
			merged, err := core.Apply(c, out.State, p, env, out.Next,
				answerAll(out.Next, core.SummaryResult{Text: "[part 1]\nAll of it\n\n[part 2]\nwent well."}))
			require.NoError(t, err)
			require.Contains(t, whole(t, merged.Conversation), `[part 1]\nAll of it\n\n[part 2]\nwent well.`)
			require.NotContains(t, whole(t, merged.Conversation), `It went\n\n[part 2]\nwell.`)
			if merged.Next != nil {
				require.Equal(t, 1, merged.Next.Regions[0].Level)
			}
			requireNoErrors(t, merged.Conversation)
		})
	}
}

// A summary is never summarized again: not with its State, not with one of an older version, and, but for those inside
// of tool results, not without any.
func TestSummariesStayWordForWord(t *testing.T) {
	without := func(core.State) core.State { return "" }
	older := func(st core.State) core.State { // a version that does not know of summaries leaves them out
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(st), &members))
		delete(members, "summaries")
		out, err := json.Marshal(members)
		require.NoError(t, err)
		return core.State(out)
	}
	with := func(st core.State) core.State { return st }
	for _, preset := range policy.Names() {
		if p, _ := policy.Preset(preset); p.Summary.Strategy == "none" {
			continue
		}
		for why, keep := range map[string]func(core.State) core.State{"with State": with, "older State": older,
			"without State": without} {
			if preset == "regions" && why != "with State" {
				continue
			}
			t.Run(preset+"/"+why, func(t *testing.T) {
				p, err := policy.Preset(preset)
				require.NoError(t, err)
				p.Pin.RecentTokens, p.Pin.RecentTurns, p.Pin.KeepTurns = 0, 0, 1
				p.Summary.ChunkMessages, p.Summary.MergeAbove = min(p.Summary.ChunkMessages, 2), 99
				c, st := parse(t, `[]`), core.State("")
				c.Format = msg.Anthropic
				var marks []string
				for round := range 4 {
					n := strconv.Itoa(round)
					more := parse(t, largeOutputOf("toolu_"+n, strings.Repeat("line "+n+" of the output\n", 2000))).Messages
					if preset == "balanced" { // which would cut the output
						more = parse(t, talk(60)).Messages
					}
					c = reread(t, c.WithMessages(append(c.Messages[:len(c.Messages):len(c.Messages)], more...)))
					marks = append(marks, "Part "+n+" of the work is done, "+strings.Repeat("and all of it went well, ",
						20)+"as was asked.")
					c, st = run(t, c, st, p, core.Env{Force: true}, marks[round])
					requireNoErrors(t, c)
					for _, mark := range marks {
						require.Contains(t, whole(t, c), mark, "round %d", round)
					}
					st = keep(st)
				}
			})
		}
	}
}

// Sessions and their States say the same as the engine where texts read like summaries.
func TestSessionKnowsTheSameSummaries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		document, _ := drawHostileDocument(t, name)
		c, err := format.Parse([]byte(document), name)
		if err != nil {
			t.Skip("damage that no conversation has")
		}
		p := drawSmallPolicy(t)
		st := core.State("")
		if plan, err := core.NewPlan(c, "", p, core.Env{Force: true}); err == nil && rapid.Bool().Draw(t, "state") {
			out, err := core.Apply(c, "", p, core.Env{Force: true}, plan, drawResults(t, plan))
			if isOverflow(err) {
				return
			}
			require.NoError(t, err)
			c, st = reread(t, out.Conversation), out.State
		}
		s, err := core.NewSession(c.WithMessages(nil), "", p, nil)
		require.NoError(t, err)
		early := rapid.Bool().Draw(t, "early")
		if early {
			require.NoError(t, s.SetState(st))
		}
		for at := 0; at < len(c.Messages); {
			n := rapid.IntRange(1, len(c.Messages)-at).Draw(t, "messages")
			s.Append(c.Messages[at : at+n])
			at += n
			was := core.State("")
			if early {
				was = st
			}
			requireSame(t, s, c.WithMessages(c.Messages[:at]), was, p, core.Env{Force: rapid.Bool().Draw(t, "force")})
		}
		require.NoError(t, s.SetState(st))
		requireSame(t, s, c, st, p, core.Env{Force: true})
		require.Equal(t, append([]msg.Message{}, c.Messages...), append([]msg.Message{}, s.Conversation().Messages...))
	})
}

// The same long reminder twice in one message makes two requests, which are not one.
func TestTheSameReminderTwice(t *testing.T) {
	reminder := `{"type":"text","text":"<system-reminder>` +
		strings.Repeat("Keep every answer short and to the point. ", 60) + `</system-reminder>"}`
	c := parse(t, `[{"role":"user","content":[`+reminder+`,{"type":"text","text":"Go."},`+reminder+`]},{"role":"assistant","content":"Yes."},`+
		`{"role":"user","content":"On."},{"role":"assistant","content":"Done."}]`)
	p, err := policy.Preset("regions")
	require.NoError(t, err)
	p.Pin.RecentTokens, p.Pin.RecentTurns = 0, 0
	plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
	require.NoError(t, err)
	require.Len(t, plan.Regions, 2)
	require.NotEqual(t, plan.Requests[0].ID, plan.Requests[1].ID)
	out, err := core.Apply(c, "", p, core.Env{Force: true}, plan, answerAll(plan, core.SummaryResult{Text: "Short."}))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(whole(t, out.Conversation), `\nShort.`))
}

// A text of three-byte characters just over the limit in bytes has fewer code points than its note makes it have.
func TestIntakeOfThreeByteTextIsAccepted(t *testing.T) {
	p, err := policy.Preset("clear_thinking")
	require.NoError(t, err)
	p.Intake.MaxBytes = 1000
	c := parse(t, largeOutput(strings.Repeat("测试输出一切正常\n", 41)))
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Len(t, plan.Edits, 1)
	out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	require.NoError(t, err)
	require.LessOrEqual(t, len(out.Conversation.Messages[2].Blocks[0].Text), 1000)
}

// Thinking in a user message is invalid, and no plan drops it from an open round.
func TestPlanOfThinkingInAUserMessageIsAccepted(t *testing.T) {
	call := func(id string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id +
			`","name":"run","input":{}}]},{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"` + id + `","content":"` + strings.Repeat("a line of output ", 40) + `"},` +
			`{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"text","text":"<system-reminder>` +
			strings.Repeat("Keep it short. ", 60) + `</system-reminder>"}]}`
	}
	c := parse(t, `{"model":"claude-fable-5-1","messages":[{"role":"user","content":"Go."},`+call("a")+`,`+call("b")+`,`+call("c")+`]}`)
	for _, info := range policy.Presets() {
		t.Run(info.Name, func(t *testing.T) {
			p := info.Policy
			p.Clear.KeepRecent, p.Clear.MinSavings, p.Clear.ProtectTokens = 0, 0, 0
			p.Pin.RecentTokens, p.Pin.RecentTurns, p.Thinking.KeepTurns = 0, 0, 1
			run(t, c, "", p, core.Env{Force: true}, "It went well.")
			p.Intake.MaxBytes = 200
			run(t, c, "", p, core.Env{Force: true}, "It went well.")
		})
	}
}

// A tool result and an injected text are in other places once the thinking before them is dropped: the plan names them
// as they are now.
func TestRegionsNameBlocksBehindDroppedThinking(t *testing.T) {
	reminder := `{"type":"text","text":"<system-reminder>` + strings.Repeat("Keep it short. ", 60) + `</system-reminder>"}`
	c := parse(t, `[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},`+
		reminder+`,{"type":"text","text":"Yes."}]},{"role":"user","content":"On."},{"role":"assistant","content":"Done."},{"role":"user","content":"On."}]`)
	p, err := policy.Preset("regions")
	require.NoError(t, err)
	p.Pin.RecentTokens, p.Pin.RecentTurns, p.Thinking.KeepTurns = 0, 0, 1
	c, _ = run(t, c, "", p, core.Env{Force: true}, "Short.")
	require.Len(t, texts(c.Messages[1:2]), 2)
	require.Contains(t, texts(c.Messages[1:2])[0], "assistant: [compacted summary of turns 1-1]\nShort.")
	require.Equal(t, "assistant: Yes.", texts(c.Messages[1:2])[1])
}
