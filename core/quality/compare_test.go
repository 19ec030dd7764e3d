package quality_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/quality"
	"tamp/core/words"
)

func conversationOf(texts ...string) *msg.Conversation {
	c := &msg.Conversation{}
	for i, text := range texts {
		role := msg.User
		if i%2 == 1 {
			role = msg.Assistant
		}
		c.Messages = append(c.Messages, msg.TextMessage(role, text))
	}
	return c
}

func TestCompare(t *testing.T) {
	failed := conversationOf("go")
	failed.Messages = append(failed.Messages, msg.Message{Role: msg.User, Blocks: []msg.Block{
		{Kind: msg.KindToolResult, ID: "1", IsError: true, Text: "TypeError: x is undefined"}}})
	for _, row := range []struct {
		why           string
		before, after *msg.Conversation
		permille      int
		kept, lost    string // kind: fact, …
	}{
		{"nothing removed, nothing lost", conversationOf("Fix src/a.go"), conversationOf("Fix src/a.go"), 1000, "", ""},
		{"a path and a name in another sentence are kept", conversationOf("hi", "Fix src/a.go and parseInput"),
			conversationOf("hi", "summary: parseInput of src/a.go"), 1000,
			"paths: src/a.go; identifiers: parseInput", ""},
		{"a name is not a part of another", conversationOf("hi", "Fix parseInput"), conversationOf("hi", "parseInputs"),
			0, "",
			"identifiers: parseInput"},
		{"a bare number is not a fact, a number with a unit is", conversationOf("hi", "30 of 40ms"),
			conversationOf("hi", "it took long"), 0, "", "numbers: 40ms"},
		{"a sentence that the user typed counts, quoted or not",
			conversationOf("Change it. You must not touch the schema."), conversationOf("- \"You must not touch the schema.\""),
			500, "words: You must not touch the schema", "words: Change it"},
		{"in other words it is lost, since its wording matters",
			conversationOf("You must not touch the schema."), conversationOf("Schema: leave."), 0,
			"", "words: You must not touch the schema"},
		{"in the section of the user's words, behind the question that it answers and wrapped by an editor",
			conversationOf("yes, all", "Go on?", "Please look at the long report of the last build and\ntell me why it fails."),
			conversationOf("[compacted summary of turns 1-2]\n" + words.Section([]words.Said{
				{Turn: 1, Asked: "Which \u2014 1: all?", Text: "yes, all"},
				{Turn: 2, Text: "Please look at the long report of the last build and\ntell me why it fails."}}) + "## Files"), 1000,
			"words: yes, all; words: Please look at the long report of the last build and tell me why it fails", ""},
		{"an error line behind a label", failed, conversationOf("- turn 3: TypeError: x is undefined"), 1000,
			"errors: TypeError: x is undefined; identifiers: TypeError", ""},
		{"a text of the assistant has no words of the user", conversationOf("hi",
			"You must see this."), conversationOf("hi"), 1000, "", ""},
	} {
		r := quality.Compare(row.before, row.after)
		require.Equal(t, row.permille, r.Permille, row.why)
		var kept, lost []string
		for _, k := range r.Kinds {
			require.Equal(t, k.Kept, len(k.KeptFacts), row.why)
			for _, f := range k.KeptFacts {
				kept = append(kept, string(k.Kind)+": "+f)
			}
			for _, f := range k.LostFacts {
				lost = append(lost, string(k.Kind)+": "+f)
			}
		}
		require.Equal(t, row.kept, strings.Join(kept, "; "), row.why)
		require.Equal(t, row.lost, strings.Join(lost, "; "), row.why)
	}
}

func TestListsAreLimitedAndCountsAreNot(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		b.WriteString("dir/file" + strings.Repeat("x", i) + ".go ")
	}
	r := quality.Compare(conversationOf("", b.String()), conversationOf("nothing"))
	require.Len(t, r.Kinds, 1)
	require.Len(t, r.Kinds[0].LostFacts, quality.MaxListed)
	require.Equal(t, r.Lost, r.Kinds[0].Lost)
	require.Greater(t, r.Lost, quality.MaxListed)
}

// A conversation compared with itself keeps all facts, and so does one that was only extended.
func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c, err := format.Parse(convtest.Conversation(t, f), f)
		require.NoError(t, err)
		require.Equal(t, 1000, quality.Compare(c, c).Permille)
		n := rapid.IntRange(0, len(c.Messages)).Draw(t, "kept")
		part := c.WithMessages(c.Messages[:n])
		r := quality.Compare(c, part)
		require.LessOrEqual(t, r.Permille, 1000)
		require.Equal(t, 0, quality.Compare(part, c).Lost, "a conversation that was only extended has lost nothing")
		kept, lost := 0, 0
		for _, k := range r.Kinds {
			kept += k.Kept
			lost += k.Lost
			require.LessOrEqual(t, len(k.KeptFacts), min(k.Kept, quality.MaxListed))
			require.LessOrEqual(t, len(k.LostFacts), min(k.Lost, quality.MaxListed))
		}
		require.Equal(t, r.Kept, kept)
		require.Equal(t, r.Lost, lost)
	})
}
