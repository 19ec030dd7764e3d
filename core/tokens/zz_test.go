package tokens

import (
	"os"
	"testing"
)

func BenchmarkReal(b *testing.B) {
	d, _ := os.ReadFile("/tmp/real.txt")
	s := string(d)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Estimate.Count(s)
	}
}
