package summarize

import (
	"strings"
	"unicode/utf8"
)

// The lexer splits the text into words at every byte that cannot be part of a path, a name or a number, and reads each
// word once. So the cost is linear for any text.

// Atoms calls visit for each path, name, number, hash and URL in text, in order, with repetitions. The strings share
// memory with text, except percentages. Of a dotted name, the parts that are names are visited, or the whole if no part
// is one.
//
// Most words are prose and most others are one name or one number; both are decided from the classes of their bytes.
func Atoms(text string, visit func(FactKind, string)) {
	for i := 0; i < len(text); {
		set := byteClasses[text[i]] // the classes of the bytes of the word, the first run of lower case aside
		start := i
		i++
		if set == 0 {
			continue
		}
		if set&letterBytes != 0 {
			for i < len(text) && byteClasses[text[i]] == lowerByte {
				i++
			}
			if i == len(text) || byteClasses[text[i]] == 0 && text[i] != ':' {
				continue // no word of lower case, or with one capital at its start, is an atom
			}
		}
		for i < len(text) && byteClasses[text[i]] != 0 {
			set |= byteClasses[text[i]]
			i++
		}
		if i+2 < len(text) && text[i] == ':' && text[i+1] == '/' && text[i+2] == '/' {
			if end := urlEnd(text, i+3); end > i+3 && isScheme(text[start:i]) {
				if u := trimURL(text[start:end]); len(u) <= maxPathLength {
					visit(URL, u)
				}
				i = end
				continue
			}
		}
		switch {
		case set == digitByte:
			if n := i - start; n >= 2 && n <= maxDigits {
				visit(Number, text[start:i])
			}
		case set&^nameBytes == 0 && byteClasses[text[start]] != digitByte: // no mark to trim, and one part
			if w := text[start:i]; set&(upperByte|underByte) == 0 {
				if isHash(w) {
					visit(Hash, w)
				}
			} else if IsName(w) {
				visit(Identifier, w)
			}
		default:
			if text[start] == '/' && start > 0 && text[start-1] == '<' {
				start++ // a closing tag is not a path
			}
			word(text[start:i], text[i:], visit)
		}
	}
}

// The classes of the bytes of paths, names and numbers, one bit each; every other byte has class 0.
const (
	lowerByte = 1 << iota
	upperByte
	digitByte
	underByte // _ and $
	dotByte
	slashByte
	markByte // # % + - @ ~

	letterBytes = lowerByte | upperByte
	nameBytes   = letterBytes | digitByte | underByte
)

// byteClasses has the class of each byte. The loops over text read it in place of a function: this package is built
// without inlining.
var byteClasses = newByteClasses()

func newByteClasses() (classes [256]uint8) {
	for c := byte(0); c < utf8.RuneSelf; c++ {
		switch {
		case c >= 'a' && c <= 'z':
			classes[c] = lowerByte
		case c >= 'A' && c <= 'Z':
			classes[c] = upperByte
		case c >= '0' && c <= '9':
			classes[c] = digitByte
		case c == '_' || c == '$':
			classes[c] = underByte
		case c == '.':
			classes[c] = dotByte
		case c == '/':
			classes[c] = slashByte
		case strings.IndexByte("#%+-@~", c) >= 0:
			classes[c] = markByte
		}
	}
	return classes
}

func isScheme(s string) bool {
	if len(s) < 2 || len(s) > 20 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) && (i == 0 || s[i] != '+' && s[i] != '-' && !isDigit(s[i])) {
			return false
		}
	}
	return true
}

func urlEnd(text string, i int) int {
	for i < len(text) && urlBytes[text[i]] {
		i++
	}
	return i
}

// urlBytes marks the bytes of URLs: ASCII without white space, quotes, brackets and the like.
var urlBytes = func() (marks [256]bool) {
	for c := byte('!'); c < utf8.RuneSelf; c++ {
		marks[c] = strings.IndexByte("\"'`<>\\{}|^)]", c) < 0
	}
	return marks
}()

