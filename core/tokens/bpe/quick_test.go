package bpe

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/internal/swar"
)

// The pieces that are found eight bytes at a time are those of the whole pattern.
func TestQuickPieces(t *testing.T) {
	kinds := newClasses()
	o200k := &Vocabulary{next: (*classes).o200k, capitals: true, lead: newLead(kinds, "o200k_base"), kinds: kinds}
	cl100k := &Vocabulary{next: (*classes).cl100k, lead: newLead(kinds, "cl100k_base"), kinds: kinds}
	parts := []string{"a", "B", "word", "Word", "WORDS", "longerWord", "1", "12", "1234",
		" ", "  ", "\t", "\n", "\r", "\n\n", "\v", "\f",
		"'", "'s", "'LL", "/", "//", ".", ",", "(", ")}", "{\"", "_", "-", "==", "\x00", "\x1c", "\x7f", "é", "世",
		"٣", "\u0301", "\u00a0", "\u3000", "\u2028", "🙂"}
	found := map[string]int{}
	convtest.SetCases(t, 5000) // each takes microseconds; with 40, which are left as wasm, one kind may not occur
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 20).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "ASCII") {
			text = string(rapid.SliceOfN(rapid.ByteMax(0x7F), 0, 40).Draw(t, "text"))
		}
		for _, v := range []*Vocabulary{o200k, cl100k} {
			for i := 0; i < len(text); i = v.next(kinds, text, i) {
				if i+16 > len(text) {
					break
				}
				w, kind := swar.Load(text, i), "word"
				n := v.lead.plainWord(w, text, i, v.capitals)
				if n == 0 {
					n, kind = v.plainOther(w), "other"
				}
				if n > 0 {
					require.Equal(t, v.next(kinds, text, i), i+int(n), "%q at %d", text, i)
					found[kind]++
				}
			}
		}
	})
	require.NotZero(t, found["word"])
	require.NotZero(t, found["other"])
}
