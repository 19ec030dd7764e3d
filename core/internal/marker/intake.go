package marker

import (
	"strconv"
	"strings"
)

// The texts of the two placeholders. Tamp and the recall tool recognize them by their exact text, so they never change.
const (
	setAsideHead = "[Large input saved to "
	setAsideTail = " chars. Use the recall tool to read it.]"
	omittedHead  = "[… "
	omittedTail  = " lines omitted; original "
)

// IsSetAside reports whether a text is exactly the placeholder of a user's text.
func IsSetAside(text string) bool {
	inner, ok := strings.CutPrefix(text, setAsideHead)
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, setAsideTail)
	ref, chars, both := strings.Cut(inner, ", ")
	return ok && both && IsRef(ref) && isNumber(chars)
}

// IsLimited reports whether an output was cut before, at any limit: one of its lines is the note that limit writes.
func IsLimited(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		inner, ok := strings.CutPrefix(line, omittedHead)
		if !ok {
			continue
		}
		bytes, behind, _ := strings.Cut(inner, " bytes, ")
		count, ref, _ := strings.Cut(behind, omittedTail)
		if ref, ok = strings.CutSuffix(ref, "]"); ok && isNumber(bytes) && isNumber(count) && IsRef(ref) {
			return true
		}
	}
	return false
}

// IsRef reports whether text has the form of a name of an original: see core.Ref.
func IsRef(text string) bool { return len(text) == 16 && strings.Trim(text, "0123456789abcdef") == "" }

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// SetAside is the placeholder of a user's text of n code points.
func SetAside(ref string, n int) string {
	return setAsideHead + ref + ", " + strconv.Itoa(n) + setAsideTail
}

// Omitted is the note in the middle of a limited output.
func Omitted(bytes, lines int, ref string) string {
	return omittedHead + strconv.Itoa(bytes) + " bytes, " + strconv.Itoa(lines) + omittedTail + ref + "]"
}

const (
	shortenedHead = "[… "
	shortenedTail = " characters of this message omitted; original "
)

// Shortened is the note after the beginning of a shortened prompt. n is the number of omitted code points.
func Shortened(n int, ref string) string {
	return shortenedHead + strconv.Itoa(n) + shortenedTail + ref + "]"
}

// IsShortened reports whether a line of text is the note of Shortened.
func IsShortened(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		inner, ok := strings.CutPrefix(line, shortenedHead)
		count, ref, found := strings.Cut(inner, shortenedTail)
		if ref, closed := strings.CutSuffix(ref, "]"); ok && found && closed && isNumber(count) && IsRef(ref) {
			return true
		}
	}
	return false
}
