//go:build !js

package main

import "strings"

// An entry of equivalent.txt: a mutant that does the same as the program.
type entry struct {
	reason string
	used   bool // whether there is such a mutant
}

// readEquivalent reads one entry a line: the file, the function and the change, as they are printed, then " # " and the
// reason. Empty lines and lines that open with # are comments. It returns the entries by the key of the mutant, and the
// errors.
func readEquivalent(text string) (map[string]*entry, []string) {
	entries := map[string]*entry{}
	var problems []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndex(line, " # ")
		if i < 0 {
			problems = append(problems, "no reason: "+line)
			continue
		}
		key := strings.TrimSpace(line[:i])
		if entries[key] != nil {
			problems = append(problems, "listed twice: "+key)
		}
		entries[key] = &entry{reason: strings.TrimSpace(line[i+3:])}
	}
	return entries, problems
}
