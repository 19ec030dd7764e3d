//go:build !js

package bpe_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/texts"
	"tamp/core/tokens/vocab"
)

// BenchmarkCount measures the counters and tiktoken-go on the same texts in the same run: our counters on all of each
// class, the reference on its first half megabyte.
func BenchmarkCount(b *testing.B) {
	classes := benchTexts(b)
	for _, pair := range load() {
		for _, class := range classes {
			b.Run(pair.name+"/"+class.Name, func(b *testing.B) {
				counter := pair.ours.Counter()
				b.SetBytes(int64(len(class.Body)))
				b.ReportAllocs()
				for b.Loop() {
					counter.Count(class.Body)
				}
				ours := float64(len(class.Body)) * float64(b.N) / b.Elapsed().Seconds()
				half := class.Body[:min(len(class.Body), 1<<19)]
				began := time.Now()
				pair.reference.EncodeOrdinary(half)
				theirs := float64(len(half)) / time.Since(began).Seconds()
				b.ReportMetric(ours/theirs, "×tiktoken-go")
			})
		}
	}
}

// BenchmarkLoad measures Load.
func BenchmarkLoad(b *testing.B) {
	for _, name := range vocab.Names() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must(vocab.Load(name))
			}
		})
	}
}

func benchTexts(b *testing.B) []texts.Text {
	own, err := texts.Own()
	require.NoError(b, err)
	bodies := map[string]string{}
	for _, text := range own {
		class := text.Class
		if !slices.Contains([]string{"english", "chinese", "go"}, class) {
			class = "others" // nine languages, natural and programming ones
		}
		bodies[class] += text.Body
	}
	var list []texts.Text
	for _, class := range slices.Sorted(maps.Keys(bodies)) {
		list = append(list, texts.Text{Name: class, Body: repeat(bodies[class])})
	}
	paths, err := filepath.Glob(filepath.Join(convtest.CorpusRoot(), "*", "*.json*"))
	require.NoError(b, err)
	var visible strings.Builder
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(b, err)
		visible.WriteString(strings.Join(texts.Visible(raw), "\n"))
	}
	if visible.Len() > 0 {
		list = append(list, texts.Text{Name: "conversations", Body: visible.String()})
	}
	return list
}

func repeat(body string) string { return strings.Repeat(body, 1+(1<<18)/len(body)) }

// BenchmarkOnce measures the counter on the parts of the file that TAMP_TEXT names, each counted once, as
// wasm/npm/bench/peers.mjs does as wasm.
func BenchmarkOnce(b *testing.B) {
	text, err := os.ReadFile(os.Getenv("TAMP_TEXT"))
	if err != nil {
		b.Skip("TAMP_TEXT names no file")
	}
	part := len(text) / 3
	b.SetBytes(int64(part))
	i := 0
	var counter interface{ Count(string) int }
	for b.Loop() {
		if i%3 == 0 {
			b.StopTimer()
			counter = must(vocab.Load("o200k_base")).Counter()
			b.StartTimer()
		}
		counter.Count(string(text[i%3*part:][:part]))
		i++
	}
}
