package summarize

import "strings"

// This file recognizes lines that are data: a reader learns nothing from them but names, which a group lists.

// isParameter reports a line of a tool's description that has the type of a parameter: `limit: '(Optional, number) …'`.
func isParameter(line string) bool {
	before, after, found := strings.Cut(line, "(")
	kind, _, closed := strings.Cut(after, ")")
	kind = strings.TrimPrefix(kind, "Optional, ")
	return found && closed && len(kind) <= len("boolean") && strings.Contains(schemaTypes, " "+kind+" ") &&
		strings.HasSuffix(strings.TrimRight(before, `'"\`), ": ")
}

const schemaTypes = " string number integer boolean array object "

// isIDList reports a line with four or more ids, at least a third of its words: `("Pxt1xpi","a"),("oD0GGBI","b"),…`.
// An id is a word of six letters and digits or more, with both.
func isIDList(line string) bool {
	words, ids, letters, digits := 0, 0, 0, 0
	for i := 0; i <= len(line); i++ {
		switch {
		case i < len(line) && isLetter(line[i]):
			letters++
		case i < len(line) && isDigit(line[i]):
			digits++
		case i < len(line) && (line[i] == '-' || line[i] == '_'): // within a word
		case letters+digits > 0:
			words++
			if letters+digits >= 6 && letters > 0 && digits > 0 {
				ids++
			}
			letters, digits = 0, 0
		}
	}
	return ids >= 4 && ids*3 >= words
}

// isTableRuler reports the line between the heading of a Markdown table and its rows.
func isTableRuler(line string) bool {
	return strings.Contains(line, "--") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t\r\n") == ""
}
