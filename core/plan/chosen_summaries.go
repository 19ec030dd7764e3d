package plan

import (
	"cmp"
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/view"
)

// This file makes regions of what the host chose to summarize: Chosen.Summarize.

// ChosenSummaries is the Trigger.Kind of a plan with regions that the host chose. The plan is made and applied under
// policy.Bounded: such a region may have prompts of the user and earlier summaries.
const ChosenSummaries = "summarize"

// summarizeChosen makes a region of each run of messages that are replaced whole, and one of the chosen blocks of each
// other message, which are replaced in place.
func (d *Draft) summarizeChosen() error {
	refs, c := d.env.summarize(), d.in.Conversation
	if len(refs) == 0 {
		return nil
	}
	d.p, d.plan.Trigger = d.p.Bounded(), Trigger{Kind: ChosenSummaries}
	s := summarized{d: d, waiting: make([]bool, len(c.Messages)), open: msg.OpenRound(c), chosen: map[msg.Ref]int{}}
	view.MarkWaiting(c, d.in.Pairing, s.waiting)
	s.read(refs)
	for m := 0; m < len(c.Messages); {
		r, err := s.region(m)
		switch m = r.Spans[0].End; {
		case err != nil:
			return err
		case r.Tokens > choice.LabelTokens:
			r.Budget = choice.Budget(d.p, r.Tokens)
			d.regions = append(d.regions, r)
		case r.Tokens > 0:
			d.decisions = append(d.decisions, pass.Decision{Ref: msg.Ref{Message: r.Spans[0].Start}, Fate: pass.Pinned,
				Reason: "no summary is shorter"})
		}
	}
	selected, budgets := choice.Selection{Regions: d.regions}, 0 // shares them
	free := selected.AddWords(d.in, choice.WordsOf(d.in, d.env.cache), d.p, Window(d.p, c), d.in.Counts.Total,
		StrategyOf(d.p).Frame)
	for i := range d.regions {
		budgets += d.regions[i].Budget
	}
	for i := range d.regions {
		if r := &d.regions[i]; budgets > free { // with the user's words, longer summaries are not shorter than their texts
			r.Budget = max(int(int64(r.Budget)*int64(free)/int64(budgets)), min(r.Budget, choice.MinBudget))
		}
	}
	q := requester{in: d.in, p: d.p, env: &d.env, turns: view.TurnsOf(c), marks: d.important(d.in)}
	unloaded := Unloaded(c, d.in.Pairing, d.regions)
	for i := range d.regions {
		r := &d.regions[i]
		d.plan.Requests = append(d.plan.Requests, q.ask(r, r.Budget, unloaded[i])...)
	}
	return nil
}

// summarized are the blocks that the host chose to summarize.
type summarized struct {
	d       *Draft
	chosen  map[msg.Ref]int // of a block: its place in Chosen.Summarize, from 1
	whole   []int           // of a message that is replaced whole: the place of the block that it is for; else 0
	waiting []bool          // see view.MarkWaiting
	open    int             // the open round
}

// read sets the blocks, and the messages to replace whole. These are messages that are chosen whole, and those with a
// chosen block that is neither text nor a tool result, each with the other halves of its pairs and all between. Results
// whose calls stay are replaced in place.
func (s *summarized) read(refs []msg.Ref) {
	c := s.d.in.Conversation
	counts := make([]int, len(c.Messages)) // chosen blocks
	for i, r := range refs {
		if s.chosen[r] == 0 {
			s.chosen[r] = i + 1
			counts[r.Message]++
		}
	}
	s.whole = make([]int, len(c.Messages)+1)
	for i, r := range refs {
		m := &c.Messages[r.Message]
		if !isAlone(&m.Blocks[r.Block]) || counts[r.Message] == len(m.Blocks) && !m.Any(isResult) {
			s.whole[r.Message] = cmp.Or(s.whole[r.Message], i+1)
		}
	}
	inside := pass.InsidePairs(c, s.d.in.Pairing)
	for m := len(c.Messages) - 1; m > 0; m-- {
		if inside[m] && s.whole[m] > 0 {
			s.whole[m-1] = cmp.Or(s.whole[m-1], s.whole[m])
		}
	}
	for m := 1; m < len(c.Messages); m++ {
		if inside[m] && s.whole[m-1] > 0 {
			s.whole[m] = cmp.Or(s.whole[m], s.whole[m-1])
		}
	}
}

// isAlone reports whether a summary can replace a block without the other blocks of its message.
func isAlone(b *msg.Block) bool { return b.Kind == msg.KindText || isResult(b) }

func isResult(b *msg.Block) bool { return b.Kind == msg.KindToolResult && !b.Server }

// region returns the region that begins with message m. It has no tokens if nothing of the message is chosen.
func (s *summarized) region(m int) (Region, error) {
	c, counts := s.d.in.Conversation, &s.d.in.Counts
	r := Region{Spans: []msg.Span{{Start: m, End: m + 1}}, Level: 1}
	isNew, place := false, 0 // isNew: not all of it is an earlier summary
	for more := true; more; m++ {
		for b := range c.Messages[m].Blocks {
			ref := msg.Ref{Message: m, Block: b}
			if s.whole[m] == 0 {
				if s.chosen[ref] == 0 {
					continue
				}
				r.Blocks, r.Tokens = append(r.Blocks, ref), r.Tokens+counts.Messages[m].Blocks[b]
			}
			place = max(s.whole[m], s.chosen[ref])
			if why := s.stays(ref); why != "" {
				return r, cannotSummarize(m, place, why)
			}
			isNew = isNew || !c.At(ref).IsSummary()
		}
		if s.whole[m] > 0 {
			r.Spans[0].End, r.Tokens = m+1, r.Tokens+counts.Messages[m].Tokens
		}
		more = s.whole[m] > 0 && s.whole[m+1] > 0
	}
	if place > 0 && !isNew {
		return r, cannotSummarize(m-1, place, "it is a summary already")
	}
	return r, nil
}

// stays returns the reason why no summary may replace a block; "" if one may.
func (s *summarized) stays(r msg.Ref) string {
	m := &s.d.in.Conversation.Messages[r.Message]
	switch {
	case view.IsInstruction(m):
		return "instructions are never touched"
	case r.Message >= s.open:
		return "it is a part of the open tool round"
	case s.waiting[r.Message]:
		return "its result may still come"
	case s.d.kept[r] || s.d.dropped[r]:
		return "it is chosen to be kept or removed"
	}
	return ""
}

func cannotSummarize(m, place int, why string) error {
	return msg.NewError(msg.BadRequest, "/summarize/"+strconv.Itoa(place-1),
		"cannot summarize message "+strconv.Itoa(m)+": "+why)
}
