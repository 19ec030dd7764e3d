package provenance

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences calls visit for each sentence of prose: it splits at line ends, at end marks before a space, and at Chinese
// and Japanese end marks. A sentence that an editor wrapped has spaces instead of line ends. Marks of lists, headings
// and quotes before it are removed, and white space around it; sentences under four bytes are skipped.
func Sentences(text string, visit func(string)) {
	unwrappedLines(text, func(line string) { lineSentences(line, visit) })
}

// minWrapped is the least length in bytes of a line that an editor wrapped.
const minWrapped = 50

// unwrappedLines calls visit for each line of a text. It joins a line with the next one if an editor wrapped it: it has
// no end mark, the next one goes on in lower case, and its first word would have made the line the longest of the
// paragraph. Code is not joined.
func unwrappedLines(text string, visit func(string)) {
	width := 0 // of the paragraph; 0 = not measured
	for text != "" {
		line, rest := NextLine(text)
		var joined []byte
		for last := line; isWrapped(last, rest); {
			if width == 0 {
				width = paragraphWidth(text)
			}
			next, after := NextLine(rest)
			word, _, _ := strings.Cut(strings.TrimSpace(next), " ")
			if len(strings.TrimSpace(last))+1+len(word) <= width {
				break
			}
			if joined == nil {
				joined = []byte(line)
			}
			joined = append(bytes.TrimRight(joined, " \t\r\n"), ' ')
			joined = append(joined, strings.TrimLeft(next, " \t")...)
			last, rest = next, after
		}
		switch {
		case joined != nil:
			line = string(joined)
		case strings.TrimSpace(line) == "":
			width = 0
		}
		visit(line)
		text = rest
	}
}

// isWrapped reports whether the first line of rest may go on with the sentence of a line.
func isWrapped(line, rest string) bool {
	trimmed := strings.TrimSpace(line)
	if len(trimmed) < minWrapped || strings.IndexByte(".!?:;", trimmed[len(trimmed)-1]) >= 0 || rest == "" {
		return false
	}
	rest = strings.TrimLeft(rest, " \t")
	if first, _ := utf8.DecodeRuneInString(rest); !unicode.IsLower(first) {
		return false
	}
	next, _ := NextLine(rest)
	return !isCode(line) && !isCode(next)
}

// isCode reports a line that is not prose: it ends as code does, or begins with a mark of a quotation, a table, a list
// or a shell.
func isCode(line string) bool {
	text := strings.TrimSpace(line)
	return text == "" || strings.IndexByte("{};", text[len(text)-1]) >= 0 ||
		strings.IndexByte(">|$@{}<*-#%\\", text[0]) >= 0
}

// NextLine divides a text behind its first line end. As wasm a loop with it is faster and smaller than one over
// strings.Lines.
func NextLine(text string) (line, rest string) {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1], text[i+1:]
	}
	return text, ""
}

// paragraphWidth returns the length of the longest line up to the next empty line.
func paragraphWidth(text string) (width int) {
	for line, rest := NextLine(text); line != ""; line, rest = NextLine(rest) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			break
		}
		width = max(width, len(trimmed))
	}
	return width
}

func lineSentences(line string, visit func(string)) {
	line = strings.TrimSpace(line)
	start := 0
	missing := uint32(0) // the marks that no closing mark follows, by five of their bits
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
		case '"', '“', '„', '«', '「', '『':
			inWord := i > 1 && strings.IndexByte(" (:[", line[i-2]) < 0 && line[i-2] < utf8.RuneSelf
			if inWord || missing&(1<<(c%32)) != 0 {
				continue
			}
			n := quotationEnd(line, i-size)
			if n < 0 {
				missing |= 1 << (c % 32)
				continue
			}
			last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line[:n], "\"”“»」』 "))
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(line[n:], " "))
			if i = n; !strings.ContainsRune(".!?。！？", last) || !unicode.IsUpper(next) && next < 0x3040 {
				continue
			}
		default:
			continue
		}
		emit(line[start:i], visit)
		start = i
	}
	emit(line[start:], visit)
}

// quotationMarks are pairs of marks.
const quotationMarks = "\"\"“”„“«»「」『』"

// quotationEnd returns the end of the quotation that the mark at i opens; -1 if no closing mark follows.
func quotationEnd(line string, i int) int {
	c, size := utf8.DecodeRuneInString(line[i:])
	closing, _ := utf8.DecodeRuneInString(quotationMarks[strings.IndexRune(quotationMarks, c)+size:])
	n := strings.IndexRune(line[i+size:], closing)
	if n < 0 {
		return -1
	}
	return i + size + n + utf8.RuneLen(closing)
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
