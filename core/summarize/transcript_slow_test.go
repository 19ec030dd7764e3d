package summarize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
)

// slowWithoutData reads every byte.
func slowWithoutData(raw string) string {
	out, run := "", ""
	for _, c := range []byte(raw) {
		if strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=-_", c) >= 0 {
			run += string(rune(c))
			continue
		}
		out, run = out+shortRun(run)+string([]byte{c}), ""
	}
	return out + shortRun(run)
}

func shortRun(run string) string {
	if len(run) >= minData {
		return "(data)"
	}
	return run
}

func TestWithoutDataAgreesWithTheSlowReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var raw strings.Builder
		for range rapid.IntRange(0, 6).Draw(t, "runs") {
			// Around minData, and far below.
			length := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(minData-2, minData+2), rapid.IntRange(0, 3*minData))
			raw.WriteString(strings.Repeat(rapid.SampledFrom([]string{"a", "Z", "0", "/", "_"}).Draw(t, "byte"),
				length.Draw(t, "length")))
			raw.WriteString(rapid.SampledFrom([]string{"", "\"", " ", "é", "\\n"}).Draw(t, "between"))
		}
		require.Equal(t, slowWithoutData(raw.String()), string(withoutData(rawjson.Value(raw.String()))))
	})
}
