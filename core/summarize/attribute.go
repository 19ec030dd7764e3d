package summarize

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// Attribute moves the lines of an answer that are under a heading of the user's words, but are not in the user's words,
// below a heading of the summarizer. A model can write any heading. Lines with a statement of the user that does not
// hold any more are left out. read returns the words of the user that the answer replaces, see WordsOf, and the
// statements that do not hold; it is called if the answer has such a heading.
func Attribute(answer string, read func() (said, stale map[string]bool)) string {
	var said, stale map[string]bool
	var kept, moved []string
	quotes, heading := false, "" // heading is written before the first line of its section
	for line := range strings.SplitSeq(answer, "\n") {
		if title := userHeading(line); title != "" {
			if said == nil {
				said, stale = read()
			}
			quotes, heading = true, "## "+title
			continue
		}
		quotes = quotes && !endsSection(line)
		switch {
		case !quotes, strings.TrimSpace(line) == "" && heading == "":
			kept = append(kept, line)
		case strings.TrimSpace(line) == "":
		case said[quoted(line)]:
			if slices.ContainsFunc(provenance.Constraints(quoted(line)),
				func(c provenance.Constraint) bool { return stale[c.Text] }) {
				continue
			}
			if heading != "" {
				kept = append(kept, heading)
			}
			kept, heading = append(kept, line), ""
		default:
			moved = append(moved, line)
		}
	}
	if len(moved) > 0 {
		kept = append(append(kept, "", "## "+notesHeading), moved...)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// notesHeading is above the lines that a model attributed to the user although the user did not write them.
const notesHeading = "Notes of the summarizer, not the user's words"

// userHeading returns the title of a heading of the user's words, in any markup, "" for another line.
func userHeading(line string) string {
	if len(line) > maxHeading {
		return ""
	}
	text := letters(line)
	for _, title := range slices.Backward(headings[:sectionSaid]) { // the last one has the words of the one before
		if key := letters(title); text == key || endsSection(line) && strings.Contains(text, key) {
			return title
		}
	}
	return ""
}

// maxHeading is the length of the longest line that can be a heading, in bytes.
const maxHeading = 200

// letters is the letters of a text, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// WordsOf returns the plain forms of all lines in which a summary may quote texts of the user.
func (s *Memory) WordsOf(texts []string) map[string]bool {
	said := map[string]bool{}
	for _, text := range texts {
		maps.Copy(said, s.wordsOf(text))
	}
	return said
}

// wordsOf returns the plain forms in which a summary may quote a text of the user: the text, each line, sentence and
// statement, whole or cut as the extractive summarizer cuts it. A part of a sentence can say the opposite of it.
func (s *Memory) wordsOf(text string) map[string]bool {
	if s != nil && s.words[text] != nil {
		return s.words[text]
	}
	said := map[string]bool{}
	add := func(text string) {
		said[plain(text)] = true
		said[plain(shortLine(text, maxTaskLine))] = true
		said[plain(provenance.BindingClause(provenance.Constraint{Text: text}, bindingLimit))] = true
	}
	add(text)
	for line := range strings.Lines(text) {
		add(line)
	}
	provenance.Sentences(text, add)
	for _, c := range s.constraintsOf(text) {
		add(c.Text)
	}
	if s != nil {
		if s.size += len(text); s.size <= maxMemoryBytes {
			if s.words == nil {
				s.words = map[string]map[string]bool{}
			}
			s.words[text] = said
		}
	}
	return said
}

// UserTexts returns the texts of the user in spans of a conversation whose summaries are marked, and the lines of
// earlier summaries that quote the user. If only is not nil, only its blocks are read.
func UserTexts(c *msg.Conversation, spans []msg.Span, only []msg.Ref) (out []string) {
	add := func(ref msg.Ref) {
		message := &c.Messages[ref.Message]
		block := &message.Blocks[ref.Block]
		if block.IsSummary() {
			summaryLines(block.Text, func(s section, _ bool, _ int, line string) {
				if s == sectionTask || s.pinned() {
					out = append(out, line)
				}
			})
			return
		}
		for _, span := range provenance.Spans(message, ref.Block) {
			if span.Author == provenance.User {
				out = append(out, block.Text[span.Start:span.End])
			}
		}
	}
	for _, ref := range only {
		add(ref)
	}
	for _, span := range spans {
		for it := c.WalkIn(span); only == nil && it.Next(); {
			add(it.Ref)
		}
	}
	return out
}
