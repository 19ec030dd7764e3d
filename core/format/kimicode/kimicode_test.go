package kimicode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/replay"
	"tamp/core/validity"
)

const head = `{"type":"metadata","protocol_version":"1.5","created_at":1}
{"type":"profile.bind","agentId":"main","systemPrompt":"Be brief.","time":1}
{"type":"llm.tools_snapshot","agentId":"main","tools":[{"name":"Bash","description":"d","parameters":{}}],"time":1}
{"type":"llm.request","agentId":"main","model":"claude-opus-4-5","time":1}
`

func prompt(text, origin string) string {
	return fmt.Sprintf(`{"type":"context.append_message","agentId":"main","message":{"role":"user","content":[{"type":"text","text":%q}],`+
		`"toolCalls":[],"origin":{"kind":%q}},"time":1}`+"\n", text, origin)
}

func event(text string) string {
	return `{"type":"context.append_loop_event","agentId":"main","event":` + text + `,"time":1}` + "\n"
}

func used(input, read, written, output int) string {
	return fmt.Sprintf(`{"type":"usage.record","agentId":"main","model":"x","usage":{"inputOther":%d,"output":%d,"inputCacheRead":%d,`+
		`"inputCacheCreation":%d},"usageScope":"turn","time":1}`+"\n", input, output, read, written)
}

func step(n int, calls ...string) string {
	log := event(fmt.Sprintf(`{"type":"step.begin","uuid":"s%d","turnId":"0","step":%d}`, n, n)) + used(100, 1000, 50, 10) +
		event(`{"type":"content.part","part":{"type":"think","think":"hm"}}`) +
		event(fmt.Sprintf(`{"type":"content.part","part":{"type":"text","text":"said %d"}}`, n))
	for _, id := range calls {
		log += event(fmt.Sprintf(`{"type":"tool.call","toolCallId":%q,"name":"Bash","args":{"command":"ls"}}`, id))
	}
	for _, id := range calls {
		log += event(fmt.Sprintf(`{"type":"tool.result","toolCallId":%q,"result":{"output":"of %s","isError":true}}`, id, id))
	}
	return log + event(`{"type":"step.end","usage":{"inputOther":100,"output":10,"inputCacheRead":1000,"inputCacheCreation":50}}`)
}

func blocks(c *msg.Conversation) (all []string) {
	for it := c.Walk(); it.Next(); {
		all = append(all, string(it.Block.Kind)+" "+it.Block.ID+" "+it.Block.Name+" "+it.Block.Text)
	}
	return all
}

const failed = "<system>ERROR: Tool execution failed.</system>\n"

const oneCall = 100*5 + 1000*5/10 + (50*25+2)/4 + 10*25 // Opus 4.5

// A log is read whole: messages, system prompt, tools, the usage of each call once. It is written only unchanged.
func TestRead(t *testing.T) {
	log := head + prompt("go", "user") + prompt("<system-reminder>x</system-reminder>", "injection") + step(1, "a",
		"b") + step(2)
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	require.Equal(t, msg.KimiCode, c.Format)
	require.Equal(t, "claude-opus-4-5", c.Model)
	require.Equal(t, "Be brief.", c.System[0].Text)
	require.Equal(t, "Bash", c.Tools[0].Name)
	require.Equal(t, []string{"text   go", "text   <system-reminder>x</system-reminder>", "thinking   hm", "text   said 1",
		`tool_use a Bash {"command":"ls"}`, `tool_use b Bash {"command":"ls"}`, "tool_result a Bash " + failed + "of a", "tool_result b Bash " + failed + "of b",
		"thinking   hm", "text   said 2"}, blocks(c))
	require.True(t, c.Messages[1].Meta)
	require.Empty(t, validity.Check(c))
	out, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, log, string(out))
	_, err = format.Render(c.WithMessages(c.Messages[1:]))
	require.ErrorContains(t, err, "does not write")
	for _, to := range []string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK} {
		made, _, err := format.Convert(c, to)
		require.NoError(t, err)
		text, err := format.Render(made)
		require.NoError(t, err)
		require.Contains(t, string(text), "of b", to)
	}
	u, err := replay.Usage(c, replay.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, u.Calls)
	require.InDelta(t, 2*oneCall, u.Cost, 2)
}

