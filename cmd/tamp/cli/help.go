package cli

import (
	_ "embed"
	"strings"
)

// help lists the commands and their options.
//
//go:embed help.txt
var help string

// helpOf is what the help says of a command and of its options; of an unknown one the whole. An entry begins with a
// line that has two spaces in front, and ends before the next one or an empty line.
func helpOf(name string) string {
	row := find(name)
	if row == nil {
		return strings.TrimSpace(help)
	}
	usage, options := "", ""
	var entry *string
	for line := range strings.Lines(help) {
		line = "\n" + strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "\n   ") {
			word, _, _ := strings.Cut(strings.TrimPrefix(line, "\n  "), " ")
			option, isOption := strings.CutPrefix(word, "--")
			entry = nil
			if isOption && row.has(option) {
				entry = &options
			} else if word == name {
				entry = &usage
			}
		}
		if entry != nil {
			*entry += line
		}
	}
	if options != "" {
		options = "\n\nOptions:" + options
	}
	return "Usage: tamp " + strings.TrimSpace(usage) + options
}
