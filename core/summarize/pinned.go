package summarize

import (
	"slices"
	"strings"
	"unicode"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// Pinned is a statement of the user in a message of a conversation, or in a line of an earlier summary that quotes it.
type Pinned struct {
	Message int
	Kind    provenance.Kind
	Text    string // word for word
	Holds   bool   // no later statement repeats, replaces or revokes it
}

// ReadPinned returns the statements of the user in a conversation whose summaries are marked, in order.
func (s *Memory) ReadPinned(c *msg.Conversation) []Pinned {
	var out []Pinned
	var all []provenance.Constraint
	for it := c.Walk(); it.Next(); {
		message, block := &c.Messages[it.Ref.Message], it.Block
		switch {
		case block.IsSummary():
			summaryLines(block.Text, func(at section, _ bool, _ int, line string) {
				if at == sectionConstraints {
					all = append(all, s.statementsOf(unquote(line))...)
				}
			})
		case message.Role == msg.User && block.Kind == msg.KindText:
			for _, span := range message.Spans(it.Ref.Block) {
				if span.Author == provenance.User {
					all = append(all, s.constraintsOf(block.Text[span.Start:span.End])...)
				}
			}
		}
		for _, statement := range all[len(out):] {
			out = append(out, Pinned{Message: it.Ref.Message, Kind: statement.Kind, Text: statement.Text})
		}
	}
	for i, holds := range s.holding(all) {
		out[i].Holds = holds
	}
	return out
}

// Holding reports for each statement whether it still holds. Of equal statements, the last does.
func Holding(all []provenance.Constraint) []bool {
	holds := make([]bool, len(all))
	latest := provenance.Latest(all)
	n := len(latest) - 1
	for i, c := range slices.Backward(all) {
		if n >= 0 && latest[n].Text == c.Text {
			holds[i] = true
			n--
		}
	}
	return holds
}

// holding is the function Holding. It does not read the statements of the last call again.
func (s *Memory) holding(all []provenance.Constraint) []bool {
	if s == nil {
		return Holding(all)
	}
	if s.holds == nil || !slices.Equal(s.statements, all) {
		s.statements, s.holds = all, Holding(all)
	}
	return s.holds
}

// statementsOf returns the statements of a line that quotes the user. The words are pinned even if the line alone is
// not recognized as a statement.
func (s *Memory) statementsOf(line string) []provenance.Constraint {
	found := s.constraintsOf(line)
	if len(found) == 0 {
		found = []provenance.Constraint{{Kind: provenance.Fact, Text: line, Subject: line}}
	}
	return found
}

// LineTokens is the approximate size of a statement in a summary, in tokens of a counter.
func LineTokens(text string, count func(string) int) int {
	return count(text) + markupTokens(partConstraint)
}

// FrameTokens is the approximate size of the heading of the statements.
const FrameTokens = 12

// KeepPinned returns a summary of at most maxTokens that has all statements: those that are missing in it are added
// under the heading of the user's constraints, rules first. The end of the summary is cut if there is no room for
// them. Statements that do not fit maxTokens alone are left out.
func KeepPinned(summary string, statements []Pinned, maxTokens int, count func(string) int) string {
	missing := missingIn(summary, statements)
	if len(missing) == 0 {
		return summary
	}
	text := addPinned(summary, missing)
	if count(text) <= maxTokens {
		return text
	}
	ranked := slices.Clone(statements)
	slices.Reverse(ranked) // the newest first
	order.Stable(ranked, func(a, b Pinned) int { return int(a.Kind) - int(b.Kind) })
	room, fits := maxTokens-FrameTokens, map[string]bool{}
	for _, s := range ranked {
		if n := LineTokens(s.Text, count); n <= room {
			room -= n
			fits[s.Text] = true
		}
	}
	if len(fits) == 0 {
		return summary
	}
	wanted := slices.DeleteFunc(slices.Clone(statements), func(s Pinned) bool { return !fits[s.Text] })
	summary = ShortenToTokens(summary, max(room, 0), count)
	if cut := strings.LastIndexByte(summary, '\n'); cut >= 0 && strings.HasPrefix(summary[cut+1:], "#") {
		summary = strings.TrimSpace(summary[:cut]) // a heading without a line
	}
	return addPinned(summary, missingIn(summary, wanted))
}

func missingIn(summary string, statements []Pinned) []Pinned {
	if len(statements) == 0 {
		return nil
	}
	have := letters(summary)
	var missing []Pinned
	for _, s := range statements {
		clause := provenance.BindingClause(provenance.Constraint{Text: s.Text}, bindingLimit)
		if !strings.Contains(have, letters(s.Text)) && !strings.Contains(have, letters(clause)) {
			missing = append(missing, s)
		}
	}
	return missing
}

// addPinned adds lines to the section of constraints.
func addPinned(summary string, statements []Pinned) string {
	if len(statements) == 0 {
		return summary
	}
	lines := ""
	for _, s := range statements {
		lines += "\n- \"" + s.Text + "\""
	}
	heading := "## " + headings[sectionConstraints]
	if i := strings.Index("\n"+summary+"\n", "\n"+heading+"\n"); i >= 0 {
		at := i + len(heading)
		return summary[:at] + lines + summary[at:]
	}
	return strings.TrimLeft(summary+"\n\n"+heading+lines, "\n")
}

// letters is a text in lower case without anything but letters and digits, for comparisons.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Attribute moves the lines of an answer that are under a heading of the user's words, but are not in the user's words,
// below a heading of the summarizer. A model can write any heading. user has all texts of the user that the answer
// replaces, and lines of earlier summaries that quote the user.
func Attribute(answer string, user []string) string {
	if !hasUserHeading(answer) {
		return answer
	}
	said := ""
	for _, text := range user {
		said += letters(text) + "\x00"
	}
	var kept, moved []string
	current := false // under a heading of the user's words
	for _, line := range strings.Split(answer, "\n") {
		trimmed := strings.TrimRight(line, " \t\r")
		switch {
		case strings.HasPrefix(trimmed, "#"): // as summaryLines and renderers of Markdown read it
			current = isUserHeading(trimmed)
			kept = append(kept, line)
		case !current || trimmed == "":
			kept = append(kept, line)
		case isSaid(line, said):
			kept = append(kept, line)
		default:
			moved = append(moved, line)
		}
	}
	if len(moved) == 0 {
		return answer
	}
	return strings.TrimSpace(strings.Join(dropEmpty(kept), "\n") + "\n\n## " + notesHeading + "\n" +
		strings.Join(moved, "\n"))
}

// notesHeading is above the lines that a model attributed to the user although the user did not write them.
const notesHeading = "Notes of the summarizer, not the user's words"

func isUserHeading(line string) bool {
	title := strings.TrimSpace(strings.TrimLeft(line, "#"))
	return title == headings[sectionTask] || title == headings[sectionConstraints]
}

func hasUserHeading(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") && isUserHeading(line) {
			return true
		}
	}
	return false
}

