package document

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
)

// Millionths reads each number as a program does that has floats, in every notation.
func TestMillionths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1e11).Draw(t, "n")
		x := float64(n) / 1e6
		for _, notation := range []byte("feE") {
			text := strconv.FormatFloat(x, notation, -1, 64)
			require.Equal(t, n, Millionths(rawjson.Value(text)), text)
		}
		fine := x + rapid.Float64Range(-4e-7, 4e-7).Draw(t, "rest")
		want := int(math.Round(fine * 1e6))
		got := Millionths(rawjson.Value(strconv.FormatFloat(math.Abs(fine), 'e', -1, 64)))
		require.InDelta(t, max(want, -want), got, 1)
	})
	for _, odd := range []string{"", "null", `"1"`, "-1", "1e99", "1e999999999", "1e-999999999", "1000000", "[1]", "0", "0.0000004"} {
		require.Zero(t, Millionths(rawjson.Value(odd)), odd)
	}
}
