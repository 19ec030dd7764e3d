package summarize

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lines writes the lines of a heading up to the n-th, from the first one or from another; each is of five tokens.
func lines(heading string, n int, from ...int) string {
	text := "## " + heading
	for i := append(from, 1)[0]; i <= n; i++ {
		text += "\n- " + strings.ToLower(heading) + strconv.Itoa(i)
	}
	return text
}

// Merging by lines, with a count that a reader can follow: a character is a token, and a line is one more.
func TestMergeText(t *testing.T) {
	rows := []struct {
		why   string
		parts []string
		max   int
		want  string
	}{
		{"everything fits", []string{"## A\n- one\n- two", "## B\n- x\n## A\n- three"}, 999,
			"## A\n- one\n- two\n- three\n\n## B\n- x"},
		{"a line counts once", []string{"## A\n- one\n- two", "## A\n- one"}, 999, "## A\n- one\n- two"},
		{"under another heading it is another line", []string{"## A\n- one", "## B\n- one"}, 999,
			"## A\n- one\n\n## B\n- one"},
		{"what is indented goes with its line", []string{"## A\n- one\n  more of it\n\tand more\n- two"}, 999,
			"## A\n- one\n  more of it\n\tand more\n- two"},
		{"but not behind an empty line", []string{"## A\n- one\n\n  alone"}, 999, "## A\n- one\n  alone"},
		{"nor does what follows a line that was there", []string{"- one\n- one\n  again"}, 999, "- one\n  again"},
		{"a heading without lines is left out", []string{"## A\n## B\n- x"}, 999, "## B\n- x"},
		{"a model's own words", []string{"They read.", "They wrote.\r\n"}, 999, "They read.\nThey wrote."},
		{"spaces at the end", []string{"- one \t", "- one"}, 999, "- one"},
		{"no room", []string{"## A\n- one"}, 5, ""},
		{"nothing", nil, 99, ""},
		{"the newest lines stay", []string{"- one\n- two", "- six\n- ten"}, 15, "- six\n- ten"},
		{"exactly the room", []string{"- one\n- two"}, 14, "- one\n- two"},
		{"each heading keeps a line", []string{"## A\n- a1\n- a2\n- a3\n- a4\n- a5\n- a6\n- a7\n## B\n- b1"}, 40,
			"## A\n- a4\n- a5\n- a6\n- a7\n\n## B\n- b1"},
		{"behind an empty line it is a line of its own", []string{"- one\n\n  alone"}, 10, "  alone"},
		{"and behind a line that was there", []string{"- one\n- one\n  again"}, 10, "  again"},
		{"a long line takes no more than the share of its heading", []string{lines("A", 9), "## B\n- 12 letters xx"}, 52,
			lines("A", 9, 2)},
		{"each heading has its share", []string{lines("A", 4), lines("B", 9)}, 52,
			lines("A", 4, 3) + "\n\n" + lines("B", 9, 4)},
		{"and the newest lines what is left over", []string{lines("B", 9), lines("C", 4)}, 54,
			lines("B", 9, 5) + "\n\n" + lines("C", 4, 2)},
		{"but each heading has a line", []string{lines("B", 1), lines("A", 9)}, 54,
			lines("B", 1) + "\n\n" + lines("A", 9, 3)},
		{"no room for what is indented", []string{"- one\n  more"}, 14, ""},
		{"room for what is indented", []string{"- one\n  more"}, 15, "- one\n  more"},
		{"a model's own words have half of it", []string{"They read it", lines("A", 9)}, 56,
			"They read it\n\n" + lines("A", 9, 3)},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			require.Equal(t, row.want, MergeText(row.parts, row.max, func(s string) int { return len(s) }))
		})
	}
}

// Whatever is merged fits, is made of lines that were there, each once and below its heading, and says all where all
// fits.
func TestMergeTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		all := map[string]bool{}
		total, number := 0, 0
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			var lines []string
			for _, heading := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "## A", "## B", "## C"}), 0, 4,
				rapid.ID[string]).Draw(t, "headings") {
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
				if otherHeading == heading && len(older) >= len(line) && numberOfLine(older) < numberOfLine(line) &&
					slices.Contains(seen, older) {
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

// A counter may count a text as more than its lines: then the oldest lines make way until it fits.
func TestMergeTextWhoseLinesCountLess(t *testing.T) {
	count := func(s string) int { return len(s) + 9*strings.Count(s, "\n") }
	require.Equal(t, "- three\n- four", MergeText([]string{"- one\n- two\n- three\n- four"}, 30, count))
	require.Equal(t, "", MergeText([]string{"- one"}, 3, count))
}
