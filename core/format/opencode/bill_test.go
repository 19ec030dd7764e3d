package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/replay"
)

// All calls of an export are billed, also those before its compactions, and its summary is the assistant's.
func TestCallsBeforeCompactions(t *testing.T) {
	n := 0
	prompt := func(part string) string {
		n++
		return fmt.Sprintf(`{"info":{"id":"m%d","role":"user"},"parts":[%s]}`, n, part)
	}
	answer := func(more string) string {
		n++
		return fmt.Sprintf(`{"info":{"id":"m%d","role":"assistant","modelID":"claude-opus-4-5","finish":"stop","tokens":{"input":100,"output":10,`+
			`"reasoning":5,"cache":{"read":1000,"write":0}}%s},"parts":[{"type":"text","text":"said %d"}]}`, n, more, n)
	}
	var all []string
	for range 2 {
		for range 10 {
			all = append(all, prompt(`{"type":"text","text":"go"}`), answer(""))
		}
		all = append(all, prompt(`{"type":"compaction","auto":true}`))
		all = append(all, answer(fmt.Sprintf(`,"summary":true,"parentID":"m%d"`, n)))
	}
	all = append(all, prompt(`{"type":"text","text":"on"}`), answer(""), prompt(`{"type":"text","text":"on"}`), answer(""), prompt(
		`{"type":"text","text":"on"}`), answer(""))
	export := `{"info":{"id":"s"},"messages":[` + strings.Join(all, ",") + `]}`
	c, err := format.Parse([]byte(export), "")
	require.NoError(t, err)
	require.Len(t, c.Messages, 8)
	require.Equal(t, msg.Assistant, c.Messages[1].Role)
	require.Equal(t, msg.KindSummary, c.Messages[1].Blocks[0].Kind)
	u, err := replay.Usage(c, replay.Options{})
	require.NoError(t, err)
	require.Equal(t, 25, u.Calls)
	require.Equal(t, 25*(100*5+1000*5/10+15*25), u.Cost)
	out, _, err := format.Convert(c, msg.Anthropic)
	require.NoError(t, err)
	require.Equal(t, msg.Assistant, out.Messages[1].Role, "opencode sends the summary as the answer that it is")
	text, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, export, string(text))
}
