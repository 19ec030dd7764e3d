package misses

// words finds texts in other texts: names, and lines of the old texts of edits. Each is a path in a trie of words. A
// search walks the trie from each word of a text, at most maxWords deep, so its cost is linear.
type words struct {
	// The node behind each step, by the digest of the step: 64 bits, so that a wrong match is as good as impossible.
	next   map[uint64]int32
	filter [1 << 11]uint64 // Bloom filter of the steps: most words begin no text
	isText []bool          // of each node: a text ends here
	inner  []bool          // of each node: a text goes on
	seen   []int32         // of each node: the number of the last search that found it
	search int32
}

// maxWords is the number of words of a text that are compared. Paths have fewer.
const maxWords = 32

func newWords() *words {
	return &words{next: map[uint64]int32{}, isText: make([]bool, 1), inner: make([]bool, 1), seen: make([]int32, 1)}
}

// digest is FNV-1a of a step: from a node by a word, with the characters between it and the word before.
func digest(node int32, word string) uint64 {
	h := 14695981039346656037 ^ uint64(node)*0x9e3779b97f4a7c15
	for i := 0; i < len(word); i++ {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h ^ h>>32
}

// add adds a text. It returns its node, 0 if it has no word.
func (w *words) add(text string) (node int32) {
	start, end := nextWord(text, 0)
	for from, n := start, 0; n < maxWords && start < end; n++ {
		d := digest(node, text[from:end])
		next, ok := w.next[d]
		if !ok {
			next = int32(len(w.isText))
			w.next[d] = next
			w.filter[d>>6%uint64(len(w.filter))] |= 1 << (d & 63)
			w.isText, w.inner, w.seen = append(w.isText, false), append(w.inner, false), append(w.seen, 0)
		}
		w.inner[node] = true
		node, from = next, end
		start, end = nextWord(text, from)
	}
	w.isText[node] = node > 0
	return node
}

// step returns the node behind a step, 0 if there is none.
func (w *words) step(node int32, word string) int32 {
	d := digest(node, word)
	if w.filter[d>>6%uint64(len(w.filter))]&(1<<(d&63)) == 0 {
		return 0
	}
	return w.next[d]
}

// find appends the nodes of the texts that text has, each once for all searches with one number.
func (w *words) find(found []int32, text string) []int32 {
	for start, end := nextWord(text, 0); start < end; start, end = nextWord(text, end) {
		node, from := w.step(0, text[start:end]), end
		for node != 0 {
			if w.isText[node] && w.seen[node] != w.search {
				w.seen[node] = w.search
				found = append(found, node)
			}
			if !w.inner[node] {
				break
			}
			_, to := nextWord(text, from)
			node, from = w.step(node, text[from:to]), to
		}
	}
	return found
}

// nextWord returns the first word of text from i on, an empty one at the end if there is none. A word is a run of
// letters, digits, _ and $. The letter of an escaped line break or tab (`\n`) belongs to no word, since results may quote
// JSON.
func nextWord(text string, i int) (start, end int) {
	for start = i; start < len(text) && (!isWord[text[start]] || isEscape(text, start)); {
		start++
	}
	for end = start; end < len(text) && isWord[text[end]]; {
		end++
	}
	return start, end
}

// isEscape reports whether text[i] is the letter of an escaped line break or tab.
func isEscape(text string, i int) bool {
	return i > 0 && text[i-1] == '\\' && (text[i] == 'n' || text[i] == 't' || text[i] == 'r')
}

var isWord = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
	}
	return is
}()
