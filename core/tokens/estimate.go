package tokens

import (
	"math/bits"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// The rules of the walk.
//   - It cuts the text as the split pattern of o200k does: a word with the one character before it, three digits, a run
//     of punctuation with the space before and the newlines after it, a run of white space.
//   - A piece becomes one unit, or a few; a unit falls into one cell by what can be seen of it (length, case, what
//     stands before it, whether the sketch knows it), and costs the cell's weight: the mean number of tokens of such
//     units in the texts of the fit.
//   - Heat is how many of the last few words were unknown to the sketch. It tells prose in a well known language from
//     base64, hashes and languages with few tokens, where an unknown word of the same length costs more.
//   - A word not long after one with letters like é is one of another language than English, where words cost more too.
//
// There are two walks, and they agree to the bit: by the byte (this file), which is where the rules are, and by windows of 64 bytes
// (estimate_window.go), which is about twice as fast on what is mostly ASCII.

type estimate string

// Estimate is the default counter: within a few percent of o200k_base on what agent sessions hold, and above it rather
// than below. It knows no vocabulary, only weights and a 16 KB sketch of the commonest words.
const Estimate = estimate("estimate")

func (e estimate) Name() string { return string(e) }

func (e estimate) Count(text string) int {
	// No byte-pair vocabulary makes more tokens than bytes; a weight that was learned from a handful of rare letters might.
	return min(fitted.walk(text, nil), len(text))
}

// Model is what the fit makes and Estimate walks with. Only the fitting program has a use for another than the shipped one.
type Model struct {
	Words   Sketch
	Weights [weightSlots]uint16 // of the cells
}

// Sketch holds the keys of common words: a Bloom filter, two bits of one word for each key.
type Sketch [1 << 11]uint64

// weightSlots is more than there are cells, and a power of two, so that an index needs no check.
const weightSlots = 1 << 14

// Unit is one step of the walk, as Trace shows it.
type Unit struct {
	Cell       int // index into Model.Weights
	N          int // how often the weight is taken
	Start, End int // the bytes of the text
	Key        uint64
	Pair       uint64 // key of this rune with the one after it; 0 where it has none
}

// Trace counts text with m and shows each unit to visit. It is how the fitting program learns what falls into which cell.
func Trace(m *Model, text string, visit func(Unit)) int { return m.walk(text, visit) }

// WeightOfOne is the weight of one token.
const WeightOfOne = 128

// Learn marks a key.
func (k *Sketch) Learn(key uint64) {
	x := key * spread
	k[x>>53] |= 1<<(x>>47&63) | 1<<(x>>41&63)
}

// knows is 1 where the key was learned, and for one other key in eight.
func (k *Sketch) knows(key uint64) uint {
	x := key * spread
	word := k[x>>53]
	return uint(word >> (x >> 47 & 63) & (word >> (x >> 41 & 63)) & 1)
}

// spread is 2^64 divided by the golden ratio, made odd: multiplying by it carries the low bits of a key into the high ones.
const spread = 0x9E3779B97F4A7C15

// mood is what the words so far say about the next one.
type mood struct {
	heat   uint
	accent int // up to where words count as another language's
}

// accented is 1 for a word that begins before accent.
func accented(word, accent int) uint { return uint(word-accent) >> 63 }

// accentReach is how far from a word with letters like é the next ones are its language's, in bytes; in most languages with such
// letters, few sentences are that long without one.
const accentReach = 128

// heatStart is the heat before the first word: as if one word in four had been unknown.
const heatStart = 64

// walk counts text; where visit is nil, as quickly as it can.
func (m *Model) walk(s string, visit func(Unit)) int {
	i, sum, now := 0, 0, mood{heat: heatStart}
	if visit == nil && len(s) > windowRoom {
		i, sum = m.windows(s, &now)
	}
	_, rest := m.bytes(s, i, len(s), &now, visit)
	return (sum + rest + WeightOfOne - 1) / WeightOfOne
}

// bytes weighs the units of s that begin from i on and before the byte at to. It returns where the last one ends, and the weight.
func (m *Model) bytes(s string, i, to int, now *mood, visit func(Unit)) (int, int) {
	sum := 0
	for i < to {
		start, word := i, i
		lead := uint(leadOf[s[i]])
		if lead != leadNone {
			word++
		}
		x := upToEight(s, word)
		end := wordEnd(x)
		if lead > leadOther || end&0x80 != 0 {
			if end&0x80 != 0 || lead == leadNever || lead == leadSlash && isEscape(byte(x)) {
				var cost int
				i, cost = m.other(s, i, now, visit)
				sum += cost
				continue
			}
			lead = leadOther
		}
		// A word of ASCII letters: capitals, then lower case.
		n, capitals := 8, bits.TrailingZeros64(x<<2&swar.Highs|end)/8
		key, next := x|swar.Ones*' ', byte(0)
		if end != 0 {
			n = bits.TrailingZeros64(end) / 8
			key <<= uint(64-8*n) & 63
			next = byte(x >> (uint(8*n) & 63))
		} else {
			n, capitals, key, next = long(s, word, capitals, key)
		}
		i = word + n
		if next >= utf8.RuneSelf && i < len(s) && wordGoesOn(s, i) {
			var cost int
			i, cost = m.scriptWord(s, start, word, now, visit)
			sum += cost
			continue
		}
		shape := shapeOf(uint(capitals), uint(n))
		key = wordKey(key, lead, shape)
		known := m.Words.knows(key)
		cell := wordCell(accented(word, now.accent), lead, shape, uint(min(n, maxLetters)), known, now.heat)
		sum += int(m.Weights[cell])
		now.heat += 31*(1-known) - now.heat>>3
		if visit != nil {
			visit(Unit{Cell: int(cell), N: 1, Start: start, End: min(i, word+maxLetters), Key: key})
		}
		if n > maxLetters {
			sum += (n - maxLetters) * int(m.Weights[cellRest+shape])
			if visit != nil {
				visit(Unit{Cell: int(cellRest + shape), N: n - maxLetters, Start: word + maxLetters, End: i})
			}
		}
		if next == '\'' && i+1 < len(s) {
			if t := suffix(s[i+1:]); t > 0 {
				sum += int(m.Weights[cellSuffix])
				if visit != nil {
					visit(Unit{Cell: cellSuffix, N: 1, Start: i, End: i + 1 + t})
				}
				i += 1 + t
			}
		}
	}
	return i, sum
}

// wordKey tells words of the same letters apart where the vocabulary does: in the highest bits, of which two are the same in all letters.
func wordKey(letters uint64, lead, shape uint) uint64 {
	return letters ^ (uint64(shape>>1)<<63 | (uint64(lead^leadSpace)-1)&(1<<62))
}

// wordCell is the cell of a word of n letters, maxLetters at most.
func wordCell(accented, lead, shape, n, known, heat uint) uint {
	return cellWord + ((((accented*leads+lead)*shapes+shape)*maxLetters+n-1)*2+known)*heats + heat>>6
}

// wordEnd marks each byte where a word ends that began before it: what is no letter, and a capital after a lower-case
// letter. The first byte is marked only where it is no letter.
func wordEnd(x uint64) uint64 {
	capital := ^(x << 2) & swar.Highs // the bit that a capital lacks, made the highest
	return swar.Highs&^swar.Between(x|swar.Ones*' ', 'a', 'z') | capital&^(capital<<8)&^0x80
}

// long measures the word at i whose first eight letters key holds: its letters, how many capitals it begins with, a key
// of it, and the byte after it.
func long(s string, i, capitals int, key uint64) (n, caps int, whole uint64, next byte) {
	for n = 8; ; {
		x := upToEight(s, i+n)
		end := wordEnd(x)
		if s[i+n-1]&' ' > byte(x)&' ' {
			end |= 0x80
		}
		more := min(bits.TrailingZeros64(end)/8, 8)
		if capitals == n {
			capitals += bits.TrailingZeros64(x<<2&swar.Highs|end) / 8
		}
		if more > 0 {
			key = key*spread ^ (x|swar.Ones*' ')<<(uint(64-8*more)&63)
		}
		if n += more; end != 0 {
			return n, capitals, key, byte(x >> (uint(8*more) & 63))
		}
	}
}

// suffix returns how many letters of s end an English contraction ('s, 't, 're …), which o200k keeps with the word.
func suffix(s string) int {
	switch s[0] | 32 {
	case 's', 't', 'm', 'd':
		return 1
	}
	if len(s) < 2 {
		return 0
	}
	switch [2]byte{s[0] | 32, s[1] | 32} {
	case [2]byte{'r', 'e'}, [2]byte{'v', 'e'}, [2]byte{'l', 'l'}:
		return 2
	}
	return 0
}
