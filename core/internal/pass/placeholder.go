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

// isPlaceholder reports a result of tool that some clearing left behind: by this policy's template, or by any preset's,
// since a session may have gone through another preset before.
func isPlaceholder(text, template, tool string) bool {
	for _, t := range [...]string{template, PlaceholderUsed, PlaceholderOld, PlaceholderCleared} {
		if text == placeholder(t, tool) {
			return true
		}
	}
	return false
}

// longer reports whether text has more than n code points, without counting a long one to its end.
func longer(text string, n int) bool {
	return len(text) > n && (len(text) > 4*n || utf8.RuneCountInString(text) > n)
}
