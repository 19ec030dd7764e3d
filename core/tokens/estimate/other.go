package estimate

import (
	"math/bits"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// other weighs the piece at i if it is not an ASCII word: digits, punctuation, white space, another script. It returns
// the end of the piece and its weight.
func (m *Model) other(s string, i int, state *walkState, visit func(Unit)) (int, int) {
	k, next := class[s[i]], uint8(newline)
	if i+1 < len(s) {
		next = class[s[i+1]]
	}
	switch {
	case k == digit:
		return m.digits(s, i, visit)
	case k == high:
		return m.nonASCII(s, i, i, state, visit)
	case k == space && next == high:
		return m.nonASCII(s, i, i+1, state, visit)
	case k == space && next == punct:
		return m.punctuation(s, i, i+1, visit)
	case k == punct && s[i] == '\\' && next <= upper && isEscape(s[i+1]):
		cost := int(m.Weights[cellEscape])
		if visit != nil {
			visit(Unit{Cell: cellEscape, N: 1, Start: i, End: i + 2})
		}
		return i + 2, cost
	case k == punct:
		return m.punctuation(s, i, i, visit)
	}
	return m.white(s, i, visit)
}

// digits weighs the run of digits at i. The split of o200k makes a piece of every three digits, which is always one
// token.
func (m *Model) digits(s string, i int, visit func(Unit)) (int, int) {
	j := i
	for run := 8; run == 8; j += run {
		run = bits.TrailingZeros64(swar.Highs&^swar.Between(loadTail64(s, j), '0', '9')) / 8
	}
	n := (j - i + 2) / 3
	if visit != nil {
		visit(Unit{Cell: cellDigits, N: n, Start: i, End: j})
	}
	return j, n * WeightOfOne
}

// punctuation weighs the run of ASCII punctuation at i, with the space from start and the newlines after it.
func (m *Model) punctuation(s string, start, i int, visit func(Unit)) (int, int) {
	x := loadTail64(s, i+1)
	end := punctuationEnd(x)
	n := 1 + bits.TrailingZeros64(end)/8
	x = x<<8 | uint64(s[i])
	j := i + n
	for run := n - 1; run == 8; j += run {
		run = bits.TrailingZeros64(punctuationEnd(loadTail64(s, j))) / 8
	}
	n = j - i
	lines := uint(0)
	if j < len(s) && class[s[j]] == newline {
		lines = 1
		for j < len(s) && class[s[j]] == newline {
			j++
		}
	}
	lead := uint(i - start)
	key := runKey(x, n, lead)
	known := uint(0)
	if n <= maxPunct {
		known = m.Words.has(key)
	}
	cell := runCell(key, n, lead, known, lines)
	cost := int(m.Weights[cell])
	if visit != nil {
		end := j
		if n > maxPunct {
			end = i + maxPunct
		}
		visit(Unit{Cell: int(cell), N: 1, Start: start, End: end, Key: key})
	}
	if n > maxPunct {
		rest := restCell(cell)
		cost += (n - maxPunct) * int(m.Weights[rest])
		if visit != nil {
			visit(Unit{Cell: rest, N: n - maxPunct, Start: i + maxPunct, End: j})
		}
	}
	return j, cost
}

// runKey returns the key of a run of n characters of punctuation, of which x has the first eight. The last character is
// the highest byte; its highest bit, which ASCII does not use, is set if a space is before the run.
func runKey(x uint64, n int, lead uint) uint64 {
	return x<<(uint(64-8*min(n, maxPunct))&63) ^ uint64(lead)<<63
}

// runCell returns the cell of a run with this key.
func runCell(key uint64, n int, lead, known, lines uint) uint {
	n = min(n, maxPunct)
	kinds := uint(min(changes(key, n), maxKinds-1))
	return cellPunct + (((lead*maxPunct+uint(n-1))*maxKinds+kinds)*2+known)*2 + lines
}

// restCell returns the cell of the characters beyond maxPunct, given the cell of the first ones: there is one for runs
// with many changes, one for all others.
func restCell(cell uint) int {
	if (cell-cellPunct)/4%maxKinds == maxKinds-1 {
		return cellPunctRest + 1
	}
	return cellPunctRest
}

// changes counts how often a character differs from the one before it, in the n highest bytes of a key.
func changes(key uint64, n int) int {
	key = (key ^ key<<8) &^ swar.Highs >> (uint(64-8*n) & 63) >> 8
	return bits.OnesCount64((key + swar.Ones*0x7F) & swar.Highs)
}

// punctuationEnd marks the bytes that are not punctuation: letters, digits, white space, control characters, bytes
// beyond ASCII.
func punctuationEnd(x uint64) uint64 {
	return swar.Between(x|swar.Ones*' ', 'a', 'z') | swar.Between(x, '0', '9') | swar.Between(x, 0, ' ') | x&swar.Highs
}

// white weighs the run of white space at i. Up to its last newline it is one piece. Of the rest, the last character
// belongs to the word or the punctuation after it and is left for the next step.
func (m *Model) white(s string, i int, visit func(Unit)) (int, int) {
	j, after, lines := i, i, 0
	for j < len(s) {
		if s[j] == ' ' {
			j += bits.TrailingZeros64(loadTail64(s, j)^swar.Ones*' ') / 8
			continue
		}
		if class[s[j]] == newline {
			after = j + 1
			lines++
		} else if class[s[j]] != tab {
			break
		}
		j++
	}
	cost := 0
	if lines > 0 {
		cell := cellLines + min(lines-1, 3)*maxBlank + min(after-i-lines, maxBlank-1)
		n := 1 + (after-i)/64
		cost += n * int(m.Weights[cell])
		if visit != nil {
			visit(Unit{Cell: cell, N: n, Start: i, End: after})
		}
	}
	n := j - after
	if n > 1 && j < len(s) {
		n--
	} else if lines > 0 && j < len(s) {
		// One character after the newlines: it belongs to the next word, or is a piece of its own.
		return after, cost
	}
	if n > 0 {
		cell := cellSpaces + min(n, maxIndent)
		times := 1 + n/64
		cost += times * int(m.Weights[cell])
		if visit != nil {
			visit(Unit{Cell: cell, N: times, Start: after, End: after + n})
		}
	}
	return after + n, cost
}

// wordGoesOn reports whether the rune at i continues a word of letters.
func wordGoesOn(s string, i int) bool {
	return unitOf(utf8.DecodeRuneInString(s[i:])) < units
}

// nonASCII weighs the word or run that begins with a rune beyond ASCII at i, with the space from start.
func (m *Model) nonASCII(s string, start, i int, state *walkState, visit func(Unit)) (int, int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	k := unitOf(r, size)
	if k < units {
		return m.scriptWord(s, start, i, state, visit)
	}
	return m.runes(s, start, i, r, size, k, visit)
}

// scriptWord weighs the word at offset word, which has a letter beyond ASCII; the first such letter decides the script.
func (m *Model) scriptWord(s string, start, word int, state *walkState, visit func(Unit)) (int, int) {
	i, n, marks, key, script := word, uint(0), uint(0), uint64(0), -1
	cut := word
	for i < len(s) {
		if class[s[i]] <= upper {
			key = key<<5 ^ uint64(s[i]&31)
			i++
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r < utf8.RuneSelf || size == 1 {
				break
			}
			k := scriptOf(r)
			if k >= units {
				break
			}
			if script < 0 {
				script = k
			}
			marks++
			key = key<<5 ^ uint64(r)
			i += size
		}
		n++
		if n <= maxLetters {
			cut = i
		}
	}
	lead := uint(0)
	if start < word && s[start] == ' ' {
		lead = 1
	}
	key = key<<2 | uint64(lead)
	known := m.Words.has(key)
	many := uint(0)
	if marks > 1 {
		many = 1
	}
	cell := cellScriptWord + ((((uint(script)*2+many)*2+lead)*maxLetters+min(n, maxLetters)-1)*2+known)*unknownWordLevels +
		state.unknownWordRate>>6
	// A weight that was fitted to a few rare words may be far too high; no vocabulary makes more tokens than bytes.
	cost := min(int(m.Weights[cell]), (cut-start)*WeightOfOne)
	state.unknownWordRate += 31*(1-known) - state.unknownWordRate>>3
	if script == latin {
		state.nonEnglishUntil = i + nonEnglishReach
	}
	if visit != nil {
		visit(Unit{Cell: int(cell), N: 1, Start: start, End: cut, Key: key})
	}
	if n > maxLetters {
		rest := cellRest + shapes + script
		cost += int(n-maxLetters) * int(m.Weights[rest])
		if visit != nil {
			visit(Unit{Cell: rest, N: int(n - maxLetters), Start: cut, End: i})
		}
	}
	return i, cost
}

// The states of a rune that is weighed by itself.
const (
	runeUnknown = iota
	runeKnown
	runePair // the filter has it together with the rune after it
	runeSame // the same as the one before, as in rules drawn of ─
)

// runes weighs the run of unit runes (Chinese, Japanese, Korean, Thai, signs, emoji, invalid bytes) at i, of which r,
// of unit k, is the first.
func (m *Model) runes(s string, start, i int, r rune, size, k int, visit func(Unit)) (int, int) {
	cost := 0
	lead := i - start
	before := rune(-1)
	for k >= units {
		end := i + size
		var next rune
		nextSize, nextKind := 0, 0
		if end < len(s) && s[end] >= utf8.RuneSelf {
			next, nextSize = utf8.DecodeRuneInString(s[end:])
			nextKind = unitOf(next, nextSize)
		}
		state := runeUnknown
		var key, pair uint64
		key = uint64(r)<<1 | uint64(lead)
		if nextKind >= units {
			pair = key<<20 ^ uint64(next)<<1
		}
		switch {
		case r == before:
			state = runeSame
		case pair != 0 && m.Words.has(pair) == 1:
			state = runePair
			end += nextSize
		case m.Words.has(key) == 1:
			state = runeKnown
		}
		cell := cellRune + ((k-units)*2+lead)*4 + state
		cost += int(m.Weights[cell])
		if visit != nil {
			visit(Unit{Cell: cell, N: 1, Start: start, End: end, Key: key, Pair: pair})
		}
		lead, start, before = 0, end, r
		i = end
		if state != runePair {
			r, size, k = next, nextSize, nextKind
			continue
		}
		k = 0
		before = next
		if end < len(s) && s[end] >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[end:])
			k = unitOf(r, size)
		}
	}
	return i, cost
}

func unitOf(r rune, size int) int {
	if size == 1 {
		return bad
	}
	return scriptOf(r)
}
