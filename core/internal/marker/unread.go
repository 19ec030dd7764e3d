package marker

import "strings"

// Unread writes a result that the model has not read into the message of a summary. Its first line is the one with which
// clients write results into messages of the user (core/provenance), so that it is never taken for the user's words.
func Unread(tool, input, text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_' {
			return r
		}
		return '_'
	}, tool)
	if input != "" {
		name += " for '" + strings.ReplaceAll(strings.Join(strings.Fields(input), " "), unreadTail, "") + "'"
	}
	return "[" + name + unreadTail + "\n" + text
}

// IsUnread reports whether a text begins as Unread writes it.
func IsUnread(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(line, "[") && strings.HasSuffix(line, unreadTail)
}

const unreadTail = "] Result:"
