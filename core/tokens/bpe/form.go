package bpe

import "unicode/utf8"

// form holds what Unicode's normalization form KC needs to know. Its table comes with the vocabulary that wants it, so
// that the engine of those who want another is smaller:
//
//	uvarint  number of decompositions; for each the code point less the last, the length of the string, the string: all
//	         code points but Hangul syllables that have one, each in full
//	uvarint  number of ranges; for each the first code point less the end of the last, how many, and what is known of
//	         them: their combining class, or joins or changes
//	uvarint  number of compositions; for each the first code point less the last, the second, what they become; in order
type form struct {
	runes  []uint64 // that decompose, in order
	stops  []uint32
	blob   string
	pairs  []uint64 // first << 32 | second, in order
	to     []rune
	combin [formRunes]uint8
}

// No code point beyond the third plane has a decomposition or a combining class.
const formRunes = 0x30000

// Beside combining classes (1 to 240), what is known of a code point. 0: it stays as it is, and so does what is before it.
const (
	joins   = 255 // class 0, but it can become one with what is before it
	changes = 254 // class 0, it becomes another, whatever is before it
	bad     = 253 // no code point at all; no table says so
)

// The algorithm for Hangul, by the names of the Unicode standard.
const (
	sBase, lBase, vBase, tBase     = 0xAC00, 0x1100, 0x1161, 0x11A7
	lCount, vCount, tCount, sCount = 19, 21, 28, 19 * 21 * 28
)

func newForm(data string) (*form, error) {
	if len(data) == 0 {
		return nil, nil
	}
	f := new(form)
	r := reader{rest: data}
	last := 0
	var blob []byte
	for range r.number(formRunes) {
		delta := r.number(formRunes - last)
		last += delta
		to := r.bytes(r.number(256))
		if delta == 0 || len(to) == 0 || !utf8.ValidString(to) {
			return nil, badForm()
		}
		blob = append(blob, to...)
		f.runes = append(f.runes, uint64(last))
		f.stops = append(f.stops, uint32(len(blob)))
	}
	f.blob = string(blob)
	last = 0
	for range r.number(formRunes) {
		last += r.number(formRunes - last)
		n := r.number(formRunes - last)
		class := r.number(256)
		if n == 0 {
			return nil, badForm()
		}
		for range n {
			f.combin[last] = uint8(class)
			last++
		}
	}
	last = 0
	for range r.number(formRunes) {
		last += r.number(formRunes - last)
		key := uint64(last)<<32 | uint64(r.number(formRunes))
		if n := len(f.pairs); r.broken || n > 0 && f.pairs[n-1] >= key {
			return nil, badForm()
		}
		f.pairs = append(f.pairs, key)
		f.to = append(f.to, rune(r.number(formRunes)))
	}
	if r.broken || len(r.rest) > 0 {
		return nil, badForm()
	}
	return f, nil
}

func badForm() error { return cannotLoad("its form table is broken") }

// decomposition returns what r is made of, and nothing where it is itself.
func (f *form) decomposition(r rune) string {
	i := search(f.runes, uint64(r))
	if i < 0 {
		return ""
	}
	start := uint32(0)
	if i > 0 {
		start = f.stops[i-1]
	}
	return f.blob[start:f.stops[i]]
}

// composite returns what a and b become together, and 0 where they stay two.
func (f *form) composite(a, b rune) rune {
	switch {
	case a >= lBase && a < lBase+lCount && b >= vBase && b < vBase+vCount:
		return sBase + ((a-lBase)*vCount+b-vBase)*tCount
	case a >= sBase && a < sBase+sCount && (a-sBase)%tCount == 0 && b > tBase && b < tBase+tCount:
		return a + b - tBase
	}
	if i := search(f.pairs, uint64(a)<<32|uint64(b)); i >= 0 {
		return f.to[i]
	}
	return 0
}

// search returns where key is in an ordered list, -1 where it is not.
func search(list []uint64, key uint64) int {
	low, high := 0, len(list)
	for low < high {
		if middle := (low + high) / 2; list[middle] < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(list) && list[low] == key {
		return low
	}
	return -1
}
