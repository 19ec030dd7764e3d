package msg

import "strings"

// reminderTags are the elements that clients add next to the results of a round. A message of results and of these does
// not end the turn.
var reminderTags = [...]string{"system-reminder", "ide_selection", "ide_opened_file", "user-prompt-submit-hook",
	"pre-tool-use-hook"}

// IsReminder reports whether a text is wholly one element that clients add next to tool results.
func IsReminder(text string) bool {
	text = strings.TrimSpace(text)
	for _, name := range reminderTags {
		if inner, ok := strings.CutPrefix(text, "<"+name+">"); ok {
			inner, ok = strings.CutSuffix(inner, "</"+name+">")
			return ok && !strings.Contains(inner, "</"+name+">")
		}
	}
	return false
}
