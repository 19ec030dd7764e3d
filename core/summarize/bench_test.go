package summarize_test

import (
	"testing"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/summarize"
)

func BenchmarkSummarize4MB(b *testing.B)  { benchmark(b, 4<<20) }
func BenchmarkSummarize40MB(b *testing.B) { benchmark(b, 40<<20) }

func benchmark(b *testing.B, size int) {
	data := convtest.Big(size)
	c, err := format.Parse(data, "")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		summarize.Summarize(c, msg.Span{Start: 1, End: len(c.Messages)}, summarize.Options{MaxTokens: size / 4 / 5})
	}
}
