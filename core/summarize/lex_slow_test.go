package summarize

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

// found is one atom.
type found struct {
	kind FactKind
	text string
}

func collected(atoms func(string, func(FactKind, string)), text string) (out []found) {
	atoms(text, func(k FactKind, s string) { out = append(out, found{k, s}) })
	return out
}

// wordParts are the parts of words at which the rules of atoms decide.
var wordParts = []string{"a", "f", "go", "The", "word", "fooBar", "snake_case", "HTTP", "ERROR", "UTF8",
	"$x", "_", "v1.2.3",
	"0", "7", "12", "2024", "deadbeef", "1234567a", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
	"abcdefab-cdef-abcd-efab-cdefabcdefab",
	"ms", "MB", "x", ".", "..", "/", "//", "-", "+", "#", "%", "@", "~", ":", "://", "https://",
	" ", "\n", "<", "</", "(", "é",
	"世", "\xff", "main.go", "os.environ", "i.e", "e.g", "and/or", "./", "README.md", strings.Repeat("a", 50),
	strings.Repeat("Xy", 45), strings.Repeat("9", 21)}

func TestAtomsAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(wordParts), 0, 30).Draw(t, "parts"), "")
		require.Equal(t, collected(slowAtoms, text), collected(Atoms, text))
	})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aefzAFZ0279_$./-+%@~#: <\u00e9")), 0, 60, -1).Draw(t, "text")
		require.Equal(t, collected(slowAtoms, text), collected(Atoms, text))
	})
}

// The sources and documents of this package are real text.
func TestAtomsOfFiles(t *testing.T) {
	count := 0
	for _, pattern := range []string{"*.go", "testdata/*", "../../*.md", "../../docs/*"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue // a folder
			}
			atoms := collected(Atoms, string(text))
			require.Equal(t, collected(slowAtoms, string(text)), atoms, name)
			count += len(atoms)
		}
	}
	require.Greater(t, count, 1000) // the files were read
}

func TestHasWordAgainstSlow(t *testing.T) {
	lists := []*wordList{decisionWords, findingWords, planWords}
	var words []string
	for _, l := range lists {
		words = append(words, slices.Concat(l.byFirst[:]...)...)
	}
	words = append(words, " ", "-", "_", "é", "x", "’", "'", "İ", "e", "nsure", "K", "\xff")
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), "")
		if rapid.Bool().Draw(t, "upper") {
			text = strings.ToUpper(text)
		}
		for _, l := range lists {
			has := hasWord(text, l)
			require.Equal(t, slowHasWord(text, slices.Concat(l.byFirst[:]...)), has)
			seen[has]++
		}
	})
	require.NotZero(t, seen[true])
	require.NotZero(t, seen[false])
}

// slowHasWord is hasWord, which searches for one word after the other.
func slowHasWord(s string, words []string) bool {
	low := strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	for _, w := range words {
		for i := range low {
			end := i + len(w)
			if strings.HasPrefix(low[i:], w) && (i == 0 || !slowNameByte(low[i-1])) &&
				(end == len(low) || !slowNameByte(low[end])) {
				return true
			}
		}
	}
	return false
}

func TestIsErrorAgainstSlow(t *testing.T) {
	parts := append([]string{"exit code: 0", "EXİT CODE 2", "Exit Status 1",
		"returned non-zero exit status 3", "\r\n", "\n", " ", "\t",
		"ok", "panics", strings.Repeat("x", 400), strings.Repeat("y", 1001)}, failureStarts...)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		if rapid.IntRange(0, 20).Draw(t, "long") == 0 {
			text = strings.Repeat("0123456\n", 1<<17-rapid.IntRange(0, 2).Draw(t, "shorter")) + text
		}
		require.Equal(t, slowIsError(text), IsError(&msg.Block{Kind: msg.KindToolResult, Text: text}))
	})
}

// slowIsError is IsError of a result with that text, line by line.
func slowIsError(text string) bool {
	if code, ok := slowExitCode(text); ok {
		return code != 0
	}
	failed, scanned := false, 0
	for line := range strings.Lines(text) {
		if scanned += len(line); failed || scanned > 1<<20 {
			break
		}
		line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t")
		for _, s := range failureStarts {
			failed = failed || len(line) <= 1000 && strings.HasPrefix(line, s)
		}
	}
	return failed
}

