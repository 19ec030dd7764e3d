package summarize

import "strings"

// Merging summaries without a model. An extract of an extract would lose the context of its facts, so whole lines are
// kept below their headings. Each heading gets tokens in proportion to its share of the input, at least one line if
// possible, and keeps its newest lines that fit.

// summaryLine is a line of a summary with the indented lines below it.
type summaryLine struct {
	heading int
	text    string
	tokens  int
	chosen  bool
}

// MergeText merges consecutive summaries into one of at most maxTokens; "" if no line fits.
func MergeText(parts []string, maxTokens int, count func(string) int) string {
	headings, items := readItems(parts, count)
	sizes, total := make([]int, len(headings)), 0
	for i := range items {
		sizes[items[i].heading] += items[i].tokens
		total += items[i].tokens
	}
	room := maxTokens
	for h := range headings {
		room -= count(headings[h]) + 2
	}
	left := room
	take := func(fits func(*summaryLine) bool) {
		for i := len(items) - 1; i >= 0; i-- { // the newest first
			if it := &items[i]; !it.chosen && it.tokens <= left && fits(it) {
				it.chosen = true
				left -= it.tokens
			}
		}
	}
	used := make([]int, len(headings))
	take(func(it *summaryLine) bool {
		share := int(int64(sizes[it.heading]) * int64(room) / int64(total))
		if headings[it.heading] == "" { // text of a model without our headings: it can be the only summary of its part
			share = max(share, room/2)
		}
		// The share of a short heading can be less than a line: its newest line is kept if it takes at most a quarter of
		// room.
		first := used[it.heading] == 0 && it.tokens*4 <= room
		if !first && used[it.heading]+it.tokens > share {
			return false
		}
		used[it.heading] += it.tokens
		return true
	})
	take(func(*summaryLine) bool { return true }) // the tokens that the shares left over
	for {
		text := writeItems(headings, items)
		if text == "" || count(text) <= maxTokens {
			return text
		}
		dropOldest(items)
	}
}

// readItems splits the summaries into lines below their headings. A repeated line is kept once.
func readItems(parts []string, count func(string) int) (headings []string, items []summaryLine) {
	index, seen := map[string]int{}, map[string]bool{}
	for _, part := range parts {
		heading, fresh := "", false // fresh: the previous line belongs to the last item
		for _, line := range strings.Split(part, "\n") {
			line = strings.TrimRight(line, " \t\r")
			switch {
			case strings.HasPrefix(line, "#"):
				heading, fresh = line, false
			case line == "":
				fresh = false
			case fresh && (line[0] == ' ' || line[0] == '\t'):
				last := &items[len(items)-1]
				last.text += "\n" + line
				last.tokens += count(line) + 1
			default:
				if fresh = !seen[heading+"\n"+line]; !fresh {
					continue
				}
				seen[heading+"\n"+line] = true
				h, ok := index[heading]
				if !ok {
					h = len(headings)
					index[heading], headings = h, append(headings, heading)
				}
				items = append(items, summaryLine{heading: h, text: line, tokens: count(line) + 1})
			}
		}
	}
	return headings, items
}

// writeItems writes the chosen items below their headings.
func writeItems(headings []string, items []summaryLine) string {
	var out strings.Builder
	below := make([][]int, len(headings))
	for i := range items {
		below[items[i].heading] = append(below[items[i].heading], i)
	}
	for h := range headings {
		first := true
		for _, i := range below[h] {
			if !items[i].chosen {
				continue
			}
			if first && out.Len() > 0 {
				out.WriteString("\n\n")
			}
			if first && headings[h] != "" {
				out.WriteString(headings[h])
			}
			if !first || headings[h] != "" {
				out.WriteString("\n")
			}
			first = false
			out.WriteString(items[i].text)
		}
	}
	return out.String()
}

// dropOldest removes the first chosen item.
func dropOldest(items []summaryLine) {
	for i := range items {
		if items[i].chosen {
			items[i].chosen = false
			return
		}
	}
}
