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
// is no object and has none, and betweenObjects.
func printedLines(line string, yield func(string) bool) bool {
	var member strings.Builder
	end := func() bool { return member.Len() == 0 || yield(member.String()) }
	inArray := []bool{}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '"':
			next := i + 1
			for next < len(line) && line[next] != '"' {
				if line[next] == '\\' {
					next++
				}
				next++
			}
			next = min(next+1, len(line))
			member.WriteString(line[i:next])
			i = next - 1
		case '{', '}':
			if c == '}' && !end() || !yield(betweenObjects) {
				return false
			}
			member.Reset() // what is left is the name of the object
			if c == '{' {
				inArray = append(inArray, false)
			} else if len(inArray) > 0 {
				inArray = inArray[:len(inArray)-1]
			}
		case ',':
			if len(inArray) > 0 && inArray[len(inArray)-1] {
				member.WriteString(", ")
			} else if !end() {
				return false
			} else {
				member.Reset()
			}
		case '[', ']':
			member.WriteByte(c)
			if c == '[' {
				inArray = append(inArray, true)
			} else if len(inArray) > 0 {
				inArray = inArray[:len(inArray)-1]
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
