package summarize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
	"tamp/core/summarize"
)

// A result keeps exactly the lines that have enough names which no text before has, by a search of all texts; a return
// to an earlier size forgets what came after it.
func TestLinesWithNamesOfTheirOwnStay(t *testing.T) {
	kept, left := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		perName := rapid.IntRange(1, 60).Draw(t, "bytes per name")
		var names summarize.Names
		var before []string // the texts that stay
		var sizes []int
		var want []string
		blocks := rapid.SliceOfN(rapid.Custom(drawNamed), 1, 8).Draw(t, "blocks")
		for i := range blocks {
			sizes = append(sizes, names.Size())
			if blocks[i].Kind != msg.KindToolResult {
				names.Add(&blocks[i])
				before, want = append(before, blocks[i].Text), append(want, "")
				continue
			}
			var lines []string
			gap := false
			for _, line := range strings.Split(blocks[i].Text, "\n") {
				found, size := map[string]bool{}, len(line)+1
				for _, word := range strings.Fields(line) {
					word = strings.Trim(word, ".")
					if strings.Contains(word, "_") && !strings.Contains(" "+strings.Join(before, " "), " "+word+" ") {
						found[word] = true
					}
				}
				if gap {
					size += len("[…]\n")
				}
				if len(found)*perName < size {
					gap = true
					left++
					continue
				}
				if gap {
					lines = append(lines, "[…]")
				}
				gap = false
				kept++
				lines, before = append(lines, line), append(before, line+" ")
			}
			want = append(want, strings.Join(lines, "\n"))
			require.Equal(t, want[i], names.Keep(&blocks[i], perName), "result %d of %q", i, blocks)
		}
		back := rapid.IntRange(0, len(blocks)-1).Draw(t, "back to")
		names.Truncate(sizes[back])
		for i := back; i < len(blocks); i++ {
			if blocks[i].Kind == msg.KindToolResult {
				require.Equal(t, want[i], names.Keep(&blocks[i], perName))
			} else {
				names.Add(&blocks[i])
			}
		}
	})
	if !testing.Short() {
		require.Greater(t, min(kept, left), 10)
	}
}

// drawNamed draws a text, a call, thinking or a result of lines with few names.
func drawNamed(t *rapid.T) msg.Block {
	var lines []string
	for range rapid.IntRange(1, 5).Draw(t, "lines") {
		line := "1234 words"
		for range rapid.IntRange(0, 3).Draw(t, "names") {
			line += fmt.Sprintf(" name_%c", rapid.IntRange('a', 'h').Draw(t, "name"))
		}
		lines = append(lines, line+" end"+strings.Repeat(" x", rapid.IntRange(0, 20).Draw(t, "more")))
	}
	kinds := []msg.Kind{msg.KindText, msg.KindToolResult, msg.KindToolResult}
	b := msg.Block{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Text: strings.Join(lines, "\n")}
	if b.Kind == msg.KindText {
		b.Text += " "
	}
	return b
}

// Thinking does not stay, and a call has the names of its values.
func TestNamesOfCallsAndThinking(t *testing.T) {
	var names summarize.Names
	names.Add(&msg.Block{Kind: msg.KindThinking, Text: "read_one"})
	names.Add(&msg.Block{Kind: msg.KindToolUse, Name: "Read", Text: `{"path":"a\nread_two"}`})
	result := &msg.Block{Kind: msg.KindToolResult, Text: "read_two\nread_one\n42 12345\n[…]"}
	require.Equal(t, "[…]\nread_one", names.Keep(result, 30))
	require.Empty(t, names.Keep(&msg.Block{Kind: msg.KindToolResult}, 30))
}
