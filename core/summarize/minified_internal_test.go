package summarize

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMinifiedJSONIsReadAsPrinted(t *testing.T) {
	long := strings.Repeat("x", maxLineLength)
	for _, row := range []struct {
		text string
		want []string
	}{
		{`[{"title":"A, B: {C}","tags":["a","b"],"image":{"width":140,"height":65}},{"title":"` + long + `"}]`, []string{
			betweenObjects, `"title": "A, B: {C}"`, `"tags": ["a", "b"]`, betweenObjects, `"width": 140`, `"height": 65`,
			betweenObjects, betweenObjects, betweenObjects, `"title": "` + long + `"`, betweenObjects, "]"}},
		{`{ "quote": "she said \"no, {not} [now]\"", "rest": "` + long, []string{ // the end is missing
			betweenObjects, `"quote": "she said \"no, {not} [now]\""`, `"rest": "` + long}},
		{`{"a":1,"b":[{"c":2}],"path":"C:\\` + long + `\`, []string{
			betweenObjects, `"a": 1`, betweenObjects, `"c": 2`, betweenObjects, "]", `"path": "C:\\` + long + `\`}},
		{`[12:03:04] {"a":1} ` + long, nil},
		{`{"a":1,"b":2}`, nil}, // short
		{`{var a=1,b=2;` + long + `}`, nil},
	} {
		if row.want == nil {
			require.False(t, isMinified(row.text), row.text)
			continue
		}
		require.True(t, isMinified(row.text), row.text)
		var got []string
		for line := range unquotedLines(row.text) {
			got = append(got, line)
		}
		require.Equal(t, row.want, got, row.text)
	}
}

// Each letter of an object without other objects is in a line, also if the end of the object is missing.
func TestPrintedLinesKeepTheMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.MapOf(rapid.StringN(1, 9, -1), rapid.OneOf(rapid.Int().AsAny(), rapid.StringN(0, 99, -1).AsAny(),
			rapid.SliceOf(rapid.String()).AsAny())).Draw(t, "members")
		raw, err := json.Marshal(members)
		require.NoError(t, err)
		cut := raw[:rapid.IntRange(0, len(raw)).Draw(t, "length")]
		var got strings.Builder
		printedLines(string(cut), func(line string) bool {
			got.WriteString(line)
			return true
		})
		without := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune(" \t\r\n{},:", r) {
					return -1
				}
				return r
			}, s)
		}
		require.Equal(t, without(string(cut)), without(got.String()))
		stopped := 0
		printedLines(string(raw), func(string) bool {
			stopped++
			return false
		})
		require.Equal(t, 1, stopped)
	})
}