// slowExitCode is ExitCode, which looks for every phrase in every text.
func slowExitCode(text string) (code int, ok bool) {
	for _, part := range [2]string{text[:min(len(text), 400)], text[max(0, len(text)-400):]} {
		low := strings.ToLower(part)
		for _, lead := range exitLeads {
			i := strings.LastIndex(low, lead)
			if i < 0 {
				continue
			}
			rest := strings.TrimLeft(low[i+len(lead):], "\": =")
			digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
			if digits == 0 || digits > 3 {
				continue
			}
			for _, d := range rest[:digits] {
				code = code*10 + int(d-'0')
			}
			return code, true
		}
	}
	return 0, false
}

// slowAtoms is Atoms by its rules, byte by byte, without the classes of bytes and without the short cuts for words that
// are no atoms.
func slowAtoms(text string, visit func(FactKind, string)) {
	for i := 0; i < len(text); {
		if !slowWordByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && slowWordByte(text[i]) {
			i++
		}
		if i+2 < len(text) && text[i] == ':' && text[i+1] == '/' && text[i+2] == '/' {
			if end := slowUrlEnd(text, i+3); end > i+3 && slowIsScheme(text[start:i]) {
				if u := slowTrimURL(text[start:end]); len(u) <= maxPathLength {
					visit(URL, u)
				}
				i = end
				continue
			}
		}
		if text[start] == '/' && start > 0 && text[start-1] == '<' {
			start++ // a closing tag is not a path
		}
		slowWord(text[start:i], text[i:], visit)
	}
}

// The bytes of paths, names and numbers, as two sets of bits.
const (
	slowWordLow  = 1<<'#' | 1<<'$' | 1<<'%' | 1<<'+' | 1<<'-' | 1<<'.' | 1<<'/' | (1<<10-1)<<'0'
	slowWordHigh = 1<<('@'-64) | (1<<26-1)<<('A'-64) | 1<<('_'-64) | (1<<26-1)<<('a'-64) | 1<<('~'-64)
)

func slowWordByte(c byte) bool {
	if c < 64 {
		return slowWordLow>>c&1 != 0
	}
	return c < utf8.RuneSelf && uint64(slowWordHigh)>>(c-64)&1 != 0
}

func slowIsScheme(s string) bool {
	if len(s) < 2 || len(s) > 20 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !slowIsLetter(s[i]) && (i == 0 || s[i] != '+' && s[i] != '-' && !slowIsDigit(s[i])) {
			return false
		}
	}
	return true
}

func slowUrlEnd(text string, i int) int {
	for i < len(text) && text[i] > ' ' && text[i] < utf8.RuneSelf &&
		!strings.ContainsRune("\"'`<>\\{}|^)]", rune(text[i])) {
		i++
	}
	return i
}

func slowTrimURL(u string) string { return strings.TrimRight(u, ".,;:!?*") }

// word classifies one run of word bytes; rest is the text after it.
func slowWord(w, rest string, visit func(FactKind, string)) {
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
		if len(w) == 1 && slowIsDigit(w[0]) {
			slowVisitNumber(w, rest, visit)
		}
		return
	}
	if len(w) > maxPathLength {
		return
	}
	if strings.IndexByte(w, '/') >= 0 {
		slowSlashedWord(w, rest, visit)
		return
	}
	slowPlainWord(w, rest, visit)
}

// slashedWord reads a word with a slash: a path, or words joined by a slash ("and/or"), or a fraction.
func slowSlashedWord(w, rest string, visit func(FactKind, string)) {
	if p := strings.Trim(w, "$#%@+"); slowIsPath(p) {
		visit(Path, p)
		return
	}
	for len(w) > 0 {
		part, tail, _ := strings.Cut(w, "/")
		if part != "" && len(part) < len(w) {
			slowWord(part, "", visit)
		} else if part != "" {
			slowWord(part, rest, visit)
		}
		w = tail
	}
}

