package pass

import (
	"strings"
	"unicode/utf8"
)

// The placeholders of the published designs. {tool} stands for the tool's name.
const (
	PlaceholderUsed    = "[Previous: used {tool}]"
	PlaceholderOld     = "[Old tool result content cleared]"
	PlaceholderCleared = "[cleared to save context]"
)

// placeholder fills in the tool's name.
func placeholder(template, tool string) string { return strings.ReplaceAll(template, "{tool}", tool) }

// isPlaceholder reports a text that some clearing left behind: of this policy's template, or of any preset's, since
// a session may have gone through another preset before.
func isPlaceholder(text, template string) bool {
	if len(text) > 400 { // no tool has a name that long
		return false
	}
	for _, t := range [...]string{template, PlaceholderUsed, PlaceholderOld, PlaceholderCleared} {
		head, tail, named := strings.Cut(t, "{tool}")
		if text == t || named && len(text) > len(head)+len(tail) &&
			strings.HasPrefix(text, head) && strings.HasSuffix(text, tail) {
			return true
		}
	}
	return false
}

// longer reports whether text has more than n code points, without counting a long one to its end.
func longer(text string, n int) bool {
	return len(text) > n && (len(text) > 4*n || utf8.RuneCountInString(text) > n)
}
