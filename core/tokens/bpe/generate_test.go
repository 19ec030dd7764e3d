//go:build !js

package bpe_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestGenerated compares on texts of every category of Unicode, mixed with the characters that the patterns name.
func TestGenerated(t *testing.T) {
	for _, b := range load() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { b.agree(t, mixed.Draw(t, "text")) })
		})
	}
}

// TestCategories compares each category by itself, with its code points in every position of a pattern.
func TestCategories(t *testing.T) {
	each(t, func(t *testing.T, b both) {
		t.Parallel()
		for _, name := range categories {
			var text strings.Builder
			n := 0
			for r := range runes(unicode.Categories[name]) {
				if n++; n%101 != 0 && !all {
					continue // Lo alone has 130,000
				}
				for _, frame := range []string{"", "a", "A", " ", "!", "1", "\n", "'"} {
					text.WriteString(frame)
					text.WriteRune(r)
				}
				text.WriteString("a1 \u00e9\n")
			}
			b.agree(t, text.String())
		}
	})
}

var categories = func() (names []string) {
	for name := range unicode.Categories {
		if len(name) == 2 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}()

func runes(table *unicode.RangeTable) func(yield func(rune) bool) {
	return func(yield func(rune) bool) {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				if !yield(c) {
					return
				}
			}
		}
		for _, r := range table.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// mixed draws a text of pieces: code points of one category, ASCII, characters that the patterns name, invalid bytes,
// long runs.
var mixed = rapid.Custom(func(t *rapid.T) string {
	var text strings.Builder
	for range rapid.IntRange(0, 40).Draw(t, "pieces") {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			table := unicode.Categories[rapid.SampledFrom(categories).Draw(t, "category")]
			for range rapid.IntRange(1, 5).Draw(t, "runes") {
				text.WriteRune(draw(t, table))
			}
		case 1:
			text.WriteString(rapid.StringMatching(`[ -~\n\t]{0,12}`).Draw(t, "ascii"))
		case 2:
			text.WriteString(rapid.SampledFrom(named).Draw(t, "named"))
		case 3:
			text.WriteString(rapid.StringMatching(`[ !]?[A-Za-z]{1,20}`).Draw(t, "word"))
		case 4:
			text.Write(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "bytes"))
		case 5:
			unit := rapid.SampledFrom(named).Draw(t, "unit")
			text.WriteString(strings.Repeat(unit, rapid.IntRange(1, 60).Draw(t, "times")))
		}
	}
	return text.String()
})

var named = []string{"'s", "'S", "'re", "'LL", "'", "'ſ", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u0085",
	"/", "//", "a", "A", "aA",
	"1", "²", "中", "文字", "か", "한", "я", "\u0301", "ǅ", "ʰ", "😀", "\u200d", "\ufeff", "\ufffd", "_", "-", "=", "\x00",
	"<|endoftext|>", "ﬁ", ",", "e\u0301"}

// draw picks a range, then a rune of it, so that small ranges are as frequent as large ones.
func draw(t *rapid.T, table *unicode.RangeTable) rune {
	n := rapid.IntRange(0, len(table.R16)+len(table.R32)-1).Draw(t, "range")
	if n < len(table.R16) {
		r := table.R16[n]
		return rune(r.Lo) + rune(r.Stride)*rapid.Int32Range(0, int32((r.Hi-r.Lo)/r.Stride)).Draw(t, "rune")
	}
	r := table.R32[n-len(table.R16)]
	return rune(r.Lo) + rune(r.Stride)*rapid.Int32Range(0, int32((r.Hi-r.Lo)/r.Stride)).Draw(t, "rune")
}
