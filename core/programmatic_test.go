package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// program draws the messages of code that the provider runs: its call, the calls that it makes in several steps, their
// results, and the result of the code, unless it still waits.
func program(t *rapid.T, id int, waits bool) (messages []string) {
	code := fmt.Sprintf("srvtoolu_%d", id)
	before := `{"type":"server_tool_use","id":"` + code + `","name":"code_execution","input":{"code":"await read()"}},`
	for step := range rapid.IntRange(1, 3).Draw(t, "steps") {
		var calls, results []string
		for k := range rapid.IntRange(1, 3).Draw(t, "calls") {
			call := fmt.Sprintf("toolu_%d_%d_%d", id, step, k)
			calls = append(calls, `{"type":"tool_use","id":"`+call+`","name":"read","input":{},"caller":{"type":`+
				`"code_execution_20260120","tool_id":"`+code+`"}}`)
			results = append(results, `{"type":"tool_result","tool_use_id":"`+call+`","content":"`+
				strings.Repeat("many rows of a table ", rapid.IntRange(1, 400).Draw(t, "rows"))+`"}`)
		}
		messages = append(messages, `{"role":"assistant","content":[`+before+strings.Join(calls, ",")+`]}`,
			`{"role":"user","content":[`+strings.Join(results, ",")+`]}`)
		before = ""
	}
	if !waits {
		messages = append(messages, `{"role":"assistant","content":[{"type":"code_execution_tool_result","tool_use_id":"`+code+
			`","content":{"type":"code_execution_result","stdout":"42","stderr":"","return_code":0,"content":[]}},`+
			`{"type":"text","text":"It is 42."}]}`)
	}
	return messages
}

// Code that waits for results stays as it is, and code and its calls are never parted; the results of its calls have no
// tokens, the result of the code has. No outcome is refused.
func TestProgrammaticCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var messages, open []string
		n := rapid.IntRange(1, 4).Draw(t, "prompts")
		for i := range n {
			messages = append(messages, `{"role":"user","content":"Compute it. `+strings.Repeat("Some more words. ", 100)+`"}`)
			for k := range rapid.IntRange(0, 3).Draw(t, "rounds") {
				messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d_%d","name":"read",`+
					`"input":{},"caller":{"type":"direct"}}]}`, i, k), fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result",`+
					`"tool_use_id":"t%d_%d","content":"%s"}]}`, i, k, strings.Repeat("a line of a file\\n", 200)))
			}
			waits := i == n-1 && rapid.Bool().Draw(t, "waits")
			made := program(t, i, waits)
			if messages = append(messages, made...); waits {
				open = made
			}
		}
		doc := `{"model":"claude-opus-4-8","messages":[` + strings.Join(messages, ",") + `]}`
		c := parse(t, doc)
		require.Empty(t, brokenIn(c), doc)
		counts := tokens.NewMeter(nil, c).Conversation(c)
		sum := counts.System + counts.Tools
		for m := range c.Messages {
			sum += counts.Messages[m].Tokens
			for b := range c.Messages[m].Blocks {
				block := &c.Messages[m].Blocks[b]
				if block.Kind == msg.KindToolResult {
					require.Equal(t, strings.HasPrefix(block.ID, "toolu_"), counts.Messages[m].Blocks[b] == 0, block.ID)
				}
			}
		}
		require.Equal(t, sum, counts.Total)
		p, err := policy.Preset(rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		require.NoError(t, err)
		session, err := core.NewSession(c.WithMessages(nil), "", p, nil)
		require.NoError(t, err)
		for m := range c.Messages {
			session.Append(c.Messages[m : m+1])
		}
		require.Equal(t, counts.Total, session.Counts().Total)

		p.Trigger.Window = rapid.SampledFrom([]int{0, 4000, 20_000}).Draw(t, "window")
		env := core.Env{Force: rapid.Bool().Draw(t, "force")}
		plan := planOrOverflow(t, c, "", p, env)
		out, err := core.Apply(c, "", p, env, plan, drawResults(t, plan))
		require.NoError(t, err, doc)
		text, err := format.Render(out.Conversation)
		require.NoError(t, err)
		require.Empty(t, brokenIn(parse(t, string(text))), "%s", text)
		require.True(t, strings.HasSuffix(string(text), strings.Join(open, ",")+"]}"), "%s", text)
		for _, code := range []string{"srvtoolu_0", "srvtoolu_1", "srvtoolu_2", "srvtoolu_3"} {
			if strings.Contains(string(text), `"tool_id":"`+code) {
				require.Contains(t, string(text), `"id":"`+code)
			}
		}
	})
}

func brokenIn(c *msg.Conversation) (list []validity.Problem) {
	for _, p := range validity.Check(c) {
		if p.Severity == validity.SeverityError {
			list = append(list, p)
		}
	}
	return list
}

// While code waits, the message with its results has nothing else, and the results are text.
func TestProgrammaticRules(t *testing.T) {
	const start = `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1",` +
		`"name":"code_execution","input":{}},{"type":"tool_use","id":"t1","name":"f","input":{},"caller":{"type":` +
		`"code_execution_20260120","tool_id":"srvtoolu_1"}}]},{"role":"user","content":[`
	const end = `,{"role":"assistant","content":[{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{}}]}`
	result := func(content string) string {
		return `{"type":"tool_result","tool_use_id":"t1","content":` + content + `}`
	}
	for content, broken := range map[string]bool{
		result(`"x"`): false, result(`[{"type":"text","text":"x"}]`): false,
		result(`"x"`) + `,{"type":"text","text":"and"}`:                                    true,
		result(`[{"type":"image","source":{"type":"url","url":"https://example.org/a"}}]`): true,
	} {
		c := parse(t, start+content+"]}]")
		require.Equal(t, broken, len(brokenIn(c)) == 1, content)
		for _, p := range brokenIn(c) {
			require.Equal(t, validity.A20Programmatic, p.Rule)
			require.NotEmpty(t, p.Reason)
		}
		require.Empty(t, brokenIn(parse(t, start+content+"]}"+end+"]")), "the code has ended")
	}
}
