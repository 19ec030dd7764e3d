package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// outcome is one cut compacted to one budget, in permille.
type outcome struct {
	set, name        string
	short            bool
	permille         int // position of the cut
	budget           int // reached, in tokens
	recall, context  int
	rivals           []int // context recall of each rival in as many characters
	overflow         bool
	lost             []string // names without context
	bare, bareRecall int      // the list of names and a tail, at 90 permille
}

var budgets = []int{100, 200, 350}

// outcomes compacts every cut to every budget: outcomes()[b] has the cuts at budgets[b].
func outcomes(t *testing.T) [][]outcome {
	all := sessions(t)
	bySession := make([][][]outcome, len(all))
	each(len(all), func(i int) {
		bySession[i] = make([][]outcome, len(budgets))
		for _, k := range cutsOf(all[i]) {
			for b, budget := range budgets {
				bySession[i][b] = append(bySession[i][b], k.measure(t, budget))
			}
		}
	})
	out := make([][]outcome, len(budgets))
	for _, s := range bySession {
		for b := range s {
			out[b] = append(out[b], s[b]...)
		}
	}
	return out
}

func (k *cut) measure(t *testing.T, budget int) outcome {
	after, _, s := compact(t, k.c, "", withTarget(preset(t), k.tokens*budget/1000))
	ours := text(after.Messages)
	f := k.r.find(k.r.read(ours), k.originals)
	o := outcome{set: k.set, name: k.name, short: k.short, permille: k.permille,
		budget: share(s.after, k.tokens), overflow: s.overflow,
		recall: share(len(f.present), len(k.used)), context: share(len(f.inContext), len(k.used))}
	for name := range maps.Keys(k.used) {
		if !f.inContext[name] {
			o.lost = append(o.lost, name)
		}
	}
	slices.Sort(o.lost)
	for _, r := range rivals {
		f := k.r.find(k.r.read(r.short(k, characters(ours))), k.originals)
		o.rivals = append(o.rivals, share(len(f.inContext), len(k.used)))
	}
	if budget == budgets[0] {
		f := k.r.find(k.r.read(namesAndTail(k, k.chars*90/1000)), k.originals)
		o.bareRecall, o.bare = share(len(f.present), len(k.used)), share(len(f.inContext), len(k.used))
	}
	return o
}

// recallTable prints, by budget and data set, the reached budget and the recall of the preset and of its rivals.
func recallTable(t *testing.T) {
	byBudget := outcomes(t)
	names := []string{}
	for _, r := range rivals {
		names = append(names, fmt.Sprintf("%14s", r.name))
	}
	printf("\nContext recall of the names that the agent's next %d messages use, preset %s, extractive summaries.",
		horizon, preset(t).Preset)
	printf("Sets data, more and all have the sessions over %d characters, short the others over %d.", shortChars, minChars)
	printf("Rivals get as many characters as ours has. Budgets are shares of the tokens before the cut.")
	printf("%-5s %-5s %5s | %6s %6s %6s %6s %5s | %6s %7s %s   %s", "asked", "set", "cuts", "mean", "median", "p90",
		"> 0.5", "overf", "recall", "context", strings.Join(names, ""), "ahead of the best")
	for b, budget := range budgets {
		for _, set := range []string{"data", "more", "all", "short"} {
			o := slices.DeleteFunc(slices.Clone(byBudget[b]), func(o outcome) bool {
				return o.short != (set == "short") || !o.short && set != "all" && o.set != set
			})
			if len(o) == 0 {
				continue
			}
			reached := column(o, func(o outcome) int { return o.budget })
			over, overflows := 0, 0
			for i := range o {
				if o[i].budget > 500 {
					over++
				}
				if o[i].overflow {
					overflows++
				}
			}
			context := mean(column(o, func(o outcome) int { return o.context }))
			cells, best := "", 0
			for r := range rivals {
				m := mean(column(o, func(o outcome) int { return o.rivals[r] }))
				best = max(best, m)
				cells += fmt.Sprintf("%14s", ratio(m))
			}
			record("recall", "asked,set,cuts,reached,present,in context,best rival in context", percent(budget), set, len(o),
				percent(mean(reached)), percent(mean(column(o, func(o outcome) int { return o.recall }))), percent(context),
				percent(best))
			printf("%-5s %-5s %5d | %6s %6s %6s %6s %5d | %6s %7s %s   %+.3f", ratio(budget), set, len(o),
				ratio(mean(reached)), ratio(percentile(reached, 50)), ratio(percentile(reached, 90)), ratio(share(over, len(o))),
				overflows,
				ratio(mean(column(o, func(o outcome) int { return o.recall }))), ratio(context), cells,
				float64(context-best)/1000)
		}
	}
	o := slices.DeleteFunc(slices.Clone(byBudget[0]), func(o outcome) bool { return o.short })
	printf("A bare list of names with a tail, at 0.090: recall %s, context recall %s",
		ratio(mean(column(o, func(o outcome) int { return o.bareRecall }))),
		ratio(mean(column(o, func(o outcome) int { return o.bare }))))
	if verbose {
		for b, budget := range budgets {
			for _, o := range byBudget[b] {
				printf("%s %s %s at %d: reached %s, recall %s, context %s, rivals %v, lost: %s", ratio(budget), o.set, o.name,
					o.permille, ratio(o.budget), ratio(o.recall), ratio(o.context), o.rivals, strings.Join(o.lost, " "))
			}
		}
	}
}

func column(outcomes []outcome, value func(outcome) int) []int {
	values := make([]int, len(outcomes))
	for i := range outcomes {
		values[i] = value(outcomes[i])
	}
	return values
}
