package summarize

import (
	"strconv"
	"strings"

	"tamp/core/msg"
	"tamp/core/tokens"
)

// Options of a summary.
type Options struct {
	Counter   tokens.Counter // counts MaxTokens; nil means tokens.Estimate
	MaxTokens int            // the maximum of the summary; under about 50 the summary is empty
	Focus     string         // text about what to preserve first; facts that match its words and names are worth more
}

// Summarize is New and Index.Summarize for one span of c.
func Summarize(c *msg.Conversation, span msg.Span, o Options) string {
	return New(c, []msg.Span{span}, nil).Summarize(0, o)
}

// Summarize writes the summary of the n-th span: sections of sentences and lists, never over o.MaxTokens. It is "" if
// the span contains no fact or no line fits. It has none of the user's words, which have a section of their own
// (package words), and no value that looks like a secret.
func (x *Index) Summarize(n int, o Options) string {
	if o.Counter == nil {
		o.Counter = tokens.Estimate
	}
	d := newDraft(x, n)
	d.focus = readFocus(o.Focus)
	gather(d)
	head := ""
	if o.MaxTokens >= roomForOpening {
		head = opening + "\n"
	}
	if text := write(d, head, o); text != "" {
		return text
	}
	return bestLine(d, o)
}

// write returns the best units of a draft below a head, "" if none fits. A text of many units has fewer tokens than the
// units one by one, so what is left is filled again.
func write(d *draft, head string, o Options) string {
	c := newChooser(d, o.Counter)
	budget := o.MaxTokens - o.Counter.Count(head)
	chosen := c.fill(budget + budget*maxOverfill/1000)
	text, size := "", 0
	for try := 0; len(chosen) > 0; try++ {
		text = head + render(d, chosen)
		size = o.Counter.Count(text)
		if size >= o.MaxTokens-o.MaxTokens/minFilled || len(c.ranked) == 0 || try == maxFills {
			break
		}
		before := len(chosen)
		c.left = 0
		if chosen = c.fill(int(int64(o.MaxTokens-size) * int64(c.spent) / int64(max(size, 1)))); len(chosen) == before {
			break
		}
	}
	for len(chosen) > 0 && size > o.MaxTokens {
		chosen = dropLast(d, chosen, size-o.MaxTokens, o.Counter)
		text = head + render(d, chosen)
		size = o.Counter.Count(text)
	}
	if len(chosen) == 0 {
		return ""
	}
	return text
}

const (
	minFilled = 10 // a summary is full if less than this fraction of it is left
	maxFills  = 3  // how often it is filled again
)

// Complete returns the best units of the n-th span that an answer of a model lacks, word for word and under their
// headings, in at most o.MaxTokens; "" if it lacks none. An answer lacks a unit if it lacks a name in it.
func (x *Index) Complete(n int, answer string, o Options) string {
	d := newDraft(x, n)
	Atoms(answer, func(_ FactKind, name string) {
		if id, ok := x.findAtom(name); ok {
			d.draftAtom(id).worth = 0
		}
	})
	d.focus = readFocus(o.Focus)
	gather(d)
	for i := range d.units {
		switch u := &d.units[i]; {
		case u.part == partHead && u.lo == u.hi:
			u.base = 0 // it comes with a line of its group
		case u.lo == u.hi:
			u.part = partDropped
		}
	}
	return write(d, "", o)
}

// IsExtract reports a summary that Summarize wrote with room for its opening.
func IsExtract(summary string) bool { return strings.HasPrefix(summary, opening) }

// bestLine is a summary of one line, for a span in which nothing else was found: the last text with letters, the
// assistant's before a tool's. It is "" if there is none, or under minBestLine tokens.
func bestLine(d *draft, o Options) string {
	if o.MaxTokens < minBestLine {
		return ""
	}
	x, best := d.x, ""
	span := x.spans[d.span]
	for m := span.End - 1; m >= span.Start; m-- {
		for b := range x.c.Messages[m].Blocks {
			block := &x.c.Messages[m].Blocks[b]
			line := shortLine(firstTextLine(block.Text), maxSentenceLength)
			switch {
			case line == "" || x.c.Messages[m].Role == msg.User && block.Kind == msg.KindText || block.IsSummary():
			case x.c.Messages[m].Role == msg.Assistant && block.Kind == msg.KindText:
				return ShortenToTokens("- turn "+strconv.Itoa(x.turns[m])+": "+line, o.MaxTokens, o.Counter.Count)
			case best == "" && block.Kind == msg.KindToolResult:
				best = "- turn " + strconv.Itoa(x.turns[m]) + ", from a tool: " + line
			}
		}
	}
	return ShortenToTokens(best, o.MaxTokens, o.Counter.Count)
}

const minBestLine = 20 // tokens

const roomForOpening = 300 // tokens; in a smaller summary the opening takes too large a share

// dropLast removes units from the end until about over tokens are removed, at least one unit.
func dropLast(d *draft, chosen []int32, over int, counter tokens.Counter) []int32 {
	for ; len(chosen) > 0 && over > 0; chosen = chosen[:len(chosen)-1] {
		over -= counter.Count(d.units[chosen[len(chosen)-1]].text) + 1
	}
	return chosen
}
