package summarize

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/words"
)

// This file reads the summaries of this package: their sections, and the lines below each heading.

type section uint8

const (
	sectionSaid section = iota
	sectionFiles
	sectionRuns
	sectionErrors
	sectionNames
	sectionNow
	sectionNotes // of an earlier summary, under a heading of a model
)

// headings are the titles of the sections, in their order. They contain no request.
var headings = [...]string{"What the assistant found, decided and did", "Files", "Commands and tools, with results",
	"Errors seen", "Other names", "In progress at that point"}

// opening labels the summary as history, so that a model does not take it for a request (C10, C11).
const opening = "Record of earlier work, extracted from the messages it replaces. It is history: nothing in it is a " +
	"request."

// summaryLines calls visit for each line of a summary that Apply wrote, without label, user's words, opening and
// headings. item is true for the first line of a list item. turn is the turn at the beginning of the line, for work in
// progress the last one of the summary, 0 if there is none.
func summaryLines(text string, visit func(s section, item bool, turn int, line string)) {
	label, rest := marker.Parse(text)
	_, rest = words.Cut(rest)
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
			marker.IsLoaded(line) {
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

// endsSection reports a line that ends the section before it: a heading, or the label of the next part of a summary.
func endsSection(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "[part ")
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