func trimURL(u string) string { return strings.TrimRight(u, ".,;:!?*") }

// word classifies one run of word bytes; rest is the text after it.
func word(w, rest string, visit func(FactKind, string)) {
	for len(w) > 0 && (w[0] == '+' || w[0] == '-' || w[0] == '%' || w[0] == '#') {
		w = w[1:]
	}
	for n := len(w) - 1; n >= 0 && (w[n] == '.' || w[n] == '-' || w[n] == '+' || w[n] == '%' || w[n] == '#' ||
		w[n] == '@' || w[n] == '~'); n-- {
		if w[n] == '%' {
			rest = "%"
		}
		w = w[:n]
	}
	if len(w) < 2 {
		if len(w) == 1 && isDigit(w[0]) {
			visitNumber(w, rest, visit)
		}
		return
	}
	if len(w) > maxPathLength {
		return
	}
	if strings.IndexByte(w, '/') >= 0 {
		slashedWord(w, rest, visit)
		return
	}
	plainWord(w, rest, visit)
}

// slashedWord reads a word with a slash: a path, or words joined by a slash ("and/or"), or a fraction.
func slashedWord(w, rest string, visit func(FactKind, string)) {
	if p := strings.Trim(w, "$#%@+"); isPath(p) {
		visit(Path, p)
		return
	}
	for len(w) > 0 {
		part, tail, _ := strings.Cut(w, "/")
		if part != "" && len(part) < len(w) {
			word(part, "", visit)
		} else if part != "" {
			word(part, rest, visit)
		}
		w = tail
	}
}

// isPath reports a word with slashes that has a mark of a path: a root, a dot folder, an extension at the end, or three
// parts.
func isPath(p string) bool {
	if len(p) < 4 {
		return false
	}
	letters, slashes := 0, 0
	for i := 0; i < len(p); i++ {
		switch class := byteClasses[p[i]]; {
		case class&letterBytes != 0:
			letters++
		case class == slashByte:
			if slashes++; i+1 < len(p) && p[i+1] == '/' {
				return false
			}
		}
	}
	if letters < 2 {
		return false
	}
	last := strings.TrimRight(p, "/")
	last = last[strings.LastIndexByte(last, '/')+1:]
	switch {
	case slashes >= 2, p[0] == '~', p[0] == '.', strings.IndexByte(last, '.') > 0:
		return true
	case p[0] == '/':
		return len(p) > 4
	}
	return strings.IndexByte(p, '_') >= 0 || strings.IndexByte(p, '-') >= 0 || strings.IndexByte(p, '@') >= 0 ||
		p[len(p)-1] == '/'
}

// plainWord reads a word without a slash.
func plainWord(w, rest string, visit func(FactKind, string)) {
	if isDigit(w[0]) {
		if isHash(w) {
			visit(Hash, w)
			return
		}
		visitNumber(w, rest, visit)
		return
	}
	if dot := strings.LastIndexByte(w, '.'); dot > 0 && len(w)-dot <= 8 && extensions[w[dot+1:]] && isFileName(w) {
		visit(Path, w)
		return
	}
	if isHash(w) {
		visit(Hash, w)
		return
	}
	if w[0] == 'v' && len(w) > 3 && isDigit(w[1]) && strings.IndexByte(w, '.') > 0 {
		visit(Number, w)
		return
	}
	found := false
	for i := 0; i < len(w); {
		if byteClasses[w[i]]&nameBytes == 0 {
			i++
			continue
		}
		start := i
		for i < len(w) && byteClasses[w[i]]&nameBytes != 0 {
			i++
		}
		part := w[start:i]
		next := rest
		if i < len(w) {
			next = w[i:]
		}
		switch {
		case isDigit(part[0]):
			visitNumber(part, next, visit)
		case isHash(part):
			visit(Hash, part)
			found = true
		case IsName(part):
			visit(Identifier, part)
			found = true
		}
	}
	if !found && isDotted(w) {
		visit(Identifier, w)
	}
}

