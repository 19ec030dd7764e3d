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

const schemaTypes = " string number integer boolean array object any "

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

// isManual reports a line of a tool's manual or of a skill: an instruction to the agent that uses it, or a line of a
// quoted text that YAML folded. It is no result.
func isManual(line string) bool {
	i := 0 // behind the mark of a list, a heading or a quotation
	for i < len(line) && (line[i] == ' ' || line[i] == '-' || line[i] == '*' || line[i] == '.' || line[i] == '#' ||
		line[i] == '>' || isDigit(line[i])) {
		i++
	}
	return manualStarts.has(line[i:])
}

var manualStarts = newStarts("IMPORTANT", "CRITICAL", "ALWAYS ", "Always ", "NEVER ", "Never ", "DO NOT ", "Do not ",
	"Don't ", "MUST ", "You MUST", "You must", "You should", "Use this tool", "tool_description:", `\`)

// isStyle reports a declaration of a style sheet: `font-size: 24px;`. The line has no white space around it.
func isStyle(line string) bool {
	if line[len(line)-1] != ';' {
		return false
	}
	key, value, found := strings.Cut(line, ":")
	return found && !strings.ContainsAny(value, `"'(=`) && key != "" &&
		strings.Trim(key, "abcdefghijklmnopqrstuvwxyz-") == "" && strings.Count(value, ";") == 1
}

// statusStarts begin the lines of the frame that Claude Code puts around the output of a task.
var statusStarts = newStarts("<retrieval_status>", "<task_type>", "<task_id>", "<exit_code>", "<usage>", "tool_uses: ",
	"duration_ms: ")

// isPagingNote reports a line of a reading tool about the lines that it left out: "[218 more lines in file. Use …]"
func isPagingNote(line string) bool {
	return line[0] == '[' && line[len(line)-1] == ']' && strings.Contains(line, " more lines in file")
}

// starts are the beginnings of lines, by their first byte.
type starts [128][]string

func newStarts(list ...string) *starts {
	out := new(starts)
	for _, s := range list {
		out[s[0]] = append(out[s[0]], s)
	}
	return out
}

func (s *starts) has(line string) bool {
	if line == "" || line[0] >= byte(len(s)) {
		return false
	}
	for _, start := range s[line[0]] {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}
