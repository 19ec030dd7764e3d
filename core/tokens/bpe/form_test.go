//go:build !js

package bpe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"tamp/core/tokens/vocab"
)

// TestForm compares form KC with golang.org/x/text: each code point by itself, after a letter, and in random company.
func TestForm(t *testing.T) {
	claude := must(vocab.Claude())
	same := func(t require.TestingT, text string) {
		got, _ := claude.Formed(text)
		require.Equal(t, norm.NFKC.String(text), got, "%+q", text)
	}
	for r := range rune(0x110000) {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		c := string(r)
		if form := norm.NFKC.String(c); form != c || norm.NFC.PropertiesString(c).CCC() != 0 || r < 0x3000 {
			same(t, c)
			same(t, "xé"+c+"a\u0301"+c+c+"\u0327")
		} else if got, changes := claude.Formed(c); got != c || changes != nil {
			t.Fatalf("%U became %+q", r, got)
		}
	}
	// The runes that the form does something with, and letters that they join.
	var special []rune
	for r := range rune(0x30000) {
		p := norm.NFKC.PropertiesString(string(r))
		if !p.BoundaryBefore() || norm.NFKC.String(string(r)) != string(r) || p.Decomposition() != nil {
			special = append(special, r)
		}
	}
	special = append(special, []rune("aeoAEO ()\n\u0928\u1100\u1112\u1161\u1175\u11a8\u11c2\uac00\uac01")...)
	rapid.Check(t, func(t *rapid.T) {
		// The reference breaks runs of more than 30 marks, as no JavaScript engine does.
		same(t, string(rapid.SliceOfN(rapid.SampledFrom(special), 0, 28).Draw(t, "text")))
	})
}

func TestChanges(t *testing.T) {
	claude := must(vocab.Claude())
	form, changes := claude.Formed("aﬁbe\u0301\xff!")
	require.Equal(t, "afib\u00e9\ufffd!", form)
	require.Equal(t, [][4]int{{1, 4, 1, 3}, {5, 8, 4, 6}, {8, 9, 6, 9}}, changes)
	same, changes := claude.Formed("Łódź, 中文。 가")
	require.Equal(t, "Łódź, 中文。 가", same)
	require.Empty(t, changes)
	long := strings.Repeat("\u0301\u0327", 1<<17) // many marks on nothing: order costs n log n
	form, _ = claude.Formed(long)
	require.Equal(t, strings.Repeat("\u0327", 1<<17)+strings.Repeat("\u0301", 1<<17), form)
}
