package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// A newest prompt that takes most of the window is shortened once the agent has answered it, so that the session goes
// on. Its beginning, its end and its constraints stay.
func TestALargeTaskIsShortenedAsTheLastResort(t *testing.T) {
	t.Parallel()
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 20_000
	quote := func(text string) string { return string(rawjson.Quote(text)) }
	const begin, rule = "Port these modules one after another.", "Never change the port 8321."
	const end = "Report when all are done."
	rounds := 80
	if convtest.Fewer() {
		rounds = 40
	}
	for _, row := range []struct {
		lines int
		whole bool
	}{{700, false}, {200, true}} {
		var b strings.Builder
		b.WriteString(begin + "\n")
		for i := range row.lines {
			fmt.Fprintf(&b, "Module %d of the old program reads the table orders_%d and writes to its log.\n", i, i)
			if i == row.lines/2 {
				b.WriteString(rule + "\n")
			}
		}
		b.WriteString(end)
		prompt := `{"role":"user","content":` + quote(b.String()) + `}`
		messages, state := []string{prompt}, core.State("")
		shortened := 0
		for n := range rounds {
			messages = append(messages,
				fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"bash","input":{"command":"cat %d.go"}}]}`, n, n),
				fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}`, n,
					quote(strings.Repeat(fmt.Sprintf("func part_%d() returns value %d\n", n, n*17), 30))))
			c := parse(t, "["+strings.Join(messages, ",")+"]")
			out, err := core.Compact(c, state, p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
			require.NoError(t, err, "round %d", n)
			if out == nil {
				continue
			}
			for _, a := range out.Actions {
				if a.Kind == "shorten_prompt" {
					shortened++
				}
			}
			state = out.State
			total := tokens.NewMeter(nil, out.Conversation).Conversation(out.Conversation).Total
			require.LessOrEqual(t, total, p.Trigger.LimitsFor(p.Trigger.Window, 0).Hard, "round %d", n)
			rendered, err := format.Render(out.Conversation)
			require.NoError(t, err)
			messages = nil
			for _, m := range rawjson.Value(rendered).Elements() {
				messages = append(messages, string(m))
			}
			for _, text := range []string{begin, rule, end} {
				require.Contains(t, string(rendered), text, "round %d", n)
			}
		}
		require.Equal(t, row.whole, shortened == 0)
		require.LessOrEqual(t, shortened, 1, "a prompt is shortened once")
		require.Equal(t, row.whole, messages[0] == prompt)
	}
}

// The newest prompt stays whole until the agent has answered it.
func TestAnUnansweredTaskStaysWhole(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 20_000
	c := parse(t, `[{"role":"user","content":"Hello."},{"role":"assistant","content":"Yes?"},{"role":"user","content":`+
		string(rawjson.Quote(strings.Repeat("Each module of the old program has its own table.\n", 3000)))+`}]`)
	_, err = core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
	var e *msg.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, msg.ContextOverflow, e.Code)
}

// One answer of more than the target does not leave only a short summary of all before it: it keeps its best lines. So
// does a result that was cut before: its new reference is that of the text with the earlier note.
func TestALargeAnswerKeepsItsBestLines(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window, p.Clear.When = 20_000, ""
	quote := func(text string) string { return string(rawjson.Quote(text)) }
	page := func(n, lines int) string {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "func handler_%d_%d() returns value %d of part %d\n", n, i, n*17+i, n)
		}
		return b.String()
	}
	cut := page(7, 600) + "[… 5000 bytes, 70 lines omitted; original 0123456789abcdef]"
	for _, row := range []struct {
		large, kind, want string
	}{
		{`{"role":"assistant","content":` + quote(page(7, 600)) + `},{"role":"user","content":"Go on."}`, "shorten_answer",
			" lines omitted; original "},
		{`{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"cat","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":` + quote(cut) + `}]}`, "limit_output",
			" lines omitted; original " + core.Ref([]byte(cut)) + "]"},
	} {
		c := parse(t, `[{"role":"user","content":"Explain all parts."},{"role":"assistant","content":`+quote(strings.Repeat(page(1, 1), 200))+
			`},{"role":"user","content":"And the rest?"},`+row.large+`,
			{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"handler_7_3"}]}]`)
		out, err := core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
		require.NoError(t, err)
		require.NotNil(t, out)
		kinds := []string{}
		for _, a := range out.Actions {
			kinds = append(kinds, a.Kind)
		}
		require.Contains(t, kinds, row.kind)
		require.Greater(t, out.After, 4000, row.kind)     // half of the target of 8,000
		require.LessOrEqual(t, out.After, 8400, row.kind) // the target, and 5 % for errors of counts
		rendered, err := format.Render(out.Conversation)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(rendered), " lines omitted; original "), row.kind)
		require.Contains(t, string(rendered), row.want)
	}
}

// Many large results of parallel calls together stay under the hard limit, although each keeps a share of the target.
func TestParallelResultsStayUnderTheHardLimit(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 20_000
	var calls, results []string
	for i := range 8 {
		var page strings.Builder
		for line := range 250 {
			fmt.Fprintf(&page, "record_%d_%d has value_%d and the state %d\n", i, line, line*i, line%7)
		}
		calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"read","input":{"page":%d}}`, i, i))
		results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":%s}`, i,
			rawjson.Quote(page.String())))
	}
	c := parse(t, `[{"role":"user","content":"Compare the pages."},{"role":"assistant","content":[`+strings.Join(calls, ",")+
		`]},{"role":"user","content":[`+strings.Join(results, ",")+`]}]`)
	out, err := core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
	require.NoError(t, err)
	require.Greater(t, out.Before, 30_000) // more than the window
	require.Less(t, out.After, 10_000)     // half of the window
	require.Greater(t, out.After, 6_000)   // three quarters of the target of 8,000
}

// A large text at the end of the session, of the assistant or of a client as the user, does not empty the window.
func TestALargeLastTextKeepsItsBestLines(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 20_000
	page := func(n, lines int) string {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "step %d of plan %d changes module_%d_%d%s\n", i, n, n, i, strings.Repeat(" and its tests", i%5))
		}
		return string(rawjson.Quote(b.String()))
	}
	for kind, last := range map[string]string{
		"shorten_answer": `{"role":"assistant","content":` + page(9, 900) + `}`,
		"shorten_prompt": `{"role":"assistant","content":"Done."},{"role":"user","content":"<system-reminder>\n` +
			strings.Trim(page(9, 900), `"`) + `</system-reminder>"}`,
	} {
		messages := []string{`{"role":"user","content":"Plan the modules."}`}
		for n := range 8 {
			messages = append(messages, `{"role":"assistant","content":`+page(n, 60)+`}`,
				`{"role":"user","content":"Next."}`)
		}
		c := parse(t, "["+strings.Join(append(messages, last), ",")+"]")
		out, err := core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
		require.NoError(t, err)
		kinds := []string{}
		for _, a := range out.Actions {
			kinds = append(kinds, a.Kind)
		}
		require.Contains(t, kinds, kind)
		require.Greater(t, out.After, 5000, kind)     // the room is used: over half of the target of 8,000
		require.LessOrEqual(t, out.After, 9000, kind) // the target, and one line of each cut text
	}
}
