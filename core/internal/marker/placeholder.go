package marker

import "strings"

// The placeholders of the published designs. {tool} is replaced by the tool's name.
const (
	PlaceholderUsed    = "[Previous: used {tool}]"
	PlaceholderOld     = "[Old tool result content cleared]"
	PlaceholderCleared = "[cleared to save context]"
)

// ExpandTool returns the template with the tool's name.
func ExpandTool(template, tool string) string { return strings.ReplaceAll(template, "{tool}", tool) }

// IsPlaceholder reports whether a result of tool is a placeholder: of this policy's template, or of any preset's, since
// an earlier turn may have used another preset.
func IsPlaceholder(text, template, tool string) bool {
	for _, t := range [...]string{template, PlaceholderUsed, PlaceholderOld, PlaceholderCleared} {
		if text == ExpandTool(t, tool) {
			return true
		}
	}
	return false
}