// IsName reports an identifier of a program, not a word of prose: camelCase, an inner underscore or a dollar sign, or
// five or more letters that are all capitals.
func IsName(w string) bool {
	if len(w) < 4 || len(w) > maxNameLength {
		return false
	}
	upper, lower, camel, under := 0, 0, false, false
	before := uint8(0) // the class of the byte before
	for i := 0; i < len(w); i++ {
		class := byteClasses[w[i]]
		switch class {
		case upperByte:
			upper++
			camel = camel || before&(lowerByte|digitByte) != 0
		case lowerByte:
			lower++
		case underByte:
			under = under || w[i] == '$' || i > 0 && i < len(w)-1
		}
		before = class
	}
	if upper+lower < 3 {
		return false
	}
	return camel || under || lower == 0 && upper >= 5
}

// isDotted reports a qualified name of lower-case words: os.environ, path.join. Two sentences without a space between
// them contain a capital.
func isDotted(w string) bool {
	if len(w) < 5 || len(w) > maxNameLength || w[0] == '.' {
		return false
	}
	dots := 0
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c == '.':
			if dots++; w[i-1] == '.' {
				return false
			}
		case c < 'a' || c > 'z':
			return false
		}
	}
	return dots > 0
}

func isFileName(w string) bool {
	for i := 0; i < len(w); i++ {
		if byteClasses[w[i]]&(nameBytes|dotByte) == 0 && w[i] != '-' {
			return false
		}
	}
	return !strings.Contains(w, "..")
}

// isHash reports seven or more hexadecimal digits with both decimal digits and letters, or a uuid.
func isHash(w string) bool {
	if len(w) < 7 || len(w) > 128 {
		return false
	}
	digits, letters, dashes := 0, 0, 0
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f':
			letters++
		case c == '-':
			dashes++
		default:
			return false
		}
	}
	if dashes > 0 {
		return dashes == 4 && len(w) == 36
	}
	return digits > 0 && letters > 0 && (digits > 1 || letters > 1)
}

// maxDigits is the maximum number of digits of a number that is a fact: a longer run is data.
const maxDigits = 20

// visitNumber visits a number that has a unit or at least two digits; a version likewise. rest is the text after w.
func visitNumber(w, rest string, visit func(FactKind, string)) {
	digits, i := 0, 0
	for i < len(w) {
		if byteClasses[w[i]] == digitByte {
			digits++
		} else if w[i] != '.' || i+1 == len(w) || byteClasses[w[i+1]] != digitByte {
			break
		}
		i++
	}
	body, unit := w[:i], w[i:]
	if unit == "" && strings.HasPrefix(rest, "%") {
		unit = "%"
	}
	switch {
	case digits > maxDigits:
	case unit == "":
		if digits >= 2 {
			visit(Number, body)
		}
	case unit == "%":
		visit(Number, body+unit)
	case units[unit]:
		visit(Number, w)
	case unit[0] == '-' || unit[0] == '.' || unit[0] == '+': // 2024-01-31, 10-20, 1.2.3-beta
		if digits >= 2 {
			visit(Number, body)
		}
		visitRange(unit, visit)
	}
}

// visitRange visits the other numbers of a range or a date.
func visitRange(w string, visit func(FactKind, string)) {
	for i := 0; i < len(w); {
		start := i
		for i < len(w) && byteClasses[w[i]] == digitByte {
			i++
		}
		if i-start >= 2 && i-start <= maxDigits {
			visit(Number, w[start:i])
		}
		if i == start {
			i++
		}
	}
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func nameByte(c byte) bool { return byteClasses[c]&nameBytes != 0 }

// HasUnit reports a number with a unit, or a version: not a bare integer.
func HasUnit(number string) bool {
	for i := 0; i < len(number); i++ {
		if byteClasses[number[i]] != digitByte {
			return len(number) > 1
		}
	}
	return false
}
