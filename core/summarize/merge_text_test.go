package summarize

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Merging by lines, with a count that a reader can follow: a character is a token, and a line is one more.
func TestMergeText(t *testing.T) {
	rows := []struct {
		why   string
		parts []string
		max   int
		want  string
	}{
		{"everything fits", []string{"## A\n- one\n- two", "## B\n- x\n## A\n- three"}, 999, "## A\n- one\n- two\n- three\n\n## B\n- x"},
		{"a line counts once", []string{"## A\n- one\n- two", "## A\n- one"}, 999, "## A\n- one\n- two"},
		{"under another heading it is another line", []string{"## A\n- one", "## B\n- one"}, 999, "## A\n- one\n\n## B\n- one"},
		{"what is indented goes with its line", []string{"## A\n- one\n  more of it\n\tand more\n- two"}, 999, "## A\n- one\n  more of it\n\tand more\n- two"},
		{"but not behind an empty line", []string{"## A\n- one\n\n  alone"}, 999, "## A\n- one\n  alone"},
		{"nor does what follows a line that was there", []string{"- one\n- one\n  again"}, 999, "- one\n  again"},
		{"a heading without lines is left out", []string{"## A\n## B\n- x"}, 999, "## B\n- x"},
		{"a model's own words", []string{"They read.", "They wrote.\r\n"}, 999, "They read.\nThey wrote."},
		{"spaces at the end", []string{"- one \t", "- one"}, 999, "- one"},
		{"no room", []string{"## A\n- one"}, 5, ""},
		{"nothing", nil, 99, ""},
		{"the newest lines stay", []string{"- one\n- two", "- six\n- ten"}, 15, "- six\n- ten"},
		{"exactly the room", []string{"- one\n- two"}, 14, "- one\n- two"},
		{"each heading keeps a line", []string{"## A\n- a1\n- a2\n- a3\n- a4\n- a5\n- a6\n- a7\n## B\n- b1"}, 40, "## A\n- a4\n- a5\n- a6\n- a7\n\n## B\n- b1"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			require.Equal(t, row.want, MergeText(row.parts, row.max, func(s string) int { return len(s) }))
		})
	}
}

// Whatever is merged fits, is made of lines that were there, each once and below its heading, and says all where all fits.
func TestMergeTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		all := map[string]bool{}
		total, number := 0, 0
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			var lines []string
			for _, heading := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "## A", "## B", "## C"}), 0, 4, rapid.ID[string]).Draw(t, "headings") {
				if heading == "" && len(lines) > 0 {
					continue // would be below the heading before it
				}
				if heading != "" {
					lines = append(lines, heading)
				}
				for range rapid.IntRange(1, 5).Draw(t, "lines") {
					number++
					line := "- " + strconv.Itoa(number) + strings.Repeat("x", rapid.SampledFrom([]int{0, 1, 9, 60}).Draw(t, "length"))
					lines = append(lines, line)
					all[heading+"\n"+line] = true
				}
			}
			parts = append(parts, strings.Join(lines, "\n"))
			total += len(parts[len(parts)-1]) + 3
		}
		room := rapid.IntRange(0, total+20).Draw(t, "room")
		text := MergeText(parts, room, func(s string) int { return len(s) })
		require.LessOrEqual(t, len(text), room)
		heading, seen := "", []string{}
		for line := range strings.SplitSeq(text, "\n") {
			switch {
			case strings.HasPrefix(line, "#"):
				heading = line
			case line != "":
				require.True(t, all[heading+"\n"+line] || all["\n"+line], "%s below %q", line, heading)
				require.NotContains(t, seen, line)
				seen = append(seen, line)
			}
		}
		if room > 4*total { // a line takes at most a quarter of the room
			require.Len(t, seen, len(all))
		}
		// What stays of a heading is its newest: an older line stays only where every newer one of its size does.
		for key := range all {
			heading, line, _ := strings.Cut(key, "\n")
			if slices.Contains(seen, line) {
				continue
			}
			for other := range all {
				otherHeading, older, _ := strings.Cut(other, "\n")
				if otherHeading == heading && len(older) >= len(line) && numberOfLine(older) < numberOfLine(line) && slices.Contains(seen, older) {
					require.Fail(t, "an older line stays", "%q stays, %q does not: %q", older, line, text)
				}
			}
		}
	})
}

func numberOfLine(line string) int {
	n, _ := strconv.Atoi(strings.Trim(line, "- x"))
	return n
}
