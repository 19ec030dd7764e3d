package tokens

import (
	"os"
	"testing"

	"tamp/core/tokens/fit/texts"
)

func BenchmarkEstimate(b *testing.B) {
	list, _ := texts.Corpus("../../../shared/data")
	body := ""
	for _, t := range list {
		body += t.Body
	}
	_ = os.Args
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Estimate.Count(body)
	}
}