// isPath reports a word with slashes that has a mark of a path: a root, a dot folder, an extension at the end, or three
// parts.
func slowIsPath(p string) bool {
	if len(p) < 4 || strings.Contains(p, "//") {
		return false
	}
	letters, slashes := 0, 0
	for i := 0; i < len(p); i++ {
		if slowIsLetter(p[i]) {
			letters++
		} else if p[i] == '/' {
			slashes++
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
func slowPlainWord(w, rest string, visit func(FactKind, string)) {
	if slowIsDigit(w[0]) {
		if slowIsHash(w) {
			visit(Hash, w)
			return
		}
		slowVisitNumber(w, rest, visit)
		return
	}
	if dot := strings.LastIndexByte(w, '.'); dot > 0 && len(w)-dot <= 8 && extensions[w[dot+1:]] && slowIsFileName(w) {
		visit(Path, w)
		return
	}
	if slowIsHash(w) {
		visit(Hash, w)
		return
	}
	if w[0] == 'v' && len(w) > 3 && slowIsDigit(w[1]) && strings.IndexByte(w, '.') > 0 {
		visit(Number, w)
		return
	}
	found, parts := false, 0
	for i := 0; i < len(w); {
		if !slowNameByte(w[i]) {
			i++
			continue
		}
		start := i
		for i < len(w) && slowNameByte(w[i]) {
			i++
		}
		parts++
		part := w[start:i]
		next := rest
		if i < len(w) {
			next = w[i:]
		}
		switch {
		case slowIsDigit(part[0]):
			slowVisitNumber(part, next, visit)
		case slowIsHash(part):
			visit(Hash, part)
			found = true
		case slowIsName(part):
			visit(Identifier, part)
			found = true
		}
	}
	if !found && parts >= 2 && slowIsDotted(w) {
		visit(Identifier, w)
	}
}

// IsName reports an identifier of a program, not a word of prose: camelCase, an inner underscore or a dollar sign, or
// five or more letters that are all capitals.
func slowIsName(w string) bool {
	if len(w) < 4 || len(w) > maxNameLength {
		return false
	}
	upper, lower, camel, under := 0, 0, false, false
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c >= 'A' && c <= 'Z':
			upper++
			camel = camel || i > 0 && (slowIsDigit(w[i-1]) || w[i-1] >= 'a' && w[i-1] <= 'z')
		case c >= 'a' && c <= 'z':
			lower++
		case c == '_' && i > 0 && i < len(w)-1:
			under = true
		case c == '$':
			under = true
		}
	}
	if upper+lower < 3 {
		return false
	}
	return camel || under || lower == 0 && upper >= 5
}

// isDotted reports a qualified name of lower-case words: os.environ, path.join. Two sentences without a space between
// them contain a capital.
func slowIsDotted(w string) bool {
	if len(w) < 5 || len(w) > maxNameLength || !slowIsLetter(w[0]) || !slowIsLetter(w[len(w)-1]) {
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
	return dots > 0 && w != "i.e" && w != "e.g"
}

func slowIsFileName(w string) bool {
	for i := 0; i < len(w); i++ {
		if !slowNameByte(w[i]) && w[i] != '.' && w[i] != '-' {
			return false
		}
	}
	return !strings.Contains(w, "..")
}

// isHash reports seven or more hexadecimal digits with both decimal digits and letters, or a uuid.
func slowIsHash(w string) bool {
	if len(w) < 7 || len(w) > 128 {
		return false
	}
	digits, letters, dashes := 0, 0, 0
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case slowIsDigit(c):
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

// visitNumber visits a number that has a unit or at least two digits; a version likewise. rest is the text after w.
func slowVisitNumber(w, rest string, visit func(FactKind, string)) {
	digits, i := 0, 0
	for i < len(w) && (slowIsDigit(w[i]) || w[i] == '.' && i+1 < len(w) && slowIsDigit(w[i+1])) {
		if slowIsDigit(w[i]) {
			digits++
		}
		i++
	}
	body, unit := w[:i], w[i:]
	if unit == "" && strings.HasPrefix(rest, "%") {
		unit = "%"
	}
	switch {
	case digits > 20:
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
		slowVisitRange(unit, visit)
	}
}

// visitRange visits the other numbers of a range or a date.
func slowVisitRange(w string, visit func(FactKind, string)) {
	for i := 0; i < len(w); {
		start := i
		for i < len(w) && slowIsDigit(w[i]) {
			i++
		}
		if i-start >= 2 && i-start <= 20 {
			visit(Number, w[start:i])
		}
		if i == start {
			i++
		}
	}
}

func slowIsDigit(c byte) bool  { return c >= '0' && c <= '9' }
func slowIsLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func slowNameByte(c byte) bool { return slowIsDigit(c) || slowIsLetter(c) || c == '_' || c == '$' }
