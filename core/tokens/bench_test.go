package tokens

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkEstimate measures the walk on our own texts of every class and, if the corpus is present, on its files as
// they are (JSON included).
func BenchmarkEstimate(b *testing.B) {
	corpus := os.Getenv("TAMP_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/data"
	}
	for _, set := range []struct{ name, pattern string }{
		{"own", "fit/texts/testdata/*.txt"},
		{"english", "fit/texts/testdata/english.txt"},
		{"chinese", "fit/texts/testdata/chinese.txt"},
		{"go", "fit/texts/testdata/go.txt"},
		{"conversations", filepath.Join(corpus, "*", "*.json*")},
	} {
		body := joined(b, set.pattern)
		if body == "" {
			b.Logf("%s: absent", set.name)
			continue
		}
		b.Run(set.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				Estimate.Count(body)
			}
		})
	}
	b.Run("letters", func(b *testing.B) {
		body := strings.Repeat("a", 1<<20)
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			Estimate.Count(body)
		}
	})
}

func joined(b *testing.B, pattern string) string {
	names, err := filepath.Glob(pattern)
	require.NoError(b, err)
	var all strings.Builder
	for _, name := range names {
		raw, err := os.ReadFile(name)
		require.NoError(b, err)
		all.Write(raw)
	}
	body := all.String()
	for body != "" && len(body) < 1<<18 {
		body += body // so that the start of a walk does not matter
	}
	return body
}
