package geminicli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/replay"
	"tamp/core/validity"
)

const (
	header = `{"sessionId":"s","projectHash":"p"}` + "\n"
	asked  = `{"id":"1","type":"user","content":[{"text":"look"}]}`
	called = `{"id":"2","type":"gemini","content":[{"text":"I look."},` +
		`{"functionCall":{"id":"k","name":"f","args":{"a":1}},"thoughtSignature":"c2ln"}],` +
		`"tokens":{"input":100,"cached":40,"output":10,"thoughts":0},"model":"gemini-2.5-pro"}`
	answered = `{"id":"3","type":"user","content":[{"functionResponse":{"id":"k","name":"f","response":{"output":"seen"}}}]}`
	both     = `{"id":"2","type":"gemini","content":[{"text":"I look."},{"functionCall":{"id":"k","name":"f","args":{"a":1}}}],` +
		`"toolCalls":[{"id":"k","name":"f","args":{"a":1},"result":[{"functionResponse":{"id":"k","name":"f",` +
		`"response":{"output":"seen"}}}]}]}`
	last = `{"id":"4","type":"gemini","content":"Done.","tokens":{"input":200,"cached":100,"output":20,"thoughts":0},"model":"gemini-2.5-pro"}`
)

func set(records ...string) string {
	return `{"$set":{"messages":[` + strings.Join(records, ",") + `]}}` + "\n"
}

func blocks(c *msg.Conversation) (all []string) {
	for it := c.Walk(); it.Next(); {
		all = append(all, string(it.Block.Kind)+" "+it.Block.ID+" "+it.Block.Text)
	}
	return all
}

// Since version 0.61, a resumed or compressed session has its calls and results as parts of the contents, each once or
// next to the entry of toolCalls.
func TestContents(t *testing.T) {
	want := []string{"text  look", "text  I look.", `tool_use k {"a":1}`, "tool_result k seen", "text  Done."}
	for name, log := range map[string]string{
		"parts only":      header + set(asked, called, answered) + last + "\n",
		"both":            header + set(asked, both, answered) + last + "\n",
		"lines":           header + asked + "\n" + called + "\n" + answered + "\n" + last + "\n",
		"toolCalls only":  header + set(asked, both) + last + "\n",
		"a list at last":  header + asked + "\n" + set(asked, called, answered, last),
		"an older object": `{"sessionId":"s","projectHash":"p","messages":[` + strings.Join([]string{asked, called, answered, last}, ",") + `]}`,
	} {
		c, err := format.Parse([]byte(log), "")
		require.NoError(t, err)
		require.Equal(t, msg.GeminiCLI, c.Format, name)
		require.Equal(t, want, blocks(c), name)
		require.Empty(t, validity.Check(c), name)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, log, string(out))

		cleared := append([]msg.Message(nil), c.Messages...)
		cleared[2] = cleared[2].WithBlocks([]msg.Block{cleared[2].Blocks[0].WithText("gone")})
		out, err = format.Render(c.WithMessages(cleared))
		require.NoError(t, err, name)
		require.NotContains(t, string(out), "seen", name)
		back, err := format.Parse(out, "")
		require.NoError(t, err)
		require.Equal(t, "tool_result k gone", blocks(back)[3], name)
		require.Len(t, blocks(back), 5, name)

		out, err = format.Render(c.WithMessages(append(append([]msg.Message(nil), c.Messages[0]), c.Messages[3:]...)))
		require.NoError(t, err, name)
		back, err = format.Parse(out, "")
		require.NoError(t, err)
		require.Equal(t, []string{want[0], want[4]}, blocks(back), name)

		open, err := format.Parse([]byte(strings.Replace(strings.ReplaceAll(log, ","+answered, ""), answered+"\n", "",
			1)), "")
		require.NoError(t, err)
		repaired, _ := validity.Repair(open)
		out, err = format.Render(repaired)
		require.NoError(t, err, name)
		back, err = format.Parse(out, "")
		require.NoError(t, err)
		for _, p := range validity.Check(back) { // the result of the last call may still come
			require.Equal(t, validity.SeverityWarning, p.Severity, "%s %s", name, p.Message)
		}
	}
}

// A call with the id of another one is no copy of it: it stays one when that one is removed.
func TestCallWithAnUsedID(t *testing.T) {
	first := strings.Replace(both, `,{"functionCall":{"id":"k","name":"f","args":{"a":1}}}`, "", 1)
	again := strings.Replace(strings.Replace(called, `"id":"2"`, `"id":"7"`, 1), "I look.", "Again.", 1)
	c, err := format.Parse([]byte(header+asked+"\n"+first+"\n"+last+"\n"+again+"\n"), "")
	require.NoError(t, err)
	require.Equal(t, `tool_use k {"a":1}`, blocks(c)[6])
	out, err := format.Render(c.WithMessages(append(append([]msg.Message(nil), c.Messages[0]), c.Messages[3:]...)))
	require.NoError(t, err)
	back, err := format.Parse(out, "")
	require.NoError(t, err)
	require.Equal(t, blocks(c)[4:], blocks(back)[1:])
}

// A result is no copy if a call without an entry in toolCalls has its id, and none is in a file of one object.
func TestResultWithAnUsedID(t *testing.T) {
	other := strings.Replace(strings.Replace(called, `"name":"f"`, `"name":"g"`, 1), `"id":"2"`, `"id":"7"`, 1)
	result := strings.Replace(strings.Replace(answered, `"name":"f"`, `"name":"g"`, 1), "seen", "of g", 1)
	first := strings.Replace(both, `,{"functionCall":{"id":"k","name":"f","args":{"a":1}}}`, "", 1)
	c, err := format.Parse([]byte(header+asked+"\n"+first+"\n"+other+"\n"+result+"\n"), "")
	require.NoError(t, err)
	require.Equal(t, "tool_result k of g", blocks(c)[6])
	c, err = format.Parse([]byte(`{"sessionId":"s","projectHash":"p","messages":[`+asked+","+both+","+answered+`]}`), "")
	require.NoError(t, err)
	require.Equal(t, "/messages/2/content/0", c.Messages[2].Blocks[0].Path)
}

// Calls before a compression are billed once, also those that it keeps, and those that the user took back.
func TestCallsBeforeACompression(t *testing.T) {
	summary := `{"id":"9","type":"user","content":[{"text":"a summary"}]}`
	third := strings.ReplaceAll(last, `"id":"4"`, `"id":"5"`)
	log := header + asked + "\n" + called + "\n" + answered + "\n" + last + "\n" + set(summary, last) + third + "\n"
	for text, calls := range map[string][2]int{log: {3, 0}, log + set(summary, last, third): {3, 0},
		log + `{"$rewindTo":"5"}` + "\n": {2, 1}} {
		c, err := format.Parse([]byte(text), "")
		require.NoError(t, err)
		u, err := replay.Usage(c, replay.Options{})
		require.NoError(t, err)
		require.Equal(t, calls, [2]int{u.Calls, u.Branches.Calls}, text)
	}
}

// Thoughts are billed as output, and are not in the count of it (ai.google.dev, thinking).
func TestThoughtsAreOutput(t *testing.T) {
	c, err := format.Parse([]byte(header+asked+"\n"+strings.Replace(last, `"thoughts":0`, `"thoughts":30`, 1)+"\n"), "")
	require.NoError(t, err)
	require.Equal(t, msg.Usage{Input: 100, CacheRead: 100, Output: 50}, *c.Messages[1].Usage)
}
