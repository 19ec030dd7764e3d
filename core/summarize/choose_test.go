package summarize

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// slowChoose is the slow reference implementation of choose: it computes the gain of every unit before each choice.
func (d *draft) slowChoose(counter tokens.Counter, budget int) (worth int) {
	refused := map[int]bool{}
	opened := map[section]bool{}
	for {
		best, maxGain := 0, 0
		for i := 1; i < len(d.units); i++ {
			if u := &d.units[i]; u.tries != taken && u.part != partDropped && !refused[i] {
				if g := d.gain(u); g > maxGain {
					best, maxGain = i, g
				}
			}
		}
		if best == 0 || budget <= minRoom {
			return worth
		}
		list := []int{best}
		if h := d.groups[d.units[best].group].head; h >= 0 && int(h) != best && d.units[h].tries != taken {
			list = []int{int(h), best}
		}
		cost := 0
		for _, i := range list {
			u := &d.units[i]
			cost += counter.Count(u.text) + markupTokens(u.part)
			if !opened[d.section(u)] {
				cost += counter.Count(headings[d.section(u)]) + 3
			}
		}
		if cost > budget {
			refused[best] = true
			continue
		}
		for _, i := range list {
			u := &d.units[i]
			worth += d.worthOf(u)
			u.tries = taken
			opened[d.section(u)] = true
			for _, id := range d.pool[u.lo:u.hi] {
				d.x.draftAtoms[id].worth = 0
			}
		}
		budget -= cost
	}
}

// The lazy choice is worth at least 70 % of the slow one, and 95 % over all cases: of 5,000 cases one had 75 %, all
// others at least 80 %, and all together 103 %. They are not equal: after a head is taken, the other units of its group
// become cheaper, and the heap reads that only when it reaches them.
func TestChooseIsNearTheSlowReference(t *testing.T) {
	convtest.SetCases(t, 100)
	gotAll, wantAll := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c, err := format.Parse(convtest.Conversation(t, f), f)
		require.NoError(t, err)
		budget := rapid.IntRange(minUsefulBudget, 400).Draw(t, "budget")
		x := New(c, []msg.Span{{Start: 0, End: len(c.Messages)}}, nil)
		slow := newDraft(x, 0)
		gather(slow)
		want := slow.slowChoose(tokens.Chars4, budget)
		fast := newDraft(x, 0)
		gather(fast)
		before := make([]unit, len(fast.units))
		copy(before, fast.units)
		got := 0
		covered := map[int32]bool{}
		for _, i := range newChooser(fast, tokens.Chars4).fill(budget + budget*maxOverfill/1000) {
			got += int(before[i].base)
			for _, id := range fast.pool[before[i].lo:before[i].hi] {
				if !covered[id] {
					covered[id] = true
					got += worthBefore(x, id)
				}
			}
		}
		require.GreaterOrEqual(t, got*10, want*7)
		gotAll, wantAll = gotAll+got, wantAll+want
	})
	require.GreaterOrEqual(t, gotAll*100, wantAll*95)
}

func worthBefore(x *Index, id int32) int {
	if a := &x.atoms[id]; !a.kept && a.spanned {
		return int(a.worth)
	}
	return 0
}

// minUsefulBudget is the smallest budget that a region gets, in tokens. In a smaller one, one unit decides, and the
// fast choice gives up after maxRefused units that do not fit.
const minUsefulBudget = 60
