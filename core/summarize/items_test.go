package summarize

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShortItemsAreJoined(t *testing.T) {
	long := strings.Repeat("long ", 20)
	for _, test := range []struct{ why, text, want string }{
		{"deeper items", "1. **Option 1:**\n   - Flight: SFO to IAH\n     - Departure: 23:00\n   - Price: $158\n2. **Option 2:**\n",
			"1. **Option 1:** Flight: SFO to IAH; Departure: 23:00; Price: $158|2. **Option 2:**"},
		{"below a colon and an empty line", "Your cards are:\n\n- Visa 2076\n* Visa 8413\n\nWhich one?",
			"Your cards are: Visa 2076; Visa 8413||Which one?"},
		{"a numbered list", "**Steps:**\n1. Build\n2) Test\n", "**Steps:** Build; Test"},
		{"items of one depth", "- Build it\n- Test it\n", "- Build it|- Test it"},
		{"a long item", "Steps:\n- " + long + "\n- Test\n", "Steps:|- " + strings.TrimSpace(long) + "|- Test"},
		{"sentences", "Findings:\n- It is cut.\n- It is missing.", "Findings:|- It is cut.|- It is missing."},
		{"a sentence above", "I looked.\n- Build it\n", "I looked.|- Build it"},
		{"no items", "Steps:\nBuild it", "Steps:|Build it"},
		{"two empty lines", "Steps:\n\n\n- Build it", "Steps:|||- Build it"},
		{"numbers that are no items", "Values:\n1.5\n12345. x", "Values:|1.5|12345. x"},
		{"as many as fit", "All:\n" + strings.Repeat("- "+strings.Repeat("x", 50)+"\n", 7),
			"All: " + strings.Join(slices.Repeat([]string{strings.Repeat("x", 50)}, 5), "; ") +
				strings.Repeat("|- "+strings.Repeat("x", 50), 2)},
	} {
		var got []string
		lines := slices.Collect(strings.Lines(test.text))
		for i := 0; i < len(lines); {
			line, used := withItems(lines[i:])
			got = append(got, strings.TrimSpace(line))
			i += used
		}
		require.Equal(t, test.want, strings.Join(got, "|"), test.why)
	}
}

func TestMembersAreJoined(t *testing.T) {
	for _, line := range []string{`"a": {`, `"a": [`, `"a": [1],`, `"a" 1`, `a: 1`, `"a": "b" + "c",x`, `"a": "b`, `"a": 1, "b": 2`,
		`"a": "`, `"a": `, `{"a": 1}`, `a": 1`, `": 1`, `"a"b": 1`, `a "b": 1`, `"a": 1}`, ``} {
		require.False(t, new(members).add(line), line)
	}
	var m members
	require.Empty(t, m.take())
	for _, line := range []string{`"a": 1,`, `"b": "x, \"y\"",`, `"c": "",`, `"d": null,`, `"e": true`} {
		require.True(t, m.add(line), line)
	}
	require.Equal(t, `"a": 1, "b": "x, \"y\"", "d": null, "e": true`, m.take())
	require.Empty(t, m.take())
	for n := range 2 * maxNumbers { // numbers without a name
		require.True(t, m.add(`"a": 1,`))
		require.Equal(t, n < maxNumbers, m.take() != "", n)
	}
	for range 2 * maxNumbers {
		require.True(t, m.add(`"b": 1,`) && m.add(`"c": "x"`) && m.add(`"d": 2`))
		require.Equal(t, `"b": 1, "c": "x", "d": 2`, m.take(), "a text is a name")
	}
	require.True(t, m.add(`"other": 1`))
	require.NotEmpty(t, m.take())
}
