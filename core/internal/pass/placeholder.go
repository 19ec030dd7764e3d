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

// Shrinks reports that a placeholder is shorter than the text that it replaces, in bytes or in code points. Every edit
// of the passes and every edit of a plan that comes from outside obeys it: limits are in bytes for outputs and in code
// points for clearing.
func Shrinks(text, placeholder string) bool {
	return len(placeholder) < len(text) || longer(text, utf8.RuneCountInString(placeholder))
}
