package summarize

import "strings"

// This file joins the short lines of texts that say nothing alone: the items of a list with the line above it, and the
// members of a JSON object.

const (
	maxShortItem = 60  // bytes of an item that is joined with the line above it
	maxJoined    = 280 // bytes of a joined line
)

// withItems returns the first line of lines joined with the short items of the list below it, and used, the number of
// lines that this takes, the first included. A sentence is no such item. The items are indented more than the first
// line, or follow a line that ends in a colon, after an empty line or none.
func withItems(lines []string) (joined string, used int) {
	head := strings.TrimRight(lines[0], " \t\r\n")
	opens := strings.HasSuffix(strings.TrimRight(head, "*_"), ":")
	depth, isList := itemDepth(head)
	if !opens && !isList || len(head) > maxJoined/2 {
		return lines[0], 1
	}
	minDepth := depth // of the items
	if isList {
		minDepth++
	}
	joined, used = head, 1
	for i := 1; i < len(lines); i++ {
		item := strings.TrimRight(lines[i], " \t\r\n")
		if item == "" && i == 1 && opens {
			continue
		}
		depth, isItem := itemDepth(item)
		item = withoutItemMark(item)
		if !isItem || depth < minDepth || len(item) > maxShortItem || strings.HasSuffix(item, ".") ||
			len(joined)+len(item)+2 > maxJoined {
			break
		}
		if strings.HasSuffix(strings.TrimRight(joined, "*_"), ":") {
			joined += " " + item
		} else {
			joined += "; " + item
		}
		used = i + 1
	}
	return joined, used
}

// itemDepth returns the columns before the mark of a list item. isItem is false for other lines.
func itemDepth(line string) (depth int, isItem bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			depth++
		case '\t':
			depth += 4
		default:
			return depth, len(itemMark(line[i:])) > 0
		}
	}
	return depth, false
}

func withoutItemMark(line string) string {
	line = strings.TrimLeft(line, " \t")
	return strings.TrimLeft(line[len(itemMark(line)):], " ")
}

// itemMark returns the mark at the beginning of a list item: "- ", "* ", "+ ", "• ", "1. " or "1) ".
func itemMark(line string) string {
	for _, mark := range [...]string{"- ", "* ", "+ ", "• "} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	digits := 0
	for digits < len(line) && isDigit(line[digits]) {
		digits++
	}
	rest := line[digits:]
	if digits > 0 && digits < 4 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return line[:digits+2]
	}
	return ""
}

// members joins the members of a JSON object that stand on lines of their own.
type members struct {
	joined  string
	keys    string         // of joined
	hasText bool           // a value of joined is a string that is not empty
	seen    map[string]int // how often the keys of an object without text were seen
}

// maxNumbers is the number of objects with the same keys and without text that have a line: numbers whose object is
// unknown say nothing.
const maxNumbers = 3

// add adds a line that is a member with a value that is no object and no array. It reports whether the line is one. An
// empty string says nothing and is left out.
func (m *members) add(line string) bool {
	key, value, found := strings.Cut(strings.TrimSuffix(line, ","), `": `)
	if !found || key == "" || key[0] != '"' || strings.IndexByte(key[1:], '"') >= 0 || value == "" {
		return false
	}
	switch c := value[0]; {
	case value == `""`:
		return true // it says nothing
	case c == '"':
		if len(value) < 2 || value[len(value)-1] != '"' {
			return false
		}
	case c == '{' || c == '[' || strings.ContainsAny(value, `,"}]`):
		return false
	}
	if m.joined != "" {
		m.joined += ", "
	}
	m.joined += strings.TrimSuffix(line, ",")
	m.keys += key
	m.hasText = m.hasText || value[0] == '"'
	return true
}

// take returns the joined members since the last call; "" if there are none, or too many like them.
func (m *members) take() string {
	joined := m.joined
	if joined != "" && !m.hasText {
		if m.seen == nil {
			m.seen = map[string]int{}
		}
		if m.seen[m.keys]++; m.seen[m.keys] > maxNumbers {
			joined = ""
		}
	}
	m.joined, m.keys, m.hasText = "", "", false
	return joined
}
