package tokens

import (
	"math/bits"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// The quick half of the walk: 64 bytes are sorted into kinds at once, one mask of 64 bits for each kind, and where a unit
// begins and ends is then a matter of a few operations on masks, not of a branch on every byte. A window takes what is
// plain ASCII and certainly whole; whatever else stands in the text is left to the walk that goes by the byte.

// windowRoom is how much text a window needs: 64 bytes, and sixteen more, since twice eight may be loaded from any of them on.
const windowRoom = 64 + 2*8

// window holds where each kind of byte stands in 64 bytes: bit 0 is the first one. Where other is set, the rest means nothing.
type window struct {
	letter, capital, digit, space, tab, newline uint64
	other                                       uint64 // bytes beyond ASCII, and other control characters
}

// read sorts the 64 bytes of s at i. To move the marks of a kind into a mask takes longer than to find them, so that the seven kinds
// of ASCII go as numbers, in three masks: 0 punctuation, 1 a lower-case letter, 2 a space, 3 a capital, 4 a digit, 5 a newline, 6 a tab.
func (w *window) read(s string, i int) {
	var one, two, four, other uint64
	s = s[i : i+windowRoom]
	for at := 0; at < 64; at += 8 {
		x := swar.Load(s, at)
		// A mark is the highest bit of a byte; the bits below it mean nothing.
		y := x &^ swar.Highs
		folded, from14, from32 := y|swar.Ones*' ', y+swar.Ones*(0x7F-'\r'), y+swar.Ones*(0x80-' ')
		letter := (folded + swar.Ones*(0x80-'a')) &^ (folded + swar.Ones*(0x7F-'z'))
		digit := (y + swar.Ones*(0x80-'0')) &^ (y + swar.Ones*(0x7F-'9'))
		space := from32 &^ (y + swar.Ones*(0x7F-' '))
		newline := (y + swar.Ones*(0x80-'\n')) &^ from14
		control := (y + swar.Ones*(0x80-'\t')) &^ from14
		one |= gathered(letter|newline) << (at & 63)
		two |= gathered(letter&^(x<<2)|space|control&^newline) << (at & 63)
		four |= gathered(digit|control) << (at & 63)
		other |= gathered(x|^(from32|control)) << (at & 63)
	}
	w.letter = one &^ four
	w.capital = one & two
	w.digit = four &^ (one | two)
	w.space = two &^ (one | four)
	w.tab = two & four
	w.newline = one & four
	w.other = other
}

// gathered moves the highest bits of the eight bytes together.
func gathered(x uint64) uint64 { return x & swar.Highs * 0x0002040810204081 >> 56 }

// windows weighs s up to where no whole window is left, and returns how far that is, and the weight.
func (m *Model) windows(s string, now *mood) (int, int) {
	i, sum := m.bytes(s, 0, 1, now, nil) // so that a byte stands before the first window
	var w window
	for i+windowRoom <= len(s) {
		w.read(s, i)
		from := 0
		for from < 48 {
			now.accent -= i // in a window, bytes are counted from its beginning
			end, cost := m.segment(&w, s[i-1:i+windowRoom-1], from, now)
			now.accent += i
			sum += cost
			other := w.other >> (uint(end) & 63)
			if other == 0 && end > from {
				from = end
				break
			}
			if other&1 != 0 && s[i+end] >= utf8.RuneSelf {
				from, cost = m.foreign(s, i+end, i+end, now, nil)
			} else {
				to := i + end + 1 // past a unit that is as long as a window
				if other != 0 {
					to += bits.TrailingZeros64(other)
				}
				from, cost = m.bytes(s, i+end, to, now, nil)
			}
			sum += cost
			from -= i
		}
		i += from
	}
	return i, sum
}

// segment weighs what a window holds from a byte on, which is where a unit begins, up to where a unit begins of which that is certain, before
// any other byte. The view has the byte before the window, too. It returns where it stopped, and the weight.
func (m *Model) segment(w *window, view string, from int, now *mood) (int, int) {
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
	// The last byte that is seen has a neighbor that is not.
	begins := (leads | words&^(leads<<1) | spaceLeads | runs&^(spaceLeads<<1) | digit&^(digit<<1)) & (seen >> 1)
	begins |= other & ((digit | punct) << 1) // neither goes on beyond ASCII
	end := bits.Len64(begins) - 1
	for end > from && view[end+1] == '\'' { // an apostrophe may go with the word before it
		begins &^= 1 << (uint(end) & 63)
		end = bits.Len64(begins) - 1
	}
	if end <= from {
		return from, 0
	}
	sum, end := m.words(view, words, ^letter|camel, leads<<1, capital, from, end, now)
	done := uint64(1)<<(uint(end)&63) - 1
	if runs &= done; runs != 0 {
		sum += m.runs(view, runs, punct, spaceLeads<<1, w.newline)
	}
	if digit &= done; digit != 0 {
		sum += pieces(digit) * WeightOfOne
	}
	// What is left are runs of white space, but for the newlines after punctuation, which are part of it.
	newline := w.newline & seen
	white &^= newline &^ (newline + newline&(punct<<1))
	leads |= spaceLeads
	if begin := white &^ (white << 1) &^ leads & done; begin != 0 {
		sum += m.blanks(begin, white, newline, leads)
	}
	return end, sum
}

// words weighs the words that begin before end. It returns the weight, and where it stopped if that is not end.
func (m *Model) words(view string, todo, ends, led, capital uint64, from, end int, now *mood) (int, int) {
	view = view[:windowRoom]
	sketch, weights := &m.Words, &m.Weights
	heat, accent, sum := now.heat, now.accent, 0
	contracted := -1 // where a contraction ended
	for todo &= uint64(1)<<(uint(end)&63) - 1; todo != 0; todo &= todo - 1 {
		p := uint(bits.TrailingZeros64(todo))
		n := uint(bits.TrailingZeros64(ends>>(p&63)>>1)) + 1
		x := swar.Load(view, int(p+1))
		lead := uint(leadOf[view[p]]) & -uint(led>>(p&63)&1)
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
				end = int(p - uint(led>>(p&63)&1))
				break
			}
			key = key*spread ^ (swar.Load(view, int(p+9))|swar.Ones*' ')<<((128-8*n)&63)
		} else {
			key <<= (64 - 8*n) & 63
		}
		shape := shapeOf(uint(bits.TrailingZeros64(^(capital >> (p & 63)))), n)
		known := sketch.knows(wordKey(key, lead, shape))
		cell := wordCell(accented(int(p), accent), lead, shape, n, known, heat)
		sum += int(weights[cell&(weightSlots-1)])
		heat += 31*(1-known) - heat>>3
	}
	now.heat = heat
	return sum, end
}

// runs weighs runs of punctuation, with the space before and the newlines after them.
func (m *Model) runs(view string, todo, punct, led, newline uint64) int {
	view = view[:windowRoom]
	weights := &m.Weights
	sum := 0
	for ; todo != 0; todo &= todo - 1 {
		p := uint(bits.TrailingZeros64(todo))
		n := bits.TrailingZeros64(^(punct >> (p & 63)))
		lead, lines := uint(led>>(p&63)&1), uint(newline>>((p+uint(n))&63)&1)
		key := runKey(swar.Load(view, int(p+1)), n, lead)
		if n <= maxPunct {
			sum += int(weights[runCell(key, n, lead, m.Words.knows(key), lines)&(weightSlots-1)])
			continue
		}
		cell := runCell(key, n, lead, 0, lines)
		sum += int(weights[cell&(weightSlots-1)]) + (n-maxPunct)*int(weights[restCell(cell)])
	}
	return sum
}

// pieces counts the pieces that the split of o200k makes of runs of digits: three digits each, from the first on.
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
