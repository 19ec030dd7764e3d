package cli

import (
	"slices"
	"strings"

	"tamp/wasm/npm/help"
)

// helpOf is what the help says of a command and of its options. An entry begins with a line that has two spaces in
// front, and ends before the next one or an empty line.
func helpOf(name string) string {
	usage, options := "", "\n\nOptions:"
	var entry *string
	for line := range strings.Lines(help.Text) {
		line = "\n" + strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "\n   ") {
			word, _, _ := strings.Cut(strings.TrimPrefix(line, "\n  "), " ")
			option, isOption := strings.CutPrefix(word, "--")
			entry = nil
			if isOption && slices.Contains(optionsOf(name), option) {
				entry = &options
			} else if word == name {
				entry = &usage
			}
		}
		if entry != nil {
			*entry += line
		}
	}
	return "Usage: tamp " + strings.TrimSpace(usage) + options
}