// The text of a result is what Kimi Code sends: the time that the tool took, its failure, a line for an output without
// text, and a note.
func TestResultsAsTheyAreSent(t *testing.T) {
	for result, want := range map[string]string{
		`{"output":"a\n","durationMs":1025}`:                         "Wall time: 1.025 seconds\na\n",
		`{"output":"a","isError":true,"durationMs":7}`:               "Wall time: 0.007 seconds\n" + failed + "a",
		`{"output":"","isError":true}`:                               "<system>ERROR: Tool execution failed. Tool output is empty.</system>",
		`{"output":" \n"}`:                                           "<system>Tool output is empty.</system>",
		`{"output":[{"type":"text","text":"a"}],"note":"cut short"}`: "a\ncut short",
	} {
		log := head + prompt("go", "user") + event(`{"type":"step.begin","uuid":"s"}`) +
			event(`{"type":"tool.call","toolCallId":"a","name":"Bash","args":{}}`) +
			event(`{"type":"tool.result","toolCallId":"a","result":`+result+`}`)
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		require.Equal(t, want, c.Messages[2].Blocks[0].Text, result)
	}
}

// Compactions, prompts that were taken back, and a cleared context: what the model sees next, and each call once.
func TestCompactions(t *testing.T) {
	log := head + prompt("one", "user") + step(1, "a") + prompt("two", "user") + step(2)
	compacted := used(7, 0, 0, 3) + `{"type":"context.apply_compaction","agentId":"main","summary":"sum","compactedCount":9,` +
		`"keptUserMessageCount":1,"time":1}` + "\n"
	for name, row := range map[string]struct {
		log           string
		want          string
		calls, others int
	}{
		"compacted": {log + compacted + step(3), "text   two|summary   sum|thinking   hm|text   said 3", 3, 1},
		"older":     {log + strings.Replace(compacted, `,"keptUserMessageCount":1`, "", 1) + step(3), "summary   sum|thinking   hm|text   said 3", 3, 1},
		"undone":    {log + `{"type":"context.undo","agentId":"main","count":1,"time":1}` + "\n" + prompt("three", "user"), "text   one|thinking   hm|text   said 1|tool_use a Bash {\"command\":\"ls\"}|tool_result a Bash " + failed + "of a|text   three", 1, 1},
		"cleared":   {log + `{"type":"context.clear","agentId":"main","time":1}` + "\n" + prompt("three", "user") + step(4), "text   three|thinking   hm|text   said 4", 3, 0},
	} {
		c, err := format.Parse([]byte(row.log), "")
		require.NoError(t, err)
		require.Equal(t, row.want, strings.Join(blocks(c), "|"), name)
		u, err := replay.Usage(c, replay.Options{})
		require.NoError(t, err)
		require.Equal(t, row.calls, u.Calls, name)
		require.Equal(t, row.others, u.Branches.Calls+u.Subagents.Calls, name)
	}
}

// Hostile lines never fail: each prefix of a log is read, and so are events of other forms.
func TestAnyLines(t *testing.T) {
	log := head + prompt("go", "user") + step(1, "a")
	for n := 60; n < len(log); n += 7 {
		c, err := format.Parse([]byte(log[:n]), msg.KimiCode)
		require.NoError(t, err)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, log[:n], string(out))
	}
	for _, text := range []string{`{}`, `{"type":"step.end"}`, `{"type":"tool.call"}`, `{"type":"tool.result"}`, `{"type":"content.part","part":3}`, `3`} {
		_, err := format.Parse([]byte(head+event(text)+event(text)+`{"type":"context.undo","agentId":"main","count":99}`+"\n"), "")
		require.NoError(t, err, text)
	}
}