// isSaid reports whether all pieces of a line, between ellipses and joints, are in the letters of the user's texts.
func isSaid(line, said string) bool {
	body := strings.TrimPrefix(strings.TrimSpace(line), "- ")
	if rest, ok := strings.CutPrefix(body, "turn "); ok {
		if number, text, found := strings.Cut(rest, ": "); found && strings.Trim(number, "0123456789") == "" {
			body = text
		}
	}
	for _, piece := range strings.Split(strings.ReplaceAll(body, joint, "…"), "…") {
		if !strings.Contains(said, letters(piece)) {
			return false
		}
	}
	return true
}

// dropEmpty removes headings of the user's words without a line.
func dropEmpty(lines []string) []string {
	var out []string
	for i, line := range lines {
		if strings.HasPrefix(line, "#") && isUserHeading(strings.TrimRight(line, " \t\r")) {
			next := i + 1
			for next < len(lines) && strings.TrimSpace(lines[next]) == "" {
				next++
			}
			if next == len(lines) || strings.HasPrefix(lines[next], "#") {
				continue
			}
		}
		out = append(out, line)
	}
	return out
}

// UserTexts returns the texts of the user in spans of a conversation whose summaries are marked, and the lines of
// earlier summaries that quote the user.
func UserTexts(c *msg.Conversation, spans []msg.Span) []string {
	var out []string
	for _, run := range spans {
		for m := run.Start; m < run.End; m++ {
			message := &c.Messages[m]
			for b := range message.Blocks {
				block := &message.Blocks[b]
				switch {
				case block.IsSummary():
					summaryLines(block.Text, func(s section, _ bool, _ int, line string) {
						if s == sectionConstraints || s == sectionTask {
							out = append(out, line)
						}
					})
				case message.Role == msg.User && block.Kind == msg.KindText:
					for _, span := range message.Spans(b) {
						if span.Author == provenance.User {
							out = append(out, block.Text[span.Start:span.End])
						}
					}
				}
			}
		}
	}
	return out
}
