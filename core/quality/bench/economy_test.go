package bench

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/replay"
)

// Economy: what each session would have cost if old results were cleared when it pays, or by a fixed rule, as a share
// of its cost without compaction; and with the price of what the agent then has to read again. The table money has the
// presets.

// economyRun is one policy of the table.
type economyRun struct {
	name   string
	change func(*policy.Policy) // of the default preset
	fixed  bool                 // does not look at the cost: a rival in hindsight
}

func clearAt(minSavings int) func(*policy.Policy) {
	return func(p *policy.Policy) { p.Clear.When, p.Clear.MinSavings = "", minSavings }
}

// economyRuns are the policies. The fixed ones clear when a number of tokens can be freed, or in every turn.
var economyRuns = []economyRun{
	{"balanced", func(*policy.Policy) {}, false},
	{"every turn", clearAt(0), true},
	{"never clears", func(p *policy.Policy) { p.Clear.Enabled = false }, true},
	{"10,000 freed", clearAt(10_000), true},
	{"20,000 freed", clearAt(20_000), true},
	{"40,000 freed", clearAt(40_000), true},
	{"80,000 freed", clearAt(80_000), true},
}

// longSessions are the sessions with more than 40 calls.
func longSessions(t testing.TB) (all []session) {
	for _, s := range load(t, os.Getenv("TAMP_SET"), os.Getenv("TAMP_ONLY")) {
		calls := 0
		for i := range s.c.Messages {
			if s.c.Messages[i].Role == msg.Assistant {
				calls++
			}
		}
		if calls > 40 {
			all = append(all, s)
		}
	}
	return all
}

func economyTable(t *testing.T) {
	all := longSessions(t)
	if len(all) == 0 {
		return
	}
	printf("Cost of sessions over 40 calls, as a share of no compaction; %d sessions.", len(all))
	shares, reads := make([][]int, len(all)), make([][]int, len(all)) // of each run
	each(len(all), func(i int) { shares[i], reads[i] = sharesOf(t, &all[i]) })
	printf("%-16s |   mean median    p90    max | with reading again: mean    max", "policy")
	for r, run := range economyRuns {
		var values, again []int
		for i := range all {
			values, again = append(values, shares[i][r]), append(again, reads[i][r])
		}
		record("economy", "policy,count,mean,median,90th percentile,max,with reading again,max with it", run.name, len(all),
			costOf(mean(values)), costOf(percentile(values, 50)), costOf(percentile(values, 90)), costOf(slices.Max(values)),
			costOf(mean(again)), costOf(slices.Max(again)))
		printf("%-16s |  %s  %s  %s  %s |                    %s  %s", run.name, ratio(mean(values)),
			ratio(percentile(values, 50)), ratio(percentile(values, 90)), ratio(slices.Max(values)), ratio(mean(again)),
			ratio(slices.Max(again)))
	}
	near := 0
	for i := range all {
		best := 1000 // no compaction
		for r, run := range economyRuns {
			if run.fixed {
				best = min(best, shares[i][r])
			}
		}
		if shares[i][0]*100 <= best*105 {
			near++
		}
		if verbose {
			printf("%s best %s: %v", all[i].name, ratio(best), shares[i])
		}
	}
	record("hindsight", "count,within 5 % of the best fixed rule", len(all), near)
	printf("balanced is within 5 %% of the best fixed policy in hindsight on %d of %d sessions\n", near, len(all))
}

// sharesOf replays a session under each policy. reads includes what is read again.
func sharesOf(t *testing.T, s *session) (shares, reads []int) {
	base, err := replay.Replay(s.c, policy.Policy{}, replay.Options{None: true, Count: counter})
	require.NoError(t, err)
	for _, run := range economyRuns {
		p, err := policy.Preset("balanced")
		require.NoError(t, err)
		run.change(&p)
		r, err := replay.Replay(s.c, p, replay.Options{Count: counter})
		require.NoError(t, err, fmt.Sprint(s.name, run.name))
		shares = append(shares, share(r.Totals.Cost, base.Totals.Cost))
		reads = append(reads, share(r.Misses.Cost, base.Totals.Cost))
	}
	return shares, reads
}
