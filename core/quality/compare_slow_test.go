package quality

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/words"
)

// slowCompare is Compare by its definition: all facts that the new context can contain, and then those of the removed
// part that are among them.
func slowCompare(before, after *msg.Conversation) Report {
	have := map[fact]bool{}
	var verbatim []string
	read := func(text string) {
		visitAtoms(text, func(f fact) { have[f] = true })
		for line := range strings.Lines(text) {
			have[fact{Errors, key(line)}] = true
		}
		provenance.Sentences(text, func(s string) { have[fact{Words, key(s)}] = true })
	}
	for b := range after.System {
		read(after.System[b].Text)
	}
	for _, block := range after.Blocks() {
		verbatim = append(verbatim, block.Text)
		visitTexts(block, read)
	}
	l := newFactList()
	add := func(f fact) {
		if !slices.Contains(l.list, f) {
			l.list, l.isKept = append(l.list, f), append(l.isKept, have[f])
		}
	}
	for ref, block := range before.Blocks() {
		message := &before.Messages[ref.Message]
		if slices.Contains(verbatim, block.Text) {
			continue
		}
		visitTexts(block, func(text string) { visitAtoms(text, add) })
		if summarize.IsError(block) {
			for _, line := range summarize.ErrorLines(block.Text, maxErrors) {
				add(fact{Errors, key(line)})
			}
		}
		provenance.Sentences(words.Typed(message, ref.Block), func(s string) { add(fact{Words, key(s)}) })
	}
	return l.report()
}

func visitAtoms(text string, visit func(fact)) {
	summarize.Atoms(text, func(k summarize.FactKind, s string) {
		if kind, ok := kindOf(k, s); ok {
			visit(fact{kind, s})
		}
	})
}

func TestCompareAgainstSlow(t *testing.T) {
	var kept, lost int
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		before, err := format.Parse(convtest.Conversation(t, f), f)
		require.NoError(t, err)
		parts := []string{"You must keep it. ", "src/a.go ", "parseInput ", "TypeError: x is undefined\n", "40ms ",
			"\n- ", "plain "}
		text := func() string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "text"), "")
		}
		var messages []msg.Message
		for m := range before.Messages {
			message := &before.Messages[m]
			blocks := slices.Clone(message.Blocks)
			for b := range blocks {
				switch rapid.IntRange(0, 4).Draw(t, "change") {
				case 0:
					blocks[b].Text, message.Blocks[b].Text = text(), text()
				case 1:
					message.Blocks[b].Text += text()
				case 2:
					blocks[b].Text += text()
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "removed") > 0 {
				messages = append(messages, message.WithBlocks(blocks))
			}
		}
		after := before.WithMessages(messages)
		r := Compare(before, after)
		require.Equal(t, slowCompare(before, after), r)
		for _, k := range r.Kinds {
			if k.Kind == Errors || k.Kind == Words {
				kept += k.Kept
				lost += k.Lost
			}
		}
	})
	require.NotZero(t, kept)
	require.NotZero(t, lost)
}
