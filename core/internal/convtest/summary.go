package convtest

import "strings"

// Vouched returns a text as a model would write it for the prompt of a summary: with some names or words of the data,
// since an answer that has none is no summary. The members of requests as JSON do not count.
func Vouched(user, text string) string {
	_, data, _ := strings.Cut(user, "\n<conversation-")
	if end := strings.LastIndex(data, "\n</conversation-"); end >= 0 {
		data = data[:end]
	}
	words := strings.FieldsFunc(data, func(r rune) bool {
		return r < 0x80 && r != '_' && r != '.' && r != '/' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') &&
			(r < 'a' || r > 'z')
	})
	var names, others []string
	for i := len(words) - 1; i >= 0 && len(names) < 4; i-- {
		word := strings.Trim(words[i], "._/")
		switch {
		case len(word) < 5 || members[word] || len(word) > 60:
		case strings.ContainsAny(word, "_./") || len(names) < 2 && strings.ContainsAny(word, "0123456789"):
			names = append(names, word)
		case len(others) < 3 && len(word) < 15:
			others = append(others, word)
		}
	}
	return strings.TrimSpace(text + " " + strings.Join(append(names, others...), " "))
}

var members = map[string]bool{"tool_use": true, "tool_result": true, "tool_use_id": true, "tool_calls": true,
	"tool_call_id": true, "is_error": true, "function_call": true, "function_call_output": true, "call_id": true,
	"output_text": true, "input_text": true}
