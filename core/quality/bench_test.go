package quality_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/quality"
)

// BenchmarkCompare compares 4 MB with their newest tenth, and with all but their oldest tenth.
func BenchmarkCompare(b *testing.B) {
	data := convtest.Big(4 << 20)
	c, err := format.Parse(data, "")
	require.NoError(b, err)
	n := len(c.Messages)
	for name, from := range map[string]int{"tenth kept": n * 9 / 10, "tenth removed": n / 10} {
		after := c.WithMessages(c.Messages[from:])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				quality.Compare(c, after)
			}
		})
	}
}
