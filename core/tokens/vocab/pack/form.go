package main

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// formTable writes what Unicode's normalization form KC needs, as package bpe reads it (form.go there).
func formTable() []byte {
	var out []byte
	number := func(n rune) { out = binary.AppendUvarint(out, uint64(n)) }
	table := func(rows [][]byte) {
		number(rune(len(rows)))
		for _, row := range rows {
			out = append(out, row...)
		}
	}
	table(decompositions())
	table(classes())
	table(composites())
	return out
}

// The algorithm knows the Hangul syllables without a table.
func hangul(r rune) bool { return r >= 0xAC00 && r < 0xAC00+11172 }

const lastRune = 0x30000

func decompositions() (rows [][]byte) {
	last := rune(0)
	for r := range rune(lastRune) {
		d := norm.NFKD.String(string(r))
		if !utf8.ValidRune(r) || hangul(r) || d == string(r) {
			continue
		}
		row := binary.AppendUvarint(nil, uint64(r-last))
		row = binary.AppendUvarint(row, uint64(len(d)))
		rows = append(rows, append(row, d...))
		last = r
	}
	return rows
}

// What the form does with a code point besides ordering it, by the numbers that package bpe has for it.
const (
	joins   = 255
	changes = 254
)

func classes() (rows [][]byte) {
	last := rune(0)
	for r := rune(0); r < lastRune; r++ {
		class := known(r)
		if class == 0 {
			continue
		}
		end := r + 1
		for end < lastRune && known(end) == class {
			end++
		}
		row := binary.AppendUvarint(nil, uint64(r-last))
		row = binary.AppendUvarint(row, uint64(end-r))
		rows = append(rows, binary.AppendUvarint(row, uint64(class)))
		last, r = end, end-1
	}
	return rows
}

func known(r rune) uint8 {
	if !utf8.ValidRune(r) {
		return 0
	}
	s := string(r)
	first, _ := utf8.DecodeRuneInString(norm.NFKD.String(s))
	switch class := combining(r); {
	case class != 0:
		return class
	case first != r && !hangul(r) && known(first) != 0 && known(first) != changes:
		return joins
	case r >= 0x1161 && r <= 0x1175, r >= 0x11A8 && r <= 0x11C2: // vowels and finals of Hangul
		return joins
	case !norm.NFKC.PropertiesString(s).BoundaryBefore():
		return joins
	case norm.NFKC.String(s) != s:
		return changes
	}
	return 0
}

func combining(r rune) uint8 { return norm.NFC.PropertiesString(string(r)).CCC() }

// composites finds the pairs that become one: where a code point comes back after it was taken apart, all its parts but the last
// are the first of the pair.
func composites() (rows [][]byte) {
	type pair struct{ first, second, to rune }
	var pairs []pair
	for r := range rune(lastRune) {
		d := []rune(norm.NFD.String(string(r)))
		if !utf8.ValidRune(r) || hangul(r) || len(d) < 2 || norm.NFC.String(string(r)) != string(r) {
			continue
		}
		first := []rune(norm.NFC.String(string(d[:len(d)-1])))
		if len(first) != 1 {
			panic("a composite of more than two")
		}
		pairs = append(pairs, pair{first[0], d[len(d)-1], r})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second)) })
	last := rune(0)
	for _, p := range pairs {
		row := binary.AppendUvarint(nil, uint64(p.first-last))
		row = binary.AppendUvarint(row, uint64(p.second))
		rows = append(rows, binary.AppendUvarint(row, uint64(p.to)))
		last = p.first
	}
	return rows
}
