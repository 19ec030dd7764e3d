package provenance

import (
	"strings"
	"unicode/utf8"
)

// Sentences calls visit for each sentence of prose: it splits at line ends, at end marks before a space, and at Chinese
// and Japanese end marks. Surrounding white space and leading marks of lists, headings and quotes are removed;
// sentences under four bytes are skipped.
func Sentences(text string, visit func(string)) {
	for line := range strings.Lines(text) {
		lineSentences(line, visit)
	}
}

func lineSentences(line string, visit func(string)) {
	line = strings.TrimSpace(line)
	start := 0
	for i := 0; i < len(line); {
		c, size := rune(line[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(line[i:])
		}
		i += size
		switch c {
		case '.', '!', '?', ';':
			if c == ';' || i < len(line) && line[i] != ' ' || i-start < 8 {
				continue
			}
		case '。', '！', '？', '；':
		default:
			continue
		}
		emit(line[start:i], visit)
		start = i
	}
	emit(line[start:], visit)
}

func emit(s string, visit func(string)) {
	if s = StripMarkup(s); len(s) >= 4 {
		visit(s)
	}
}

// StripMarkup removes leading marks of Markdown.
func StripMarkup(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, "#>*-+•|= \t")
	if digits := len(s) - len(strings.TrimLeft(s, "0123456789")); digits > 0 && digits < 3 &&
		strings.HasPrefix(s[digits:], ". ") {
		s = s[digits+2:]
	}
	return strings.TrimSpace(s)
}
