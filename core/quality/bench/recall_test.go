package bench

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Recall is the share of the used names that occur in a context. Context recall counts a name only together with its
// context: some line of the compacted context that has the name must also have half, at most three, of the other words
// of one line that had the name originally, and these must be at least a tenth of that line's own other words. So a
// bare list of names is worth little.

// line is one line of a text: its names, and its distinct words as sorted numbers of the reader.
type line struct {
	text  string
	names []string
	words []int32
}

// reader reads lines and remembers them, since a compacted context repeats most lines of the original.
type reader struct {
	lines map[string]*line
	ids   map[string]int32
	own   map[string][]int32 // the words of a name
}

func newReader() *reader {
	return &reader{lines: map[string]*line{}, ids: map[string]int32{}, own: map[string][]int32{}}
}

// read returns the lines of a text without those that are blank.
func (r *reader) read(text string) []*line {
	var out []*line
	for text := range strings.SplitSeq(text, "\n") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		l := r.lines[text]
		if l == nil {
			l = &line{text: text, words: r.words(text)}
			names := map[string]nameKind{}
			readNames(text, names)
			for name := range names {
				l.names = append(l.names, name)
			}
			slices.Sort(l.names)
			r.lines[text] = l
		}
		out = append(out, l)
	}
	return out
}

// words returns the distinct words of a text: runs of letters, digits and underscores of at least two characters, in
// lower case; in scripts without spaces each character is a word.
func (r *reader) words(text string) []int32 {
	var out []int32
	add := func(word string) {
		id, ok := r.ids[word]
		if !ok {
			id = int32(len(r.ids))
			r.ids[word] = id
		}
		out = append(out, id)
	}
	start := -1
	flush := func(end int) {
		if start >= 0 && utf8.RuneCountInString(text[start:end]) > 1 {
			add(strings.ToLower(text[start:end]))
		}
		start = -1
	}
	for i, c := range text {
		switch {
		case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana):
			flush(i)
			add(string(c))
		case c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *reader) ownWords(name string) []int32 {
	own, ok := r.own[name]
	if !ok {
		own = r.words(name)
		r.own[name] = own
	}
	return own
}

// inContext reports whether the line has the name in the context of the original line.
func (r *reader) inContext(name string, now, original *line) bool {
	if now == original {
		return true
	}
	own := r.ownWords(name)
	others, shared, mine := 0, 0, 0
	i := 0
	for _, w := range now.words {
		if _, is := slices.BinarySearch(own, w); is {
			continue
		}
		mine++
		for i < len(original.words) && original.words[i] < w {
			i++
		}
		if i < len(original.words) && original.words[i] == w {
			shared++
		}
	}
	for _, w := range original.words {
		if _, is := slices.BinarySearch(own, w); !is {
			others++
		}
	}
	return shared >= min(3, (others+1)/2) && shared*10 >= mine
}

// originals maps each used name to the lines that had it originally.
func originals(lines []*line, used map[string]nameKind) map[string][]*line {
	out := map[string][]*line{}
	seen := map[*line]bool{}
	for _, l := range lines {
		if seen[l] {
			continue
		}
		seen[l] = true
		for _, name := range l.names {
			if used[name] != 0 {
				out[name] = append(out[name], l)
			}
		}
	}
	return out
}

// found is the result of one context: which used names it has, and which of them in context.
type found struct{ present, inContext map[string]bool }

// find looks for the used names, the keys of originals, in the lines of a context.
func (r *reader) find(context []*line, originals map[string][]*line) found {
	f := found{map[string]bool{}, map[string]bool{}}
	seen := map[*line]bool{}
	for _, now := range context {
		if seen[now] {
			continue
		}
		seen[now] = true
		for _, name := range now.names {
			lines, used := originals[name]
			if !used {
				continue
			}
			f.present[name] = true
			if !f.inContext[name] {
				f.inContext[name] = slices.ContainsFunc(lines, func(l *line) bool { return r.inContext(name, now, l) })
			}
		}
	}
	for name, in := range f.inContext {
		if !in {
			delete(f.inContext, name)
		}
	}
	return f
}
