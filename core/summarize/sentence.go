package summarize

import (
	"strings"
	"unicode/utf8"
)

// sentences splits prose into sentences: at line ends, at end marks before a space, and at Chinese end marks.
// Surrounding white space and leading marks of lists, headings and quotes are removed; sentences under four bytes are
// skipped.
func sentences(text string, visit func(string)) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		start := 0
		for i := 0; i < len(line); {
			c, size := utf8.DecodeRuneInString(line[i:])
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
}

func emit(s string, visit func(string)) {
	if s = stripMarkup(s); len(s) >= 4 {
		visit(s)
	}
}

// stripMarkup removes leading marks of Markdown.
func stripMarkup(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, "#>*-+•|= \t")
	if digits := len(s) - len(strings.TrimLeft(s, "0123456789")); digits > 0 && digits < 3 &&
		strings.HasPrefix(s[digits:], ". ") {
		s = s[digits+2:]
	}
	return strings.TrimSpace(s)
}

// clipAtSpace shortens s to at most n code points, "…" included, at a space if there is one in the last quarter.
func clipAtSpace(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-1 {
			cut := s[:i]
			if space := strings.LastIndexByte(cut, ' '); space > i*3/4 {
				cut = cut[:space]
			}
			return strings.TrimRight(cut, " ") + "…"
		}
		count++
	}
	return s
}

// oneLine joins lines and runs of white space by single spaces.
func oneLine(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// shortLine is clipAtSpace(oneLine(s), n), but reads at most 8n bytes of s, since a line can have megabytes.
func shortLine(s string, n int) string {
	if limit := 8 * n; len(s) > limit {
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = s[:limit]
	}
	return clipAtSpace(oneLine(s), n)
}
