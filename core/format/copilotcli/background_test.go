package copilotcli_test

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

// events writes a log; each event is its type and its data.
func events(list ...string) []byte {
	var b strings.Builder
	for i, e := range append([]string{`session.start {"sessionId":"s","selectedModel":"claude-opus-4-5"}`}, list...) {
		kind, data, _ := strings.Cut(e, " ")
		fmt.Fprintf(&b, `{"type":%q,"data":%s,"id":"e%d","timestamp":"2026-10-01T10:00:00Z","parentId":null}`+"\n", kind, data, i)
	}
	return []byte(b.String())
}

func said(text string) string { // with an id, as in version 1.0.102
	return fmt.Sprintf(`user.message {"content":%q,"transformedContent":%q,"messageId":"p"}`, text, text)
}

func called(id string, ids ...string) string {
	var calls []string
	for _, id := range ids {
		calls = append(calls, fmt.Sprintf(`{"toolCallId":%q,"name":"bash","arguments":{}}`, id))
	}
	return fmt.Sprintf(`assistant.message {"messageId":%q,"content":%q,"toolRequests":[%s]}`, id,
		map[bool]string{true: "said"}[len(ids) == 0], strings.Join(calls, ","))
}

func done(id string) string {
	return fmt.Sprintf(`tool.execution_complete {"toolCallId":%q,"success":true,"result":{"content":"of %s"}}`, id, id)
}

func used(input, read, write, output int, more string) string {
	return fmt.Sprintf(`session.usage_record {"usage":{"model":"claude-opus-4-5","inputTokens":%d,"cacheReadTokens":%d,"cacheWriteTokens":%d,`+
		`"outputTokens":%d%s}}`, input, read, write, output, more)
}

const (
	begun = `session.compaction_start {"trigger":"background"}`
	ended = `session.compaction_complete {"success":true,"summaryContent":"the summary"}`
)

func texts(c *msg.Conversation) (all []string) {
	for it := c.Walk(); it.Next(); {
		if it.Block.Kind != msg.KindToolUse && it.Block.Text != "said" {
			all = append(all, it.Block.Text)
		}
	}
	return all
}

// What happened while a compaction ran in the background stays, and an answer with an open call is not cut.
func TestBackgroundCompaction(t *testing.T) {
	for _, test := range []struct {
		name string
		log  []byte
		want []string
	}{
		{"calls between", events(said("old"), called("a", "1"), done("1"), begun, called("b", "2"), done("2"), ended,
			said("new")),
			[]string{"the summary", "of 2", "new"}},
		{"a prompt between", events(said("old"), called("a"), begun, said("newest"), ended), []string{"the summary",
			"newest"}},
		{"complete in a parallel round", events(said("old"), begun, called("a", "1", "2"), done("1"), ended, done("2")),
			[]string{"the summary", "of 1", "of 2"}},
		{"start in a parallel round", events(said("old"), called("a", "1", "2"), done("1"), begun, done("2"), ended,
			said("new")),
			[]string{"the summary", "of 1", "of 2", "new"}},
		{"start in the first round", events(called("a", "1"), begun, done("1"), ended), []string{"the summary", "of 1"}},
		{"failed", events(said("old"), begun, `session.compaction_complete {"success":false}`), []string{"old"}},
		{"without a start", events(said("old"), ended, said("new")), []string{"the summary", "new"}},
		{"twice", events(said("old"), begun, said("b"), ended, said("c"), begun, said("d"), ended, said("e")),
			[]string{"the summary", "d", "e"}},
	} {
		c, err := format.Parse(test.log, "")
		require.NoError(t, err)
		require.Equal(t, test.want, texts(c), test.name)
		require.Empty(t, validity.Check(c), test.name)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(test.log), string(out))
		if test.want[0] != "the summary" {
			continue
		}
		for _, without := range []int{0, len(c.Messages) - 1} { // without the summary, or the newest message
			messages := append(append([]msg.Message(nil), c.Messages[:without]...), c.Messages[without+1:]...)
			changed := c.WithMessages(messages)
			out, err = format.Render(changed)
			require.NoError(t, err)
			back, err := format.Parse(out, "")
			require.NoError(t, err)
			require.Equal(t, texts(changed), texts(back), "%s without %d: %s", test.name, without, out)
		}
	}
}

// Each call is billed once: those before a compaction, that of the compaction, those of subagents, and those that the
// user took back. The sums of session.shutdown, of which the second has the first, are not.
func TestUsageRecords(t *testing.T) {
	log := events(said("old"), used(155, 100, 50, 7, `,"interactionType":"conversation-agent"`), called("a", "1"), done("1"),
		begun, used(1000, 0, 0, 100, `,"interactionType":"conversation-compaction"`), used(300, 155, 145, 7, ""), called("b"), ended,
		`session.shutdown {"modelMetrics":{"claude-opus-4-5":{"usage":{"inputTokens":155}}}}`,
		said("new"), used(200, 0, 0, 10, ""), called("c"), `session.shutdown {"modelMetrics":{"claude-opus-4-5":{"usage":{"inputTokens":655}}}}`)
	c, err := format.Parse(log, "")
	require.NoError(t, err)
	require.Equal(t, &msg.Usage{Input: 200, Output: 10}, c.Messages[len(c.Messages)-1].Usage)
	u, err := replay.Usage(c, replay.Options{})
	require.NoError(t, err)
	require.Equal(t, 3, u.Calls)
	require.Equal(t, 1, u.Subagents.Calls)
	require.True(t, u.Priced)
	// 5 dollars for a million tokens of input, 25 of the answer; a read .1, a write 1.25 of the input
	first, second, third := (5*5+100*5/10+(50*25+2)/4)+7*25, 155*5/10+(145*25+2)/4+7*25, 200*5+10*25
	require.InDelta(t, first+second+third, u.Cost, 2) // millionths, rounded call by call
	require.Equal(t, 1000*5+100*25, u.Subagents.Cost)
}
