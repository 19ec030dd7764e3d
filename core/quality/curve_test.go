package quality_test

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// tailShare is the share of the budget, in permille, for the verbatim tail. Recall is flat from 300 to 600; above that,
// earlier facts are lost.
const tailShare = 350

// The promise of the product: at a quarter of the size, four fifths of the facts that the agent will use again. The
// weights were fitted on the even sessions; the odd ones test for overfitting.
func TestFutureUseAtAQuarter(t *testing.T) {
	all := cutSessions(t)
	if len(all) == 0 {
		return
	}
	r := report(t, "extractive", 235, all, func(k *cutSession) *msg.Conversation {
		return summaryAndTail(k.before,
			k.tokens*235/1000, tailShare)
	})
	for i, s := range r.scores {
		if os.Getenv("TAMP_FUTURE_LOST") != "" {
			sort.Strings(s.lost)
			t.Log(all[i].name, all[i].permille, "tokens", all[i].tokens, "recall", s.permille, "budget", s.budget,
				"lost", strings.Join(s.lost, " "))
		}
	}
	require.LessOrEqual(t, r.budget, 260)
	require.GreaterOrEqual(t, r.even, 800)
	require.GreaterOrEqual(t, r.odd, 800)
}

// BenchmarkFutureUse prints recall by budget: for the tail alone, and for the summary with tails of several shares.
func BenchmarkFutureUse(b *testing.B) {
	all := cutSessions(b)
	for _, budget := range []int{100, 150, 200, 260, 350, 500, 700} {
		report(b, "tail only", budget, all, func(k *cutSession) *msg.Conversation {
			return tailOnly(k.before,
				k.tokens*budget/1000)
		})
	}
	for _, share := range []int{0, 250, tailShare, 600, 750, 900} {
		for _, budget := range []int{100, 150, 200, 250, 300, 400, 500, 600, 700} {
			report(b, "tail share "+percent(share), budget, all,
				func(k *cutSession) *msg.Conversation { return summaryAndTail(k.before, k.tokens*budget/1000, share) })
		}
	}
}

// recallReport is the mean over all cuts, and over the sessions of even and odd index.
type recallReport struct {
	recall, budget, even, odd int
	scores                    []score
}

func report(t testing.TB, title string, budget int, all []cutSession,
	compact func(*cutSession) *msg.Conversation) recallReport {
	var r recallReport
	var even, odd []score
	kept, used := map[byte]int{}, map[byte]int{}
	for i := range all {
		s := all[i].score(compact(&all[i]))
		r.scores = append(r.scores, s)
		if all[i].session%2 == 0 {
			even = append(even, s)
		} else {
			odd = append(odd, s)
		}
		for k, n := range s.used {
			used[k] += n
			kept[k] += s.kept[k]
		}
	}
	r.recall, r.budget = mean(r.scores)
	r.even, _ = mean(even)
	r.odd, _ = mean(odd)
	say := t.Logf
	if _, bench := t.(*testing.B); bench { // the log of a benchmark is limited to ten lines
		say = func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	}
	say("%-16s target %s  budget %s  recall %s (even %s, odd %s)  paths %d/%d names %d/%d numbers %d/%d", title,
		percent(budget), percent(r.budget),
		percent(r.recall), percent(r.even), percent(r.odd), kept['p'], used['p'], kept['i'], used['i'], kept['n'], used['n'])
	return r
}
