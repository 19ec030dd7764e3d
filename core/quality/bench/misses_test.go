package bench

import (
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/models"
	"tamp/core/policy"
	"tamp/core/replay"
)

// Misses: what each policy leaves out that the agent uses afterwards, and what the session costs with reading it again.

// missCalls is the number of calls from which a session counts in the table of misses: shorter ones have few
// compactions.
const missCalls = 80

// missFolders are the folders with sessions: those of the other measures, and the logs of other agents.
var missFolders = append(slices.Clone(folders), "codex", "pi", "opencode", "openai-responses", "gemini")

// missPrice are the weights of the table in tokens of input, for every model: a cache read 0.1, a write 1.25, the
// answer 5. So sessions of all providers count alike.
var missPrice = models.Price{Input: 1000, Output: 5000, Read: 100, Write5m: 1250, Write1h: 1250}

// missPolicies are the rows. The window of a policy is set to that of the table.
var missPolicies = []struct{ name, preset, change string }{
	{"balanced", "balanced", `{}`},
	{"balanced, not economic", "balanced", `{"clear":{"when":""}}`},
	{"clear_tool_uses", "clear_tool_uses", `{}`},
	{"prune", "prune", `{}`},
	{"harness", "harness", `{}`},
	{"results cut to 4 KB", "clear_tool_uses", `{"clear":{"enabled":false},"intake":{"maxBytes":4096}}`},
}

func missesTable(t *testing.T) {
	all := loadFolders(t, missFolders, os.Getenv("TAMP_SET"), os.Getenv("TAMP_ONLY"))
	bases := make([]*replay.Report, len(all))
	options := replay.Options{Prices: &missPrice, IgnoreUsage: true}
	replayed := func(i int, p policy.Policy, o replay.Options) *replay.Report {
		r, err := replay.Replay(all[i].c, p, o)
		require.NoError(t, err, all[i].name)
		return r
	}
	each(len(all), func(i int) {
		o := options
		o.None = true
		if r := replayed(i, policy.Policy{}, o); r.Totals.Calls >= missCalls {
			bases[i] = r
		}
	})
	windows := []int{60_000, 200_000, 1_000_000}
	if one, err := strconv.Atoi(os.Getenv("TAMP_WINDOW")); err == nil {
		windows = []int{one}
	}
	for _, window := range windows {
		printf("\nMisses of sessions of %d calls or more, window %d. Shares of no compaction and of what the agent used.",
			missCalls, window)
		printf("%-24s %8s %8s %6s %10s %8s %8s %8s %8s %8s %8s", "policy", "sessions", "overflow", "cost", "with reads",
			"sent", "misses", "calls", "edits", "repeats", "left out")
		for k := -1; k < len(missPolicies); k++ {
			results := make([]*replay.Report, len(all))
			start := time.Now()
			each(len(all), func(i int) {
				if bases[i] == nil {
					return
				}
				if k < 0 {
					results[i] = bases[i]
					return
				}
				p, err := policy.Parse(missPolicies[k].preset, []byte(missPolicies[k].change))
				require.NoError(t, err)
				p.Trigger.Window = window
				results[i] = replayed(i, p, options)
			})
			name := "no compaction"
			if k >= 0 {
				name = missPolicies[k].name
			}
			if verbose {
				printf("%s: %v", name, time.Since(start))
			}
			printMisses(name, window, all, bases, results)
		}
	}
}

// printMisses prints one row: the mean of the costs over the sessions that fit, and the shares of all their names,
// calls and edits.
func printMisses(name string, window int, all []session, bases, results []*replay.Report) {
	var cost, reads, sent []int
	var sum replay.Misses
	calls, overflow := 0, 0
	for i, r := range results {
		if r == nil {
			continue
		}
		if r.Totals.Peak > window || r.Totals.Errors > 0 {
			overflow++
			continue
		}
		base := bases[i].Totals
		cost = append(cost, share(r.Totals.Cost, base.Cost))
		reads = append(reads, share(r.Misses.Cost, base.Cost))
		sent = append(sent, share(r.Totals.Sent, base.Sent))
		m := &r.Misses
		sum.Names += m.Names
		sum.Missed += m.Missed
		sum.Calls += m.Calls
		sum.Edits += m.Edits
		sum.Lost += m.Lost
		sum.Repeats += m.Repeats
		sum.LeftOut += m.LeftOut
		calls += r.Totals.Calls
		if verbose {
			printf("    %-50.50s %5d calls %s %s, %s", all[i].name, r.Totals.Calls, ratio(cost[len(cost)-1]),
				ratio(reads[len(reads)-1]), m.Text)
		}
	}
	if len(cost) > 0 {
		record("misses", "window,policy,fit,cost,with reading again,names missed,calls with a miss,lost edits", thousands(window),
			name, len(cost), costOf(mean(cost)), costOf(mean(reads)), percent(share(sum.Missed, sum.Names)),
			percent(share(sum.Calls, calls)), percent(share(sum.Lost, sum.Edits)))
	}
	printf("%-24s %8d %8d %6s %10s %8s %8s %8s %8s %8d %8d", name, len(cost), overflow, ratio(mean(cost)),
		ratio(mean(reads)), ratio(mean(sent)), ratio(share(sum.Missed, sum.Names)), ratio(share(sum.Calls, calls)),
		ratio(share(sum.Lost, sum.Edits)), sum.Repeats, sum.LeftOut)
}
