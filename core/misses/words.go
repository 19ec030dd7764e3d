package misses

// words finds texts in other texts: names, and lines of the old texts of edits. Each is a path in a trie of words. A
// search walks the trie from each word of a text, at most maxWords deep, so its cost is linear.
type words struct {
	nodes []node // the first is the root
	// The node behind each step, by the digest of the step: 64 bits, so that a wrong match is as good as impossible.
	next   map[uint64]int
	filter [1 << 11]uint64 // Bloom filter of the steps: most words begin no text
	search int
}

// node is the end of a word of a text.
type node struct {
	text  string // that ends here; "" if none does
	inner bool   // a text goes on
	seen  int    // the number of the last search that found it
	last  int    // the number of the last block of the history that has it, -1 if none has
	count int    // the messages of the context that have it, and system prompt and tools
}

// maxWords is the number of words of a text that are compared. Paths have fewer.
const maxWords = 32

// digest is FNV-1a of a step: from a node by a word, with the characters between it and the word before.
func digest(at int, word string) uint64 {
	h := 14695981039346656037 ^ uint64(at)*0x9e3779b97f4a7c15
	for i := 0; i < len(word); i++ {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h ^ h>>32
}

// addWord adds a text. It returns its node, 0 if it has no word.
func (w *words) addWord(text string) (at int) {
	start, end := nextWord(text, 0)
	for from, n := start, 0; n < maxWords && start < end; n++ {
		d := digest(at, text[from:end])
		next := w.next[d]
		if next == 0 {
			next = len(w.nodes)
			w.next[d] = next
			w.filter[d>>6%uint64(len(w.filter))] |= 1 << (d & 63)
			w.nodes = append(w.nodes, node{last: -1})
		}
		w.nodes[at].inner = true
		at, from = next, end
		start, end = nextWord(text, from)
	}
	if at > 0 && w.nodes[at].text == "" {
		w.nodes[at].text = text
	}
	return at
}

// step returns the node behind a step, 0 if there is none.
func (w *words) step(at int, word string) int {
	d := digest(at, word)
	if w.filter[d>>6%uint64(len(w.filter))]&(1<<(d&63)) == 0 {
		return 0
	}
	return w.next[d]
}

// findWords calls visit with the nodes of the texts that text has, each once for all searches with one number.
func (w *words) findWords(text string, visit func(at int)) {
	for start, end := nextWord(text, 0); start < end; start, end = nextWord(text, end) {
		at, from := w.step(0, text[start:end]), end
		for at != 0 {
			n := &w.nodes[at]
			if n.text != "" && w.isNew(n) {
				visit(at)
			}
			if !n.inner {
				break
			}
			_, to := nextWord(text, from)
			at, from = w.step(at, text[from:to]), to
		}
	}
}

// isNew reports whether the search finds a node for the first time.
func (w *words) isNew(n *node) bool {
	was := n.seen
	n.seen = w.search
	return was != w.search
}

// nextWord returns the first word of text from i on, an empty one at the end if there is none. A word is a run of
// letters, digits, _ and $. The letter of an escaped line break or tab (`\n`) belongs to no word, since results may
// quote JSON.
func nextWord(text string, i int) (start, end int) {
	for start = i; start < len(text) && (!isWord(text[start]) || start > 0 && text[start-1] == '\\' &&
		(text[start] == 'n' || text[start] == 't' || text[start] == 'r')); {
		start++
	}
	for end = start; end < len(text) && isWord(text[end]); {
		end++
	}
	return start, end
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}
