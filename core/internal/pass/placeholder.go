package pass

import (
	"strings"
	"unicode/utf8"
)

// The placeholders of the published designs. {tool} is replaced by the tool's name.
const (
	PlaceholderUsed    = "[Previous: used {tool}]"
	PlaceholderOld     = "[Old tool result content cleared]"
	PlaceholderCleared = "[cleared to save context]"
)

// placeholder returns the template with the tool's name.
func placeholder(template, tool string) string { return strings.ReplaceAll(template, "{tool}", tool) }

// isPlaceholder reports whether a result of tool is a placeholder: of this policy's template, or of any preset's, since an
// earlier turn may have used another preset.
func isPlaceholder(text, template, tool string) bool {
	for _, t := range [...]string{template, PlaceholderUsed, PlaceholderOld, PlaceholderCleared} {
		if text == placeholder(t, tool) {
			return true
		}
	}
	return false
}

// longer reports whether text has more than n code points. It does not read a long text to its end.
func longer(text string, n int) bool {
	return len(text) > n && (len(text) > 4*n || utf8.RuneCountInString(text) > n)
}

// Shrinks reports whether a placeholder is shorter than the text that it replaces, in bytes or in code points. Every edit
// of the passes and every edit of a plan from the caller must satisfy it: limits are in bytes for outputs and in code
// points for clearing.
func Shrinks(text, placeholder string) bool {
	return len(placeholder) < len(text) || longer(text, utf8.RuneCountInString(placeholder))
}
