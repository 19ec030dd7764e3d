package rawjson_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
)

func TestLineLength(t *testing.T) {
	breaks := 0
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"a", "plain text of more than eight bytes", "é", "世界", "🙂", "\xff", "\xe4\xb8", "\x7f", `\n`, `\"`}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "text"), "")
		space := rapid.SampledFrom([]string{"", " ", "\t", "\n", "\r\n  "}).Draw(t, "space")
		raw := rawjson.Value("{" + space + `"key":` + space + `"` + text + `"` + "}")
		if len(raw.Line()) < len(raw) {
			breaks++
		}
		require.Equal(t, utf8.RuneCount(raw.Line()), raw.LineLength())
	})
	require.NotZero(t, breaks)
}
