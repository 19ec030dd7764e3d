package summarize

import (
	"strings"
	"unicode/utf8"

	"tamp/core/provenance"
)

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
	trimmed := strings.TrimSpace(s)
	n := 0
	for n < len(trimmed) && trimmed[n] < utf8.RuneSelf &&
		(trimmed[n] > ' ' || trimmed[n] == ' ' && trimmed[n-1] > ' ') {
		n++
	}
	if n == len(trimmed) || !strings.ContainsAny(s, "\n\t") && !strings.Contains(s, "  ") {
		return trimmed
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

// firstTextLine is the first line with text: not a ruler and not the exit code, which the outcome contains.
func firstTextLine(text string) string {
	for line, rest := provenance.NextLine(text); line != ""; line, rest = provenance.NextLine(rest) {
		line = strings.TrimSpace(line)
		low := strings.ToLower(line)
		if hasText(line) && line[0] != '=' && line[0] != '-' && !strings.HasPrefix(low, "exit code") &&
			!strings.HasPrefix(low, "process exited") {
			return line
		}
	}
	return ""
}

// hasText reports a line with at least five letters: not a bracket, a ruler or a number.
func hasText(s string) bool {
	letters := 0
	for i := 0; i < len(s); i++ {
		if isLetter(s[i]) || s[i] >= 0xC3 && s[i] != 0xE2 {
			if letters++; letters >= 5 {
				return true
			}
		}
	}
	return false
}

// isCapitals reports a line of two or more words in Latin capitals without an underscore or a number: the title of a
// section, a label in a drawing. Its words are no names.
func isCapitals(s string) bool {
	words, before := 0, uint8(0) // the class of the byte before
	for i := 0; i < len(s); i++ {
		class := byteClasses[s[i]]
		other := s[i] >= 0xC3 && s[i] != 0xE2 // a letter of another script, not a mark
		if other || class&(lowerByte|underByte) != 0 || class == digitByte && before == digitByte {
			return false
		}
		if class == upperByte && before != upperByte {
			words++
		}
		before = class
	}
	return words >= 2
}

// maxSentenceLength is the length at which a sentence is cut, in code points.
const maxSentenceLength = 280

// maxLineLength is the length of the parts of a longer line, in code points.
const maxLineLength = 140
