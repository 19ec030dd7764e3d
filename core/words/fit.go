package words

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tamp/core/internal/order"
)

// This file decides in which order words leave if there is no room for all: repetitions, then questions, then
// statements by how much of them is said again later, those that bind at last, and of equals the oldest first. A wrong
// rank costs the order of leaving, never more.

// piece is a sentence or a line of a text.
type piece struct {
	said       int // index of its text
	start, end int // in the text
	rank       int // the lowest leaves first
	tokens     int
}

// The ranks of pieces. That of a statement is higher by each quarter of its pairs of words that is not said again
// later.
const (
	repetition = iota // each of its words, and three quarters of its pairs of words, are said again later
	question
	statement
	binding = statement + 5 // a statement with a cue
)

// Room returns the tokens of the user's words that all summaries together may have: 20,000 or a tenth of the window,
// but at most two thirds of what is free for them and for all else that a compaction keeps.
func Room(window, free int) int { return max(min(max(maxRoom, window/10), free*2/3), 0) }

const (
	maxRoom  = 20_000
	maxShort = 240 // bytes of one line, which leaves or stays as a whole
)

// readPieces divides the texts and ranks their pieces.
func (w *Words) readPieces() {
	for i := range w.said {
		text := w.said[i].Text
		for start := 0; start < len(text); {
			end := len(text) // a part of a short text may lose its meaning
			if len(text) > maxShort || strings.Contains(text, "\n") {
				end = sentenceEnd(text, start)
			}
			w.pieces = append(w.pieces, piece{said: i, start: start, end: end})
			start = end
		}
	}
	later := map[[2]string]bool{} // words, and pairs of adjacent words, in the pieces so far
	for i := range slices.Backward(w.pieces) {
		p := &w.pieces[i]
		text := w.said[p.said].Text[p.start:p.end]
		words := wordsOf(text)
		fresh, pairs, isNew := 0, max(len(words)-1, 0), false
		for n, word := range words {
			isNew = isNew || !later[[2]string{word}]
			if n > 0 && !later[[2]string{words[n-1], word}] {
				fresh++
			}
		}
		switch quarters := 4 * fresh / max(pairs, 1); {
		case !isNew && 4*fresh <= pairs:
			p.rank = repetition
		case hasCue(text, words):
			p.rank = binding + quarters
		case isQuestion(text):
			p.rank = question
		default:
			p.rank = statement + quarters
		}
		for n, word := range words {
			later[[2]string{word}] = true
			if n > 0 {
				later[[2]string{words[n-1], word}] = true
			}
		}
	}
	w.order = make([]int, len(w.pieces))
	for i := range w.order {
		w.order[i] = i
	}
	order.Stable(w.order, func(a, b int) int { return cmp.Compare(w.pieces[a].rank, w.pieces[b].rank) })
}

// sentenceEnd returns the end of the sentence or line at start, with the white space after it.
func sentenceEnd(text string, start int) int {
	for i := start; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch c {
		case '\n', '。', '！', '？':
		case '.', '!', '?', '؟', '।':
			if i < len(text) && text[i] != ' ' && text[i] != '\n' {
				continue
			}
		default:
			continue
		}
		for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
			i++
		}
		return i
	}
	return len(text)
}

// wordsOf returns the words of a text in lower case. Each letter of a script without spaces is a word.
func wordsOf(text string) (words []string) {
	start := -1
	end := func(i int) {
		if start >= 0 {
			words, start = append(words, strings.ToLower(text[start:i])), -1
		}
	}
	for i, c := range text {
		switch {
		case c > unicode.MaxLatin1 && unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			end(i)
			words = append(words, string(c))
		case unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) || c == '\'' && start >= 0:
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return words
}

// Selection is a part of the words: those of some messages, and of these the pieces that fit.
type Selection struct {
	w    *Words
	of   []bool // of said: chosen
	left []bool // of pieces: it leaves
	now  []int  // of said: tokens of what stays of its line
}

// Fit chooses the words for which chosen is true, and of them as many as have at most limit tokens.
func (w *Words) Fit(chosen func(*Said) bool, limit int) *Selection {
	s := &Selection{w: w, of: make([]bool, len(w.said)), left: make([]bool, len(w.pieces)), now: make([]int, len(w.said))}
	sum := 0
	stay := make([]int, len(w.said)) // pieces that stay
	for i := range w.said {
		if s.of[i] = chosen(&w.said[i]); s.of[i] {
			s.now[i] = w.tokensOf(i)
			sum += s.now[i]
		}
	}
	if sum <= limit {
		return s
	}
	for i := range w.pieces {
		stay[w.pieces[i].said]++
	}
	for _, i := range w.order {
		p := &w.pieces[i]
		if !s.of[p.said] {
			continue
		}
		if sum <= limit {
			break
		}
		s.left[i] = true
		stay[p.said]--
		freed := s.now[p.said] // with the last piece the whole line goes
		if stay[p.said] > 0 {
			freed = min(max(w.tokensOfPiece(i)-gapTokens, 0), freed)
		}
		s.now[p.said] -= freed
		sum -= freed
	}
	return s
}

const gapTokens = 2 // of the mark of a gap

// tokensOf returns the tokens of the line of a text.
func (w *Words) tokensOf(i int) int { return w.count(line(&w.said[i])) + 1 }

func (w *Words) tokensOfPiece(i int) int {
	p := &w.pieces[i]
	if p.tokens == 0 {
		p.tokens = w.count(w.said[p.said].Text[p.start:p.end])
	}
	return p.tokens
}

// Cut reports whether some of the chosen words leave.
func (s *Selection) Cut() bool { return slices.Contains(s.left, true) }

// Each calls visit for the chosen words, with the tokens that stay and whether a part of them leaves.
func (s *Selection) Each(visit func(said *Said, tokens int, cut bool)) {
	cut := make([]bool, len(s.of))
	for i := range s.left {
		cut[s.w.pieces[i].said] = cut[s.w.pieces[i].said] || s.left[i]
	}
	for i, chosen := range s.of {
		if chosen {
			visit(&s.w.said[i], s.now[i], cut[i])
		}
	}
}

// Said returns what stays, with a mark for each gap.
func (s *Selection) Said() []Said {
	out := make([]Said, 0, len(s.of))
	for i, next := 0, 0; i < len(s.of); i++ {
		var text strings.Builder
		gap, any := false, false
		for ; next < len(s.w.pieces) && s.w.pieces[next].said == i; next++ {
			p := &s.w.pieces[next]
			switch part := s.w.said[i].Text[p.start:p.end]; {
			case !s.left[next]:
				text.WriteString(part)
				gap, any = false, any || part != Gap && strings.TrimSpace(part) != Gap
			case !gap:
				if gap = true; !strings.HasSuffix(text.String(), Gap+" ") {
					text.WriteString(Gap + " ")
				}
			}
		}
		if s.of[i] && any {
			said := s.w.said[i]
			said.Text = strings.TrimRight(text.String(), " \t\r\n")
			out = append(out, said)
		}
	}
	return out
}

// Gap is in the place of sentences that left.
const Gap = "[…]"

// FrameTokens is the approximate size of the heading of a section.
const FrameTokens = 14
