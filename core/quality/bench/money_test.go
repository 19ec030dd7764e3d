package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/replay"
)

// minCalls is the number of calls from which a session counts in the table of money: shorter ones end before the first
// clearing. Up to longCalls, a session can end before a compaction has paid back, so its worst case is apart.
const (
	minCalls  = 10
	longCalls = 40
)

// paid is one session replayed without compaction and under each policy, in millionths of a dollar.
type paid struct {
	name  string
	calls int
	none  int
	over  bool  // does not fit its window without compaction, so its costs compare with nothing
	costs []int // of each policy
}

// payers are the policies of the table: of two presets, the clearing alone and clearing when it pays; then all presets.
// TAMP_PRESET selects one.
func payers(t *testing.T) (names []string, policies []policy.Policy) {
	if one := os.Getenv("TAMP_PRESET"); one != "" {
		return []string{one}, []policy.Policy{preset(t)}
	}
	for _, name := range []string{"harness", "s06"} {
		p, err := policy.Preset(name)
		require.NoError(t, err)
		p.Trigger.Tokens, p.Summary.Strategy = 0, "none"
		require.NoError(t, p.Validate())
		names, policies = append(names, name+" clearing"), append(policies, p)
		p, err = policy.Parse(name, []byte(`{"clear":{"when":"economic"}}`))
		require.NoError(t, err)
		names, policies = append(names, name+" economic"), append(policies, p)
	}
	for _, info := range policy.Presets() {
		names, policies = append(names, info.Name), append(policies, info.Policy)
	}
	return names, policies
}

// moneyTable prints what each policy costs, in permille of no compaction, with our breakpoints.
func moneyTable(t *testing.T) {
	names, policies := payers(t)
	var files []string
	for _, set := range convtest.Sets(t) {
		files = append(append(files, set.Files("anthropic")...), set.Files("claude-code")...)
	}
	all := make([]*paid, len(files))
	each(len(files), func(i int) {
		data, err := os.ReadFile(files[i])
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		base, err := replay.Replay(c, policy.Policy{}, replay.Options{None: true})
		require.NoError(t, err)
		if base.Totals.Calls < minCalls || !strings.Contains(files[i], os.Getenv("TAMP_ONLY")) {
			return
		}
		s := &paid{name: filepath.Base(files[i]), calls: base.Totals.Calls, none: base.Totals.Cost,
			over: base.Totals.FirstOver > 0}
		for _, p := range policies {
			r, err := replay.Replay(c, p, replay.Options{})
			require.NoError(t, err)
			s.costs = append(s.costs, r.Totals.Cost)
		}
		all[i] = s
	})
	printf("\nCost of each policy as a share of no compaction, with our breakpoints; sessions of %d calls or more.", minCalls)
	for _, s := range all {
		if s != nil && s.over {
			printf("not among the worst, since it does not fit without compaction: %s", s.name)
		}
	}
	printf("%-18s %8s %8s %8s %12s %12s  %s", "policy", "sessions", "mean", "median", "worst, short", "worst, over "+
		strconv.Itoa(longCalls), "of session")
	for k, name := range names {
		var shares []int
		short, long, of := 0, 0, ""
		for _, s := range all {
			if s == nil {
				continue
			}
			n := share(s.costs[k], s.none)
			shares = append(shares, n)
			switch {
			case s.over:
			case s.calls <= longCalls:
				short = max(short, n)
			case n > long:
				long, of = n, s.name
			}
			if verbose {
				printf("    %-60.60s %5d calls %s", s.name, s.calls, ratio(n))
			}
		}
		record("money", "policy,count,mean,median,worst up to 40 calls,worst over 40 calls", name, len(shares),
			costOf(mean(shares)), costOf(percentile(shares, 50)), costOf(short), costOf(long))
		printf("%-18s %8d %8s %8s %12s %12s  %s", name, len(shares), ratio(mean(shares)),
			ratio(percentile(shares, 50)), ratio(short), ratio(long), of)
	}
}

// billTable prints how near the simulation comes to the bills of the logs with usage, fitted to the usage of the whole
// log as a replay does; and, ahead, to the prompts of the calls after the first third, fitted to that third alone.
func billTable(t *testing.T) {
	printf("\nReplay of the logs with cache usage against their bills, in permille of the bill.")
	printf("%-60s %5s %7s %6s | %6s %6s %6s | %6s %6s", "log", "calls", "hidden", "factor", "input", "cost", "read", "replay",
		"ahead")
	var inputs, costs, aheads []int
	for _, set := range convtest.Sets(t) {
		for _, file := range slices.Concat(set.Files("claude-code"), set.Files("codex"), set.Files("pi")) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			if err != nil {
				continue // a log without a codec yet
			}
			r, err := replay.Replay(c, policy.Policy{}, replay.Options{None: true})
			require.NoError(t, err)
			s, api := &r.Simulated, &r.Totals.API
			if s.Calls == 0 || api.CacheRead+api.CacheWrite == 0 {
				continue
			}
			input := share(s.CacheRead+s.CacheWrite+s.Input-api.Prompt(), api.Prompt())
			cost := share(s.Cost-s.Billed, s.Billed)
			inputs, costs = append(inputs, max(input, -input)), append(costs, max(cost, -cost))
			after := ahead(t, c, r)
			aheads = append(aheads, max(after, -after))
			printf("%-60.60s %5d %7d %6d | %6d %6d %6d | %6d %6d", filepath.Base(file), s.Calls, r.Hidden, r.Factor, input, cost,
				share(s.CacheRead-api.CacheRead, api.CacheRead), share(r.Totals.Cost, s.Billed), after)
		}
	}
	printf("total input off by %s (median), %s (90th percentile); cost by %s (median), %s (90th percentile); input ahead "+
		"by %s (median), %s (90th percentile)", ratio(percentile(inputs, 50)), ratio(percentile(inputs, 90)),
		ratio(percentile(costs, 50)), ratio(percentile(costs, 90)), ratio(percentile(aheads, 50)),
		ratio(percentile(aheads, 90)))
}

// ahead returns the error, in permille, of the total input of the last segment's calls after the first third, of which
// the replay does not see the usage. r is the replay that sees it.
func ahead(t *testing.T, c *msg.Conversation, r *replay.Report) int {
	known := c.WithMessages(slices.Clone(c.Messages))
	for m := len(c.Messages) / 3; m < len(c.Messages); m++ {
		known.Messages[m].Usage = nil
	}
	blind, err := replay.Replay(known, policy.Policy{}, replay.Options{None: true})
	require.NoError(t, err)
	require.Len(t, blind.Calls, len(r.Calls))
	predicted, sent := 0, 0
	for i := range r.Calls {
		if r.Calls[i].API != nil && blind.Calls[i].API == nil {
			predicted, sent = predicted+blind.Calls[i].Sent, sent+r.Calls[i].Sent
		}
	}
	return share(predicted-sent, sent)
}
