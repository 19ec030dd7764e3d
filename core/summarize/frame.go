package summarize

import "strings"

// Frame returns the prompts of a request without their data: what Write says to the model, in parts.
func Frame(system, user string) []string {
	before, rest, found := strings.Cut(user, "\n\n<"+dataTag)
	end := strings.LastIndex(rest, "</"+dataTag)
	if !found || end < 0 {
		return []string{system}
	}
	_, question, _ := strings.Cut(rest[end:], ">")
	return []string{system, before, question}
}

// dataTag begins the name of the element that holds the data; the rest is a digest of the data.
const dataTag = "conversation-"
