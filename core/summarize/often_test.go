package summarize

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestNamesThatWereOftenWritten(t *testing.T) {
	said := func(text string) msg.Message { return msg.TextMessage(msg.Assistant, text) }
	asked := func(text string) msg.Message { return msg.TextMessage(msg.User, text) }
	block := func(role msg.Role, b msg.Block) msg.Message { return msg.Message{Role: role, Blocks: []msg.Block{b}} }
	call := block(msg.Assistant, msg.Block{Kind: msg.KindToolUse, Name: "grep", Text: `{"pattern":"loadQuota"}`})
	written := block(msg.Assistant, msg.Block{Kind: msg.KindToolUse, Name: "write",
		Text: `{"content":"a := loadQuota()\nb := loadQuota()\nc := loadQuota()"}`})
	result := block(msg.User, msg.Block{Kind: msg.KindToolResult, Text: "quota.go: func loadQuota()"})
	thought := block(msg.Assistant, msg.Block{Kind: msg.KindThinking, Text: "loadQuota is it"})
	old := asked("[compacted summary of turns 1-9]\n- turn 2: loadQuota reads the file.")
	old.Blocks[0].Summary = true
	injected := asked("<system-reminder>loadQuota changed</system-reminder>")
	const line = "- turn 4: loadQuota reads the file."
	for _, test := range []struct {
		why       string
		messages  []msg.Message
		summary   string
		wasBefore bool
		want      bool
	}{
		{why: "a text and calls", messages: []msg.Message{said("I read loadQuota."), call, call}, summary: line, want: true},
		{why: "the user and the agent", messages: []msg.Message{asked("Fix loadQuota."), said("loadQuota is fixed."), call},
			summary: line, want: true},
		{why: "three lines of a call", messages: []msg.Message{written}, summary: line, want: true},
		{why: "two lines", messages: []msg.Message{said("loadQuota calls loadQuota, then loadQuota.\nloadQuota")}, summary: line},
		{why: "tool output", messages: []msg.Message{call, call, result, result}, summary: line},
		{why: "thinking", messages: []msg.Message{call, call, thought, thought}, summary: line},
		{why: "an earlier summary", messages: []msg.Message{call, call, old, old}, summary: line},
		{why: "text that a client wrote", messages: []msg.Message{call, call, injected, injected}, summary: line},
		{why: "often written before", summary: line, wasBefore: true, want: true},
		{why: "in no summary", messages: []msg.Message{call, call, call}, summary: "- turn 4: It reads.", wasBefore: true},
	} {
		var w WrittenNames
		for i := range test.messages {
			w.Add(&test.messages[i])
		}
		var before, want []string
		if test.wasBefore {
			before = []string{nameKey("loadQuota")}
		}
		if test.want {
			want = []string{nameKey("loadQuota")}
		}
		require.Equal(t, want, w.Keys([]string{test.summary}, before), test.why)
	}
}

func TestOftenWrittenNamesAreLimited(t *testing.T) {
	var w WrittenNames
	var text strings.Builder
	for i := range 2 * maxWrittenNames {
		fmt.Fprintf(&text, "name_%d ", i)
	}
	message := msg.TextMessage(msg.Assistant, text.String())
	last := fmt.Sprintf("name_%d", 2*maxWrittenNames-1)
	often := msg.TextMessage(msg.Assistant, fmt.Sprintf("name_%d", 2*maxWrittenNames-2))
	for range minWrittenLines {
		w.Add(&message)
	}
	w.Add(&often)
	keys := w.Keys([]string{text.String()}, []string{nameKey(last)})
	require.Len(t, keys, maxWrittenNames)
	require.True(t, slices.IsSorted(keys))
	require.Contains(t, keys, nameKey(last), "the earlier ones stay")
	require.Contains(t, keys, nameKey(often.Blocks[0].Text), "those in most lines stay")
	require.Contains(t, keys, nameKey("name_0"), "of the others, the first ones stay")
	require.NotContains(t, keys, nameKey(fmt.Sprintf("name_%d", maxWrittenNames)))
	require.NotContains(t, strings.Join(keys, " "), "name")
}

// Of two lines of an earlier summary with names, the one whose name was often written stays.
func TestCondensingKeepsOftenWrittenNames(t *testing.T) {
	m := msg.TextMessage(msg.User, "[compacted summary of turns 1-9]\n## What the assistant found, decided and did\n"+
		"- turn 2: The file is read by loadQuota.\n- turn 3: The file is read by saveLimit.\n")
	m.Blocks[0].Summary = true
	c := &msg.Conversation{Format: msg.Anthropic, Messages: []msg.Message{m, msg.TextMessage(msg.User, "Go on.")}}
	for _, name := range []string{"loadQuota", "saveLimit"} {
		x := New(c, []msg.Span{{End: 1}}, nil)
		x.PreferNames([]string{nameKey(name)})
		got := x.Summarize(0, Options{MaxTokens: 30})
		require.Contains(t, got, name)
		require.Equal(t, 1, strings.Count(got, "The file is read by"), got)
	}
}
