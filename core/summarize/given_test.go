package summarize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/words"
)

func TestLinesOfAnEarlierSummary(t *testing.T) {
	earlier := "[compacted summary of turns 1-9]\n" + words.Section([]words.Said{{Turn: 1,
		Text: "Use tabs.\n\n## Files\n- b.go"}}) +
		"## Files\n- a.go (read)\n  b_c\n\n## What the assistant found, decided and did\n- turn 3: It is cut.\n- turn 0: It is old."
	require.Equal(t, []string{"a.go (read)", "It is cut.", "turn 0: It is old.", "x"},
		summarize.DroppedLines([]string{earlier, "- x"}, "b_c"), "without the user's words")
	require.Empty(t, summarize.DroppedLines([]string{earlier}, earlier))
}

func TestFailedCalls(t *testing.T) {
	messages := []msg.Message{
		call("1", "Bash", `{"command":"make a"}`), answer("1", "\nno rule\nmore", true),
		call("2", "Bash", `{"command":"make b"}`), answer("2", "no b", true),
		call("3", "Read", `{"path":"make b"}`), answer("3", "no file", true),
		call("4", "Bash", `{"command":"make b"}`), answer("4", "ok", false),
		call("5", "Bash", `{"command":"make a"}`), answer("5", "no rule again", true),
		answer("6", "a result without a call", true), msg.TextMessage(msg.User, "Go on."),
	}
	failed := func(spans ...msg.Span) []string {
		c := &msg.Conversation{Format: msg.Anthropic, Messages: messages}
		return summarize.FailedCalls(c, msg.Pair(c), spans)
	}
	require.Equal(t, []string{"Read make b → no file", "Bash make a → no rule again"},
		failed(msg.Span{End: len(messages)}))
	require.Equal(t, []string{"Bash make a → no rule", "Bash make b → no b"},
		failed(msg.Span{End: 2}, msg.Span{Start: 3, End: 5}))
	messages = nil
	var want []string
	for i := range 10 {
		id := fmt.Sprint(i)
		messages = append(messages, call(id, "Bash", `{"command":"make `+id+` `+strings.Repeat("x", 300)+`"}`),
			answer(id, strings.Repeat("y", 300), true))
		want = append(want, "Bash make "+id+" "+strings.Repeat("x", 187)+"… → "+strings.Repeat("y", 199)+"…")
	}
	require.Equal(t, want[2:], failed(msg.Span{End: len(messages)}), "the newest")
}

func TestWrite(t *testing.T) {
	p := summarize.Write(summarize.Task{Kind: "unknown", MaxTokens: 99, Focus: "the ports", Data: "the text",
		Failed: []string{"Bash make → no rule"}})
	require.Contains(t, p.System, "The reader is the same agent, a moment later")
	require.Contains(t, p.System, "\n- what was found out\n- names, numbers")
	require.Contains(t, p.System, "Stay under 99 tokens.")
	require.True(t, strings.HasSuffix(p.System, "above all: the ports"))
	require.Regexp(t, "^The part of the conversation to summarize:\n\n<(conversation-[0-9a-f]{8})>\nthe text\n\nGiven facts. Calls that failed and did "+
		"not succeed later:\n- Bash make → no rule\n</conversation-[0-9a-f]{8}>\n\nSummarize the conversation above.$", p.User)
	merged := summarize.Write(summarize.Task{Kind: summarize.Coding, Data: "the text", Merge: true})
	require.Contains(t, merged.User, "oldest first:\n\n<")
	require.Contains(t, merged.User, "\nthe text\n</")
	require.Contains(t, merged.User, "Merge the summaries above into one.")
	require.NotContains(t, merged.System, "above all")
	asked := summarize.Write(summarize.Task{Data: "x", Merge: true, Question: "Why?"})
	require.True(t, strings.HasSuffix(asked.User, "\n\nWhy?"))
	digests := map[[32]byte]bool{}
	for _, task := range []summarize.Task{{}, {Data: "x"}, {Kind: summarize.Handoff}, {MaxTokens: 1},
		{Focus: "x"}, {Question: "x"},
		{Failed: []string{"x"}}, {Merge: true}} {
		require.Equal(t, summarize.Write(task), summarize.Write(task))
		digests[summarize.Write(task).Digest] = true
	}
	require.Len(t, digests, 8)
}

func TestTranscriptOfEachKind(t *testing.T) {
	image := []msg.Block{{Kind: msg.KindImage, Type: "image"}}
	for _, row := range []struct {
		item summarize.Item
		want string
	}{
		{summarize.Item{Role: msg.User, Block: &msg.Block{Kind: msg.KindImage, Type: "image"}},
			"[user, image]\n(an image)"},
		{summarize.Item{Role: msg.User, Block: &msg.Block{Kind: msg.KindDocument, Type: "document"}},
			"[user, document]\n(a document)"},
		{summarize.Item{Role: msg.User, Block: &msg.Block{Kind: msg.KindDocument, Type: "document", Text: "abcdefgh"}},
			"[user, document]\nabc… (5 more characters)"},
		{summarize.Item{Role: msg.Assistant, Block: &msg.Block{Kind: msg.KindThinking, Type: "redacted_thinking", Text: "x"}},
			"[the agent thinks]\n(not readable)"},
		{summarize.Item{Role: msg.Assistant, Block: &msg.Block{Kind: msg.KindThinking, Type: "thinking", Text: "abc"}},
			"[the agent thinks]\nabc"},
		{summarize.Item{Role: msg.Assistant, Turn: 3,
			Block: &msg.Block{Kind: msg.KindToolUse, Name: "Bash", Text: "{\"a\":12}"}},
			"[turn 3, the agent calls Bash]\n{\"a\":… (3 more characters)"},
		{summarize.Item{Role: msg.User, Tool: "Bash", Important: true,
			Block: &msg.Block{Kind: msg.KindToolResult, Text: "日本語の文"}},
			"[result of Bash, important]\n日本語の… (1 more characters)"},
		{summarize.Item{Role: msg.User, Tool: "Bash", Block: &msg.Block{Kind: msg.KindToolResult, IsError: true, Text: "no"}},
			"[error from Bash]\nno"},
		{summarize.Item{Role: msg.User, Tool: "Bash", Block: &msg.Block{Kind: msg.KindToolResult, Parts: image}},
			"[result of Bash]\n(with an image or a document)"},
		{summarize.Item{Role: msg.Assistant, Block: &msg.Block{Kind: msg.KindText, Text: "a", Bare: true}},
			"[the agent says]\na"},
		{summarize.Item{Role: msg.User, Block: &msg.Block{Kind: msg.KindText, Text: "abcdefgh", Bare: true}},
			"[the user says]\nabcdefg… (1 more characters)"},
		{summarize.Item{Role: msg.User, Injected: true, Block: &msg.Block{Kind: msg.KindText, Text: "a"}},
			"[injected]\na"},
		{summarize.Item{Role: msg.System, Block: &msg.Block{Kind: msg.KindText, Type: "text", Text: "a"}},
			"[system, text]\na"},
	} {
		cuts := summarize.Cuts{String: 7, Text: 3, Result: 4, Input: 5}
		require.Equal(t, row.want, summarize.Transcript([]summarize.Item{row.item}, cuts))
	}
}

func TestHasUnit(t *testing.T) {
	for number, want := range map[string]bool{"12": false, "7s": true, "12.5": true, "v1.2": true, "%": false, "": false} {
		require.Equal(t, want, summarize.HasUnit(number), number)
	}
}
