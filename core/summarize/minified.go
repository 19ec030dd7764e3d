package summarize

import "strings"

// isMinified reports whether a long line begins like minified JSON with an object. Its end may be missing.
func isMinified(line string) bool {
	if len(line) <= maxLineLength {
		return false
	}
	line = strings.TrimLeft(line, " \t[")
	rest, opens := strings.CutPrefix(line, "{")
	return opens && strings.HasPrefix(strings.TrimLeft(rest, " \t"), `"`)
}

// betweenObjects is a line without text: members above and below it are not of the same object.
const betweenObjects = "    }"

// printedLines yields the lines of minified JSON as a printer writes them: one for each member of an object whose value
// is no object and has none, and betweenObjects. It returns false if yield does.
func printedLines(line string, yield func(string) bool) bool {
	var member strings.Builder
	var open []byte // the brackets that are not closed
	end := func() bool {
		text := member.String()
		member.Reset()
		return text == "" || yield(text)
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '{', '[':
			open = append(open, c)
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
		}
		switch c := line[i]; c {
		case '"':
			last := i + stringEnd(line[i:])
			member.WriteString(line[i:min(last+1, len(line))])
			i = last
		case '{':
			member.Reset() // the name of the object
			if !yield(betweenObjects) {
				return false
			}
		case '}':
			if !end() || !yield(betweenObjects) {
				return false
			}
		case ',':
			if len(open) > 0 && open[len(open)-1] == '[' {
				member.WriteString(", ")
			} else if !end() {
				return false
			}
		case ':':
			member.WriteString(": ")
		case ' ', '\t', '\r', '\n':
		default:
			member.WriteByte(c)
		}
	}
	return end()
}
