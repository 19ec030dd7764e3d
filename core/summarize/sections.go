package summarize

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/marker"
)

// This file reads the summaries of this package: their sections, and the lines below each heading.

type section uint8

const (
	sectionTask section = iota
	sectionConstraints
	sectionLists
	sectionSaid
	sectionFiles
	sectionRuns
	sectionErrors
	sectionNames
	sectionNow
	sectionNotes // of an earlier summary, under a heading of a model
)

// headings are the titles of the sections, in their order. They contain no request.
var headings = [...]string{"What the user had asked", "Constraints, in the user's words",
	"Long lists of constraints, in the user's words", "What the assistant found, decided and did", "Files",
	"Commands and tools, with results", "Errors seen", "Other names", "In progress at that point"}

// pinned reports a section of the user's statements.
func (s section) pinned() bool { return s == sectionConstraints || s == sectionLists }

// sectionOf returns the section of a statement. listed: it was one of many in a text.
func sectionOf(listed bool) section {
	if listed {
		return sectionLists
	}
	return sectionConstraints
}

// opening labels the summary as history, so that a model does not take it for a request (C10, C11).
const opening = "Record of earlier work, extracted from the messages it replaces. It is history: nothing in it is a " +
	"request."

// summaryLines calls visit for each line of a summary that Apply wrote, without label, opening and headings. item is
// true for the first line of a list item. turn is the turn at the beginning of the line, for work in progress the last
// one of the summary, 0 if there is none.
func summaryLines(text string, visit func(s section, item bool, turn int, line string)) {
	label, rest := marker.Parse(text)
	current := sectionNotes
	for _, line := range strings.Split(rest, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if endsSection(line) {
			current = sectionNotes
		}
		if title, ok := strings.CutPrefix(line, "## "); ok {
			if i := slices.Index(headings[:], title); i >= 0 {
				current = section(i)
			}
			continue
		}
		if line == "" || line == opening || strings.HasPrefix(line, "[part ") || strings.HasPrefix(line, OriginalsLine) ||
			strings.HasPrefix(line, marker.LoadedStart) || strings.HasPrefix(line, omittedStart) {
			continue
		}
		body, item := strings.CutPrefix(line, "- ")
		turn := 0
		if current == sectionNow {
			turn = label.Last
		}
		if rest, ok := strings.CutPrefix(body, "turn "); ok {
			number, said, found := strings.Cut(rest, ": ")
			if n, err := strconv.Atoi(number); found && err == nil && n > 0 && n <= maxTurn {
				turn, body = n, said
			}
		}
		visit(current, item, turn, strings.TrimSpace(body))
	}
}

// maxTurn is larger than every turn. It rejects numbers that are no turns.
const maxTurn = 1_000_000

// OriginalsLine begins the line that lists the archives of the summaries that were condensed into this one.
const OriginalsLine = "Earlier originals: "

// joint is between two fragments of a line that were not adjacent.
const joint = " · "

// oldLine is one line of a summary.
type oldLine struct {
	item bool
	turn int
	text string
}

// linesOf yields the lines of a summary with their sections.
func linesOf(text string) func(func(int, oldLine) bool) {
	return func(yield func(int, oldLine) bool) {
		more := true
		summaryLines(text, func(s section, item bool, turn int, line string) {
			more = more && yield(int(s), oldLine{item, turn, line})
		})
	}
}

const omittedStart = "Older statements of the user that are only in the originals: "

// omittedLine is the last line of a summary in which not all statements of the user fit. n is their number.
func omittedLine(n int) string {
	if n == 0 {
		return ""
	}
	return "\n\n" + omittedStart + strconv.Itoa(n)
}

// unquote removes the quotation marks around a line of the section of constraints.
func unquote(line string) string {
	if len(line) >= 2 && line[0] == '"' && line[len(line)-1] == '"' {
		return line[1 : len(line)-1]
	}
	return line
}

// endsSection reports a line that ends the section before it: a heading, or the label of the next part of a summary.
func endsSection(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "[part ")
}

// quoted returns the words of a line of a summary that quotes the user: plain, without list mark and turn.
func quoted(line string) string {
	line, item := strings.CutPrefix(strings.TrimSpace(line), "- ")
	if rest, ok := strings.CutPrefix(line, "turn "); ok && item {
		if number, text, found := strings.Cut(rest, ": "); found && strings.Trim(number, "0123456789") == "" {
			line = text
		}
	}
	return plain(line)
}

// plain is a text with single spaces, without quotation marks and emphasis around it.
func plain(text string) string {
	return strings.Trim(strings.Join(strings.Fields(text), " "), "\"*_ ")
}

// DroppedLines returns the lines of earlier summaries that text, a summary of them, does not contain, in their order
// and without the marks of lists and turns.
func DroppedLines(summaries []string, text string) []string {
	var dropped []string
	for _, summary := range summaries {
		summaryLines(summary, func(_ section, _ bool, _ int, line string) {
			if line != "" && !strings.Contains(text, line) {
				dropped = append(dropped, line)
			}
		})
	}
	return dropped
}

// QuotedStatements returns the statements of the user that a summary quotes, one a line.
func QuotedStatements(summary string) string {
	var out strings.Builder
	summaryLines(summary, func(s section, _ bool, _ int, line string) {
		if s.pinned() {
			out.WriteString(unquote(line) + "\n")
		}
	})
	return out.String()
}

// todoItems returns the items of a todo list as an earlier summary has it, in one line; nil for another line.
func todoItems(line string) []string {
	items := strings.Split(line, todoJoint)
	for _, item := range items {
		if todoState(item) != "" {
			return items
		}
	}
	return nil
}

// todoState is the state at the end of an item, "" if it has none.
func todoState(item string) string {
	at := strings.LastIndex(item, " (")
	if at < 0 {
		return ""
	}
	switch state := strings.TrimSuffix(item[at+2:], ")"); state {
	case "pending", "in_progress", "completed", "done":
		return state
	}
	return ""
}

// listsTodos reports an earlier summary with a todo list.
func listsTodos(text string) (lists bool) {
	summaryLines(text, func(s section, _ bool, _ int, line string) {
		lists = lists || s == sectionNow && todoItems(line) != nil
	})
	return lists
}

const todoJoint = " | " // between the items of a list
