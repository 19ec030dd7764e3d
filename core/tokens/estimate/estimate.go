// Package estimate counts the tokens of a text without a vocabulary: a walk cuts the text into units, and a table of
// fitted weights gives the tokens of each unit. The program in ./fit writes the table (make fit).
//
// It is not a part of the API (see package core).
package estimate

import (
	"math/bits"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// The rules of the walk.
//   - It cuts the text as the split pattern of o200k does: a word with the one character before it, three digits, a run
//     of punctuation with the space before and the newlines after it, a run of white space.
//   - A piece becomes one or more units. The visible properties of a unit (length, case, the character before it,
//     whether the Bloom filter has it) select one cell. The unit costs the weight of the cell: the mean number of
//     tokens of such units in the texts of the fit.
//   - unknownWordRate is a decaying average of how many of the last words were not in the filter. It separates prose in
//     a common language from base64, hashes and languages with few tokens, in which an unknown word of the same length
//     costs more.
//   - A word within nonEnglishReach of a word with letters like é counts as non-English. Such words cost more.
//
// Two implementations return the same counts: by the byte (this file), which defines the rules, and by windows of 64
// bytes (window.go), which is about twice as fast on text that is mostly ASCII.

// Count returns the estimated tokens of a text. No vocabulary makes more tokens than bytes; a weight that was
// fitted to a few rare letters might.
func Count(text string) int { return min(fitted.walk(text, nil), len(text)) }

// Model is the result of the fit. Estimate uses the one in weights.go; only the fitting program makes others.
type Model struct {
	Words   bloomFilter
	Weights [weightSlots]uint16 // of the cells
}

// bloomFilter is a Bloom filter of the keys of common words, with two bits in one 64-bit word for each key.
type bloomFilter [1 << 11]uint64

// weightSlots is a power of two larger than the number of cells, so that a masked index needs no bounds check.
const weightSlots = 1 << 14

// Unit is one step of the walk, as Trace reports it.
type Unit struct {
	Cell       int // index into Model.Weights
	N          int // factor of the weight
	Start, End int // the span in the text, in bytes
	Key        uint64
	Pair       uint64 // key of this rune with the next one, or 0
}

// Trace counts text with m and calls visit for each unit in order. The fitting program uses it to find the units of
// each cell.
func Trace(m *Model, text string, visit func(Unit)) int { return m.walk(text, visit) }

// WeightOfOne is the weight of one token.
const WeightOfOne = 128

// Add adds a key.
func (k *bloomFilter) Add(key uint64) {
	x := key * swar.FibonacciMultiplier
	k[x>>53] |= 1<<(x>>47&63) | 1<<(x>>41&63)
}

// has returns 1 if the key was added, else 0, and 1 by mistake for one other key in eight.
func (k *bloomFilter) has(key uint64) uint {
	x := key * swar.FibonacciMultiplier
	word := k[x>>53]
	return uint(word >> (x >> 47 & 63) & (word >> (x >> 41 & 63)) & 1)
}

// walkState is the part of the words so far that changes the cell of the next one.
type walkState struct {
	unknownWordRate uint // a decaying average of unknown words, 0 to 255
	nonEnglishUntil int  // the offset up to which words count as another language's
}

// nonEnglish returns 1 if a word begins before the offset until, else 0.
func nonEnglish(word, until int) uint { return uint(word-until) >> 63 }

// nonEnglishReach is the number of bytes after a word with letters like é in which words count as non-English: most
// languages with such letters have few sentences that are so long without one.
const nonEnglishReach = 128

// initialUnknownWordRate is the rate before the first word: as if one word in four had been unknown.
const initialUnknownWordRate = 64

// walk counts the tokens of s. If visit is nil it uses windows, which are faster.
func (m *Model) walk(s string, visit func(Unit)) int {
	i, sum, state := 0, 0, walkState{unknownWordRate: initialUnknownWordRate}
	if visit == nil && len(s) > windowBytes {
		i, sum = m.windows(s, &state)
	}
	_, rest := m.bytes(s, i, len(s), &state, visit)
	return (sum + rest + WeightOfOne - 1) / WeightOfOne
}

// bytes weighs the units of s that begin in [i, to). It returns the end of the last unit, which may be after to, and
// the weight.
func (m *Model) bytes(s string, i, to int, state *walkState, visit func(Unit)) (int, int) {
	sum := 0
	for i < to {
		start, word := i, i
		lead := uint(leadOf[s[i]])
		if lead != leadNone {
			word++
		}
		x := loadTail64(s, word)
		end := wordEnd(x)
		if lead > leadOther || end&0x80 != 0 {
			if end&0x80 != 0 || lead == leadNever || lead == leadSlash && isEscape(byte(x)) {
				var cost int
				i, cost = m.other(s, i, state, visit)
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
			i, cost = m.scriptWord(s, start, word, state, visit)
			sum += cost
			continue
		}
		shape := shapeOf(uint(capitals), uint(n))
		key = wordKey(key, lead, shape)
		known := m.Words.has(key)
		cell := wordCell(nonEnglish(word, state.nonEnglishUntil), lead, shape, uint(min(n, maxLetters)), known,
			state.unknownWordRate)
		sum += int(m.Weights[cell])
		state.unknownWordRate += 31*(1-known) - state.unknownWordRate>>3
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

// wordKey makes different keys of words with the same letters if the vocabulary distinguishes them: it changes the two
// highest bits, which are the same in all letters.
func wordKey(letters uint64, lead, shape uint) uint64 {
	return letters ^ (uint64(shape>>1)<<63 | (uint64(lead^leadSpace)-1)&(1<<62))
}

// wordCell is the cell of a word of n letters, maxLetters at most.
func wordCell(nonEnglish, lead, shape, n, known, unknownWordRate uint) uint {
	return cellWord + ((((nonEnglish*leads+lead)*shapes+shape)*maxLetters+n-1)*2+known)*unknownWordLevels +
		unknownWordRate>>6
}

// wordEnd marks each byte that ends the word before it: a byte that is not a letter, or a capital after a lower-case
// letter. The first byte is marked only if it is not a letter.
func wordEnd(x uint64) uint64 {
	capital := ^(x << 2) & swar.Highs // the bit that capitals do not have, moved to the highest
	return swar.Highs&^swar.Between(x|swar.Ones*' ', 'a', 'z') | capital&^(capital<<8)&^0x80
}

// long measures the word at i, of which key has the first eight letters. It returns the number of letters, the number
// of capitals at the start, the key of the whole word, and the byte after it.
func long(s string, i, capitals int, key uint64) (n, caps int, whole uint64, next byte) {
	for n = 8; ; {
		x := loadTail64(s, i+n)
		end := wordEnd(x)
		if s[i+n-1]&' ' > byte(x)&' ' {
			end |= 0x80
		}
		more := min(bits.TrailingZeros64(end)/8, 8)
		if capitals == n {
			capitals += bits.TrailingZeros64(x<<2&swar.Highs|end) / 8
		}
		if more > 0 {
			key = key*swar.FibonacciMultiplier ^ (x|swar.Ones*' ')<<(uint(64-8*more)&63)
		}
		if n += more; end != 0 {
			return n, capitals, key, byte(x >> (uint(8*more) & 63))
		}
	}
}

// suffix returns the number of letters of an English contraction ('s, 't, 're …) at the start of s, which o200k keeps
// with the word, or 0.
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
