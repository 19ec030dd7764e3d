package main

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"tamp/core/internal/convtest/texts"
	"tamp/core/tokens/estimate"
)

// The Bloom filter has room for about 25,000 keys before it has too many false positives. Words that occur in many
// fitted texts are added first; the rest of the room is for the most common tokens of the vocabulary, by kind, so that
// scripts that are rare in the texts get their part.
const maxFromTexts = 8000

var quota = map[string]int{
	"ascii": 10000, "caps": 600, "punctuation": 600, "word": 4000, "rune": 3000, "chinese pair": 1500, "pair": 1300,
}

// fillFilter adds words, runes, pairs of runes and runs of punctuation that are one token of the vocabulary.
func fillFilter(m *estimate.Model, vocabulary []texts.Token, list []texts.Text) error {
	fromTexts, err := documents(list)
	if err != nil {
		return err
	}
	seen := map[uint64]bool{}
	add := func(key uint64) {
		seen[key] = true
		m.Words.Add(key)
	}
	for _, key := range fromTexts {
		if len(seen) < maxFromTexts {
			add(key)
		}
	}
	empty := new(estimate.Model)
	taken := map[string]int{}
	for _, t := range vocabulary {
		if !utf8.ValidString(t.Text) {
			continue
		}
		var units []estimate.Unit
		estimate.Trace(empty, t.Text, func(u estimate.Unit) { units = append(units, u) })
		kind, key := kindOf(t.Text, units)
		if kind != "" && !seen[key] && taken[kind] < quota[kind] {
			add(key)
			taken[kind]++
		}
	}
	set := 0
	for _, w := range m.Words {
		set += bits.OnesCount64(w)
	}
	fmt.Printf("filter: %d keys of %d in several texts, %v of the vocabulary, %d of %d bits\n", len(seen)-sum(taken),
		len(fromTexts), taken, set, len(m.Words)*64)
	return nil
}

func sum(m map[string]int) int {
	n := 0
	for _, v := range m {
		n += v
	}
	return n
}

// documents returns the keys of units that are one token and occur in at least three fitted texts, the most frequent
// first.
func documents(list []texts.Text) ([]uint64, error) {
	in := map[uint64]int{}
	empty := new(estimate.Model)
	for _, t := range list {
		if t.Held {
			continue
		}
		starts, err := texts.Starts(t.Body)
		if err != nil {
			return nil, err
		}
		here := map[uint64]bool{}
		at := 0
		estimate.Trace(empty, t.Body, func(u estimate.Unit) {
			n := 0
			for at < len(starts) && starts[at] < u.End {
				at++
				n++
			}
			kind, _ := kindOf(strings.TrimRight(t.Body[u.Start:u.End], "\r\n"), []estimate.Unit{u})
			if kind != "" && n == 1 {
				here[u.Key] = true
			}
		})
		for key := range here {
			in[key]++
		}
	}
	var keys []uint64
	for key, n := range in {
		if n >= 3 {
			keys = append(keys, key)
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		return in[a] > in[b] || in[a] == in[b] && a < b
	})
	return keys, nil
}

// kindOf returns the kind of a token, which has a quota, and the key by which the walk looks it up. Words of one or two
// ASCII letters have no kind: they are nearly always one token, so the filter does not need them.
func kindOf(text string, units []estimate.Unit) (string, uint64) {
	body := strings.TrimPrefix(text, " ")
	first := units[0]
	switch n := utf8.RuneCountInString(body); {
	case n == 0:
		return "", 0
	case len(units) == 2 && n == 2 && first.Pair != 0:
		if r, _ := utf8.DecodeRuneInString(body); unicode.Is(unicode.Han, r) {
			return "chinese pair", first.Pair
		}
		return "pair", first.Pair // mostly Korean, whose pairs are rarer and would otherwise never precede the Chinese ones
	case len(units) != 1 || first.Key == 0:
		return "", 0
	case punctuation(body):
		if n < 2 || n > 8 {
			return "", 0
		}
		return "punctuation", first.Key
	case n == 1 && body[0] >= utf8.RuneSelf:
		return "rune", first.Key
	case !letters(body):
		return "", 0
	case len(body) > n:
		return "word", first.Key
	case n < 3:
		return "", 0
	case strings.ToUpper(body) == body:
		return "caps", first.Key
	}
	return "ascii", first.Key
}

func letters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return true
}

func punctuation(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7F || letters(s[i:i+1]) || unicode.IsDigit(rune(s[i])) {
			return false
		}
	}
	return true
}
