package bpe

import (
	"iter"

	"tamp/core/internal/swar"
)

// Counter counts with one vocabulary. It reuses memory between calls, so it is not safe for concurrent use; making
// another is cheap. It is a tokens.Counter.
type Counter struct {
	*Vocabulary
	merger merger
}

// Counter returns a new counter.
func (v *Vocabulary) Counter() *Counter {
	return &Counter{Vocabulary: v, merger: merger{table: v.table}}
}

// Count returns the number of tokens of text.
func (c *Counter) Count(text string) int {
	n := 0
	for text != "" {
		end := window(text)
		part, _ := replaceInvalid(text[:end])
		n += c.count(part)
		text = text[end:]
	}
	c.merger.long.release()
	return n
}

func (c *Counter) count(text string) (n int) {
	keys, shift := c.table.keys, c.table.shift&63
	for i := 0; i < len(text); {
		size := uint(0)
		if i+16 <= len(text) {
			w := swar.Load(text, i)
			if size = c.lead.plainWord(w, text, i, c.capitals); size == 0 {
				size = c.plainOther(w)
			}
			if size == 1 { // every byte is a token
				n++
				i++
				continue
			}
			if size-1 < 7 {
				key := keyOfFirst(w, size)
				slot := key * swar.FibonacciMultiplier >> shift
				for keys[slot&uint64(len(keys)-1)] != key && keys[slot&uint64(len(keys)-1)] != 0 {
					slot++
				}
				if keys[slot&uint64(len(keys)-1)] == key {
					n++
				} else {
					n += c.merger.count(text, i, i+int(size))
				}
				i += int(size)
				continue
			}
		}
		end := i + int(size)
		if size == 0 {
			end = c.next(c.kinds, text, i)
		}
		if end-i > 1 && !c.table.has(text, i, end) {
			n += c.merger.count(text, i, end)
		} else {
			n++
		}
		i = end
	}
	return n
}

// window returns the length of a first part of text that can be counted by itself, so that the valid copy of a large
// invalid text takes little memory. It ends between an ASCII letter or digit and a space or newline, where every
// pattern ends a piece.
func window(text string) int {
	const windowSize = 1 << 14
	for i := windowSize; i < len(text); i++ {
		if b := text[i]; b == ' ' || b == '\n' {
			if b = text[i-1]; b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' {
				return i
			}
		}
	}
	return len(text)
}

// Split yields the tokens of text in order: the id of each, and the offset in text at which it ends. It is slower than
// Count and agrees with it. An invalid byte is counted as U+FFFD, which may be several tokens: all but the last of them
// end before the byte. The counter must not be used for another text within the loop.
func (c *Counter) Split(text string) iter.Seq2[int, int] {
	return func(yield func(id, end int) bool) {
		valid, replaced := replaceInvalid(text)
		start, grown := 0, 0 // of the token in valid; by how many bytes valid[:start] is longer than its part of text
		emit := func(end int) bool {
			id := c.first + int(c.table.rank(valid, start, end))
			start = end
			for len(replaced) > 0 && replaced[0]+len(replacement) <= end {
				grown += len(replacement) - 1
				replaced = replaced[1:]
			}
			if len(replaced) > 0 && replaced[0] < end {
				end = replaced[0]
			}
			return yield(id, end-grown)
		}
		for start < len(valid) {
			piece := start
			end := c.next(c.kinds, valid, piece)
			if c.table.rank(valid, piece, end) != none {
				if !emit(end) {
					return
				}
				continue
			}
			for piece < end {
				cut := c.table.cuts.next(valid, piece, end)
				c.merger.merge(valid, piece, cut)
				for e := range c.merger.ends {
					if !emit(piece + e) {
						return
					}
				}
				piece = cut
			}
		}
		c.merger.long.release()
	}
}
