package policy

import (
	"strings"

	"tamp/core/msg"
)

// suggest returns "did you mean X?" for the known word that is nearest to an unknown one. If none is near, it returns
// the list of all known words, introduced by list.
func suggest(word string, known []string, list string) string {
	if best := msg.Nearest(word, known); best != "" {
		return "did you mean " + best + "?"
	}
	return list + " \"" + strings.Join(known, "\", \"") + "\""
}

// clip shortens a word of the caller's for an error message.
func clip(word string) string { return msg.Shorten(word, 60) }
