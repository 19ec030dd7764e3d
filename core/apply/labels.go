package apply

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/view"
	"tamp/core/words"
)

// turnsLabel returns the label of a summary of turns.
func (a *source) turnsLabel(first, last int) string {
	if a.strategy.Archives {
		return marker.ArchivedTurnsLabel(first, last, a.archiveRef())
	}
	return marker.TurnsLabel(first, last)
}

func (a *source) archiveRef() string {
	if a.ref == "" {
		a.ref = view.Ref(view.Originals(a.c, a.plan.Archive))
	}
	return a.ref
}

// history returns the turns of a region and the line that lists the archives of the summaries in it; "" if it has none.
func (a *source) history(r *plan.Region) (first, last int, line string) {
	first, last = a.turns[r.Spans[0].Start], a.turns[r.Spans[len(r.Spans)-1].End-1]
	var refs []string
	for _, span := range r.Spans {
		for it := a.marked.WalkIn(span); it.Next(); {
			if it.Block.IsSummary() {
				if l, _ := marker.Parse(it.Block.Text); l.Form == marker.Turns {
					first, last = min(first, l.First), max(last, l.Last)
				}
			}
		}
		refs = append(refs, view.ArchivesIn(a.marked, span)...)
	}
	return first, last, view.ArchivesLine(refs)
}

// frameOf returns the texts around the summary of a region: its label, and the line at the end with the archives of
// earlier summaries. At level 2 they are those of the parts that are merged.
func (a *source) frameOf(r *plan.Region) (label, tail string) {
	if r.Level != 2 {
		first, last, line := a.history(r)
		return a.turnsLabel(first, last), line
	}
	parts := a.c.At(r.Blocks[0]).Text
	if a.c.Messages[r.Blocks[0].Message].Role != msg.Assistant { // the answer to the fixed question has no label
		l, _ := marker.Parse(parts)
		label = l.Text
	}
	said, _ := words.Cut(parts[len(label):])
	label += words.Section(said)
	return label, view.ArchivesLine(view.ArchivesOf(parts, marker.Label{}))
}
