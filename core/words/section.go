package words

import (
	"strconv"
	"strings"
)

// Heading begins the section of a summary that has the user's words.
const Heading = "## The user's words, in order: a later one replaces an earlier one"

// An item is "- turn 5: TEXT" or `- turn 5, asked "QUESTION": TEXT`. The other lines of a text are indented by two
// spaces, so no line of it can be read as an item, a heading or the end of the section.
const (
	item     = "- turn "
	indented = "  "
	asking   = ", asked \""
)

// Section writes the section, with the empty line that ends it; "" without words.
func Section(said []Said) string {
	if len(said) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(Heading)
	for i := range said {
		out.WriteString("\n" + line(&said[i]))
	}
	out.WriteString("\n\n")
	return out.String()
}

func line(s *Said) string {
	head := item + strconv.Itoa(s.Turn)
	if s.Asked != "" {
		head += asking + s.Asked + "\""
	}
	return head + ": " + strings.ReplaceAll(s.Text, "\n", "\n"+indented)
}

// Cut returns the words in the section at the beginning of a summary without its label, and the text after it.
func Cut(text string) (said []Said, rest string) {
	rest, ok := strings.CutPrefix(text, Heading+"\n")
	if !ok {
		return nil, text
	}
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		if more, ok := strings.CutPrefix(line, indented); ok && len(said) > 0 {
			said[len(said)-1].Text += "\n" + more
		} else if s, ok := readItem(line); ok {
			said = append(said, s)
		} else {
			return said, strings.TrimPrefix(rest, "\n")
		}
		rest = after
	}
	return said, ""
}

// readItem reads the first line of an item.
func readItem(line string) (s Said, ok bool) {
	rest, ok := strings.CutPrefix(line, item)
	if !ok {
		return s, false
	}
	n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	turn, err := strconv.Atoi(rest[:n])
	if err != nil || turn > maxTurn {
		return s, false
	}
	s.Turn, rest = turn, rest[n:]
	if question, found := strings.CutPrefix(rest, asking); found {
		if s.Asked, rest, found = strings.Cut(question, "\""); !found {
			return s, false
		}
	}
	s.Text, ok = strings.CutPrefix(rest, ": ")
	return s, ok
}

// maxTurn is larger than every turn.
const maxTurn = 1_000_000

// Disown returns a text that a model wrote without our heading: only Apply writes the section.
func Disown(text string) string {
	return strings.ReplaceAll(text, Heading, "## Notes of the summarizer")
}
