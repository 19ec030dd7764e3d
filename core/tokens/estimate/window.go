package estimate

import (
	"math/bits"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// The fast half of the walk classifies 64 bytes at once, into one mask of 64 bits for each kind of byte. A few
// operations on the masks then find where units begin and end, without a branch for every byte. A window weighs the
// ASCII units that are complete in it; the walk by bytes weighs all others.

// windowBytes is the number of bytes that a window needs: 64, and 16 more, since two words of eight bytes may be loaded
// at any of them.
const windowBytes = 64 + 2*8

// window has one mask for each kind of byte in 64 bytes: bit 0 is the first byte. If a bit of other is set, the same
// bit of the other masks is undefined.
type window struct {
	letter, capital, digit, space, tab, newline uint64
	other                                       uint64 // bytes beyond ASCII, and other control characters
}

// read classifies the 64 bytes of s at i. Moving the marks of a kind into a mask takes longer than finding them, so the
// seven kinds of ASCII are moved as numbers in three masks: 0 punctuation, 1 lower-case letter, 2 space, 3 capital, 4
// digit, 5 newline, 6 tab.
func (w *window) read(s string, i int) {
	var one, two, four, other uint64
	s = s[i : i+windowBytes]
	for at := 0; at < 64; at += 8 {
		x := swar.Load(s, at)
		// A mark is the highest bit of a byte; the bits below it are undefined.
		y := x &^ swar.Highs
		folded, from14, from32 := y|swar.Ones*' ', y+swar.Ones*(0x7F-'\r'), y+swar.Ones*(0x80-' ')
		letter := (folded + swar.Ones*(0x80-'a')) &^ (folded + swar.Ones*(0x7F-'z'))
		digit := (y + swar.Ones*(0x80-'0')) &^ (y + swar.Ones*(0x7F-'9'))
		space := from32 &^ (y + swar.Ones*(0x7F-' '))
		newline := (y + swar.Ones*(0x80-'\n')) &^ from14
		control := (y + swar.Ones*(0x80-'\t')) &^ from14
		one |= gatherHighBits(letter|newline) << (at & 63)
		two |= gatherHighBits(letter&^(x<<2)|space|control&^newline) << (at & 63)
		four |= gatherHighBits(digit|control) << (at & 63)
		other |= gatherHighBits(x|^(from32|control)) << (at & 63)
	}
	w.letter = one &^ four
	w.capital = one & two
	w.digit = four &^ (one | two)
	w.space = two &^ (one | four)
	w.tab = two & four
	w.newline = one & four
	w.other = other
}

// gatherHighBits returns the highest bits of the eight bytes as one byte.
func gatherHighBits(x uint64) uint64 { return x & swar.Highs * 0x0002040810204081 >> 56 }

// windows weighs s while a whole window is left. It returns the offset after the last unit and the weight.
func (m *Model) windows(s string, state *walkState) (int, int) {
	i, sum := m.bytes(s, 0, 1, state, nil) // a window reads the byte before it
	var w window
	for i+windowBytes <= len(s) {
		w.read(s, i)
		from := 0
		for from < 48 {
			state.nonEnglishUntil -= i // in a window, offsets are relative to its start
			end, cost := m.segment(&w, s[i-1:i+windowBytes-1], from, state)
			state.nonEnglishUntil += i
			sum += cost
			other := w.other >> (uint(end) & 63)
			if other == 0 && end > from {
				from = end
				break
			}
			if other&1 != 0 && s[i+end] >= utf8.RuneSelf {
				from, cost = m.nonASCII(s, i+end, i+end, state, nil)
			} else {
				to := i + end + 1 // one unit at least, which may be longer than the window
				if other != 0 {
					to += bits.TrailingZeros64(other)
				}
				from, cost = m.bytes(s, i+end, to, state, nil)
			}
			sum += cost
			from -= i
		}
		i += from
	}
	return i, sum
}

// segment weighs the units of a window from the offset from, where a unit begins, up to the last offset that certainly
// begins a unit, before any other byte. The view begins with the byte before the window. It returns the offset where it
// stopped and the weight.
func (m *Model) segment(w *window, view string, from int, state *walkState) (int, int) {
	seen := ^uint64(0) << (uint(from) & 63)
	other := w.other & seen
	other &= -other
	if other != 0 {
		seen &= other - 1
	}
	letter, digit, white := w.letter&seen, w.digit&seen, (w.space|w.tab|w.newline)&seen
	capital := w.capital & letter
	punct := seen &^ (letter | digit | white)
	camel := capital & ((letter &^ capital) << 1)
	words := letter&^(letter<<1) | camel
	runs := punct &^ (punct << 1)
	space := w.space & seen
	leads := (runs&^(punct>>1)&^(space<<1) | space | w.tab&seen) & (letter >> 1)
	runs &^= leads
	spaceLeads := space & (runs >> 1)
	// The byte after the last seen byte is unknown, so no unit certainly begins there.
	begins := (leads | words&^(leads<<1) | spaceLeads | runs&^(spaceLeads<<1) | digit&^(digit<<1)) & (seen >> 1)
	begins |= other & ((digit | punct) << 1) // neither continues with a byte beyond ASCII
	end := bits.Len64(begins) - 1
	for end > from && view[end+1] == '\'' { // an apostrophe may belong to the word before it
		begins &^= 1 << (uint(end) & 63)
		end = bits.Len64(begins) - 1
	}
	if end <= from {
		return from, 0
	}
	sum, end := m.words(view, words, ^letter|camel, leads<<1, capital, from, end, state)
	done := uint64(1)<<(uint(end)&63) - 1
	if runs &= done; runs != 0 {
		sum += m.runs(view, runs, punct, spaceLeads<<1, w.newline)
	}
	if digit &= done; digit != 0 {
		sum += pieces(digit) * WeightOfOne
	}
	// The rest are runs of white space, except the newlines after punctuation, which belong to the punctuation.
	newline := w.newline & seen
	white &^= newline &^ (newline + newline&(punct<<1))
	leads |= spaceLeads
	if begin := white &^ (white << 1) &^ leads & done; begin != 0 {
		sum += m.blanks(begin, white, newline, leads)
	}
	return end, sum
}

// words weighs the words that begin before end; afterLead marks those with a lead before them. It returns the weight
// and the offset where it stopped, which is end or earlier.
func (m *Model) words(view string, todo, ends, afterLead, capital uint64, from, end int, state *walkState) (int, int) {
	view = view[:windowBytes]
	sketch, weights := &m.Words, &m.Weights
	unknownWordRate, nonEnglishUntil, sum := state.unknownWordRate, state.nonEnglishUntil, 0
	contracted := -1 // the end of the last contraction
	for todo &= uint64(1)<<(uint(end)&63) - 1; todo != 0; todo &= todo - 1 {
		p := uint(bits.TrailingZeros64(todo))
		n := uint(bits.TrailingZeros64(ends>>(p&63)>>1)) + 1
		x := swar.Load(view, int(p+1))
		lead := uint(leadOf[view[p]]) & -uint(afterLead>>(p&63)&1)
		if lead > leadOther {
			if lead == leadSlash && isEscape(byte(x)) {
				end = int(p - 1)
				break
			}
			if lead == leadQuote && int(p) >= from+2 && class[view[p-1]] <= upper && contracted != int(p-1) {
				if t := suffix(view[p+1:]); t > 0 {
					sum += int(weights[cellSuffix])
					contracted = int(p) + t
					if t != int(n) {
						end = contracted
						break
					}
					continue
				}
			}
			lead = leadOther
		}
		key := x | swar.Ones*' '
		if n > 8 {
			if n > maxLetters {
				end = int(p - uint(afterLead>>(p&63)&1))
				break
			}
			key = key*swar.FibonacciMultiplier ^ (swar.Load(view, int(p+9))|swar.Ones*' ')<<((128-8*n)&63)
		} else {
			key <<= (64 - 8*n) & 63
		}
		shape := shapeOf(uint(bits.TrailingZeros64(^(capital >> (p & 63)))), n)
		known := sketch.has(wordKey(key, lead, shape))
		cell := wordCell(nonEnglish(int(p), nonEnglishUntil), lead, shape, n, known, unknownWordRate)
		sum += int(weights[cell&(weightSlots-1)])
		unknownWordRate += 31*(1-known) - unknownWordRate>>3
	}
	state.unknownWordRate = unknownWordRate
	return sum, end
}

// runs weighs runs of punctuation, with the space before and the newlines after them; afterSpace marks those with a
// space before them.
func (m *Model) runs(view string, todo, punct, afterSpace, newline uint64) int {
	view = view[:windowBytes]
	weights := &m.Weights
	sum := 0
	for ; todo != 0; todo &= todo - 1 {
		p := uint(bits.TrailingZeros64(todo))
		n := bits.TrailingZeros64(^(punct >> (p & 63)))
		lead, lines := uint(afterSpace>>(p&63)&1), uint(newline>>((p+uint(n))&63)&1)
		key := runKey(swar.Load(view, int(p+1)), n, lead)
		if n <= maxPunct {
			sum += int(weights[runCell(key, n, lead, m.Words.has(key), lines)&(weightSlots-1)])
			continue
		}
		cell := runCell(key, n, lead, 0, lines)
		sum += int(weights[cell&(weightSlots-1)]) + (n-maxPunct)*int(weights[restCell(cell)])
	}
	return sum
}

// pieces counts the pieces that the split of o200k makes of runs of digits: three digits each, from the first digit.
func pieces(digit uint64) int {
	n := 0
	threes := digit & (digit << 1) & (digit << 2) & (digit << 3)
	for begin := digit &^ (digit << 1); begin != 0; begin = begin << 3 & threes {
		n += bits.OnesCount64(begin)
	}
	return n
}

// blanks weighs runs of white space. The last byte of one may be the lead of what follows.
func (m *Model) blanks(todo, white, newline, leads uint64) int {
	sum := 0
	for ; todo != 0; todo &= todo - 1 {
		p := uint(bits.TrailingZeros64(todo))
		n := bits.TrailingZeros64(^(white >> (p & 63)))
		run := (uint64(1)<<(uint(n)&63) - 1) << (p & 63)
		last := leads >> ((p + uint(n) - 1) & 63) & 1
		if lines := run & newline; lines != 0 {
			length := bits.Len64(lines) - int(p)
			count := bits.OnesCount64(lines)
			sum += int(m.Weights[cellLines+min(count-1, 3)*maxBlank+min(length-count, maxBlank-1)])
			n -= length
		}
		if n > 1 {
			sum += int(m.Weights[cellSpaces+min(n-1, maxIndent)])
		}
		if n > 0 && last == 0 {
			sum += int(m.Weights[cellSpaces+1])
		}
	}
	return sum
}
