package tokens

import "math/bits"

// The rules of the walk.
//   - It cuts the text as the split pattern of o200k does: a word with the one character before it, three digits, a run
//     of punctuation with the space before and the newlines after it, a run of white space.
//   - A piece becomes one unit, or a few; a unit falls into one cell by what can be seen of it (length, case, what
//     stands before it, whether the sketch knows it), and costs the cell's weight: the mean number of tokens of such
//     units in the texts of the fit.
//   - Heat is how many of the last few words were unknown to the sketch. It tells prose in a well known language from
//     base64, hashes and languages with few tokens, where an unknown word of the same length costs more.

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
	Words   [1 << 11]uint64 // a Bloom filter over the keys of common words, two bits each
	Weights [Cells]uint16   // 1/1024 tokens
}

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

// Learn marks a key in the sketch.
func (m *Model) Learn(key uint64) {
	x := key * spread
	m.Words[x>>53] |= 1 << (x >> 47 & 63)
	m.Words[x>>36&0x7FF] |= 1 << (x >> 30 & 63)
}

// spread is 2^64 divided by the golden ratio, made odd: multiplying by it mixes the low bits of a key into the high ones.
const spread = 0x9E3779B97F4A7C15

const weightOfOne = 1024

func (m *Model) known(key uint64) uint {
	x := key * spread
	return uint(m.Words[x>>53] >> (x >> 47 & 63) & (m.Words[x>>36&0x7FF] >> (x >> 30 & 63)) & 1)
}

// heatStart is the heat before the first word: as if one word in four had been unknown.
const heatStart = 64

func (m *Model) walk(s string, visit func(Unit)) int {
	sum := 0
	heat := uint(heatStart)
	for i := 0; i < len(s); {
		start, c := i, s[i]
		lead := uint(leadNone)
		if k := class[c]; k > upper {
			j := i + 1
			if k == digit {
				for j < len(s) && class[s[j]] == digit {
					j++
				}
				n := (j - i + 2) / 3
				sum += n * weightOfOne
				if visit != nil {
					visit(Unit{Cell: cellDigits, N: n, Start: i, End: j})
				}
				i = j
				continue
			}
			if j == len(s) || class[s[j]] > upper || k == newline || k == high {
				var cost int
				i, cost, heat = m.other(s, i, heat, visit)
				sum += cost
				continue
			}
			if c == '\\' && (s[j] == 'n' || s[j] == 't' || s[j] == 'r') {
				sum += int(m.Weights[cellEscape])
				if visit != nil {
					visit(Unit{Cell: cellEscape, N: 1, Start: i, End: j + 1})
				}
				i = j + 1
				continue
			}
			lead = uint(leadOf[c])
			i = j
		}
		// A word of ASCII letters: capitals, then lower case. The key holds five bits a letter, the same for both cases.
		word, caps := i, 0
		key := uint64(0)
		if class[s[i]] == upper {
			caps = 1
		}
		if i+8 < len(s) && (caps == 0 || class[s[i+1]] != upper) {
			x := eight(s, i)
			n := bits.TrailingZeros64(notLower(x|' ')) / 8 // the first letter may be a capital
			key = pack(x, n)
			i += n
		} else {
			for i < len(s) && class[s[i]] == upper {
				key = key<<5 | uint64(s[i]&31)
				i++
			}
			caps = i - word
		}
		for i < len(s) && class[s[i]] == lower {
			key = key<<5 | uint64(s[i]&31)
			i++
		}
		if i < len(s) && class[s[i]] == high && wordGoesOn(s, i) {
			var cost int
			i, cost, heat = m.scriptWord(s, start, word, heat, visit)
			sum += cost
			continue
		}
		n := i - word
		shape := uint(shapeLower)
		if caps > 0 {
			shape = shapeMixed
			if caps == n {
				shape = shapeCaps
			}
			if caps == 1 {
				shape = shapeTitle
			}
		}
		key = key<<2 | uint64(shape>>1)<<1 | uint64(spaced(lead))
		known := m.known(key)
		size := uint(n - 1)
		if size >= maxLetters {
			size = maxLetters - 1
		}
		cell := cellWord + (((lead*shapes+shape)*maxLetters+size)*2+known)*heats + heat>>6
		sum += int(m.Weights[cell])
		heat += 31*(1-known) - heat>>3
		if visit != nil {
			visit(Unit{Cell: int(cell), N: 1, Start: start, End: min(i, word+maxLetters), Key: key})
		}
		if n > maxLetters {
			sum += (n - maxLetters) * int(m.Weights[cellRest+shape])
			if visit != nil {
				visit(Unit{Cell: int(cellRest + shape), N: n - maxLetters, Start: word + maxLetters, End: i})
			}
		}
		if i+1 < len(s) && s[i] == '\'' {
			if t := suffix(s[i+1:]); t > 0 {
				sum += int(m.Weights[cellSuffix])
				if visit != nil {
					visit(Unit{Cell: cellSuffix, N: 1, Start: i, End: i + 1 + t})
				}
				i += 1 + t
			}
		}
	}
	return (sum + weightOfOne - 1) / weightOfOne
}

// notLower marks the high bit of each byte that is no lower-case letter.
func notLower(x uint64) uint64 {
	y := x &^ highs
	return ^((y + ones*(0x80-'a')) &^ (y + ones*(0x7F-'z')) &^ x) & highs
}

// pack makes a key of the first n of eight letters: five bits each, the first one highest.
func pack(x uint64, n int) uint64 {
	x = x&(ones*31)&0x00FF00FF00FF00FF<<5 | x>>8&0x001F001F001F001F
	x = x&0x0000FFFF0000FFFF<<10 | x>>16&0x0000FFFF0000FFFF
	x = x&0xFFFFFFFF<<20 | x>>32
	return x >> (5 * (8 - n))
}

// spaced is 1 for leadSpace and 0 for every other lead.
func spaced(lead uint) uint { return lead & 1 &^ (lead>>1 | lead>>2) }

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
