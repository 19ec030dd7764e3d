package summarize

import "strings"

// DroppedLines returns the lines of earlier summaries that text, a summary of them, does not contain, in their order
// and without the marks of lists and turns.
func DroppedLines(summaries []string, text string) []string {
	var dropped []string
	for _, summary := range summaries {
		summaryLines(summary, func(_ section, _ bool, _ int, line string) {
			if line != "" && !strings.Contains(text, line) {
				dropped = append(dropped, line)
			}
		})
	}
	return dropped
}

// QuotedStatements returns the statements of the user that a summary quotes, one a line.
func QuotedStatements(summary string) string {
	var out strings.Builder
	summaryLines(summary, func(s section, _ bool, _ int, line string) {
		if s.pinned() {
			out.WriteString(unquote(line) + "\n")
		}
	})
	return out.String()
}
