package bench

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"tamp/core/msg"
)

// The rivals are simple rules. Each gets the conversation before the cut and the number of characters that our result
// has, and returns a text of at most that length.

type rival struct {
	name  string
	short func(k *cut, chars int) string
}

var rivals = []rival{
	{"tail", tail}, {"prompts + tail", promptsAndTail}, {"BM25 lines", bm25}, {"cut results", cutResults},
}

func characters(text string) int { return utf8.RuneCountInString(text) }

// last returns the last n characters of a text.
func last(text string, n int) string {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:]
}

// first returns the first n characters of a text.
func first(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

func tail(k *cut, chars int) string { return last(text(k.c.Messages), chars) }

// promptsAndTail keeps the user's prompts, the newest first, in at most the whole length, then the end of the rest.
func promptsAndTail(k *cut, chars int) string {
	var prompts []string
	rest := make([]msg.Message, 0, len(k.c.Messages))
	for m := range k.c.Messages {
		if message := &k.c.Messages[m]; isUserText(message) {
			prompts = append(prompts, text(k.c.Messages[m:m+1]))
		} else {
			rest = append(rest, *message)
		}
	}
	all := last(strings.Join(prompts, ""), chars)
	return all + last(text(rest), chars-characters(all))
}

// isUserText reports whether a message has text of the user role, written by the user or inserted by a program.
func isUserText(m *msg.Message) bool {
	return m.Role == msg.User && slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.Kind == msg.KindText })
}

// bm25 keeps the lines that are nearest to the newest prompt and the last 2,000 characters by BM25 (k1 = 1.2,
// b = 0.75), in their order.
func bm25(k *cut, chars int) string {
	all := text(k.c.Messages)
	lines := k.r.read(all)
	seen := map[*line]bool{}
	lines = slices.DeleteFunc(lines, func(l *line) bool { was := seen[l]; seen[l] = true; return was })
	query := last(all, 2000)
	for m := len(k.c.Messages) - 1; m >= 0; m-- {
		if isUserText(&k.c.Messages[m]) {
			query += "\n" + text(k.c.Messages[m:m+1])
			break
		}
	}
	wanted := map[int32]bool{}
	for _, w := range k.r.words(query) {
		wanted[w] = true
	}
	frequency := map[int32]int{}
	length := 0
	for _, l := range lines {
		length += len(l.words)
		for _, w := range l.words {
			if wanted[w] {
				frequency[w]++
			}
		}
	}
	average := float64(length) / float64(max(len(lines), 1))
	score := make([]float64, len(lines))
	order := make([]int, len(lines))
	for i, l := range lines {
		order[i] = i
		for _, w := range l.words { // sorted, so the sum is the same in every run
			if n := frequency[w]; n > 0 {
				idf := math.Log(1 + (float64(len(lines)-n)+0.5)/(float64(n)+0.5))
				score[i] += idf * 2.2 / (1 + 1.2*(0.25+0.75*float64(len(l.words))/average))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	kept := make([]bool, len(lines))
	for _, i := range order {
		if n := characters(lines[i].text) + 1; n <= chars {
			kept[i] = true
			chars -= n
		}
	}
	var out strings.Builder
	for i, l := range lines {
		if kept[i] {
			out.WriteString(l.text + "\n")
		}
	}
	return out.String()
}

// cutResults keeps everything except the middle of each tool result: as much of its head and its tail as the length
// allows. If the rest alone is too long, the oldest text goes.
func cutResults(k *cut, chars int) string {
	var texts []string
	var sizes []int
	var results []bool
	for _, block := range k.c.Blocks() {
		texts = append(texts, blockText(block)+"\n")
		sizes = append(sizes, characters(texts[len(texts)-1]))
		results = append(results, block.Kind == msg.KindToolResult)
	}
	low, high := 0, chars // the largest half that fits
	for low < high {
		half, sum := (low+high+1)/2, 0
		for i, size := range sizes {
			if results[i] {
				size = min(size, 2*half+1)
			}
			sum += size
		}
		if sum <= chars {
			low = half
		} else {
			high = half - 1
		}
	}
	var out strings.Builder
	for i, s := range texts {
		if results[i] && sizes[i] > 2*low+1 {
			s = first(s, low) + "\n" + last(s, low)
		}
		out.WriteString(s)
	}
	return last(out.String(), chars)
}

// namesAndTail is a bare list of the names of the conversation, ten a line, the most frequent first, in at most three
// quarters of the length, and the end of the text. It shows that names alone are worth little.
func namesAndTail(k *cut, chars int) string {
	all := text(k.c.Messages)
	count := map[string]int{}
	for _, l := range k.r.read(all) {
		for _, name := range l.names {
			count[name]++
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a, b))
	})
	var out strings.Builder
	room, listed := chars*3/4, 0
	for _, name := range names {
		if n := characters(name) + 1; n <= room {
			room -= n
			listed++
			out.WriteString(name)
			if listed%10 == 0 {
				out.WriteByte('\n')
			} else {
				out.WriteByte(' ')
			}
		}
	}
	return out.String() + last(all, chars-characters(out.String()))
}
