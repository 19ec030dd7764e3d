package replay

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/policy"
)

// namesHad is the misses of a preset whose requests have a number of 100 names.
func namesHad(n int) Misses {
	return Misses{Names: 100, Missed: 100 - n, Permille: 10 * n, Calls: min(100-n, 3)}
}

// had is the part of a verdict that says so.
func had(n int) string {
	return "; of 100 names that the agent used later, " + strconv.Itoa(n) + " were in the context (" + strconv.Itoa(n) +
		" %); " + strconv.Itoa(min(100-n, 3)) + " of 100 calls missed something"
}

// The sentence for each case.
func TestVerdict(t *testing.T) {
	report := func(preset string, sent, cost, read, over, compactions, had int) *Report {
		return &Report{Preset: preset, Window: 200_000, Priced: true, Misses: namesHad(had),
			Totals: Totals{Calls: 100, Uncompacted: 1_000_000, Sent: sent, Peak: sent / 20, Cost: cost,
				CacheRead: read, OverWindow: over, Compactions: compactions}}
	}
	none := report(NoPreset, 1_000_000, 1000, 900_000, 0, 0, 100)
	hidden := report(NoPreset, 1_000_000, 1000, 900_000, 0, 0, 100)
	hidden.Totals.APIPeak = 90_000
	large := report(NoPreset, 1_000_000, 1000, 900_000, 40, 0, 100)
	good := report("balanced", 390_000, 620, 351_000, 0, 5, 84)
	regions := report("regions", 500_000, 700, 440_000, 0, 9, 91)
	costly := report("harness", 200_000, 1400, 50_000, 0, 80, 30)
	dear := report("s06", 200_000, 4100, 50_000, 0, 80, 30)
	idle := report("turns", 1_000_000, 1000, 900_000, 0, 0, 100)
	late := report("critical", 900_000, 600, 800_000, 7, 3, 99)
	small := report("regions", 800_000, 900, 700_000, 7, 3, 90)
	tight := report(NoPreset, 1_000_000, 1000, 900_000, 0, 0, 100)
	tight.Totals.Peak = 196_931
	limited := report("balanced", 900_000, 1100, 900_000, 0, 1, 97)
	limited.Hard = 167_000
	strict := report("balanced", 900_000, 900, 900_000, 0, 3, 90)
	strict.Hard, strict.Totals.Peak = 167_000, 185_000
	unable := report("regions", 900_000, 1010, 900_000, 0, 1, 100)
	unable.Hard, unable.Totals.Errors = 15_800, 3
	full := report("turns", 900_000, 500, 900_000, 0, 1, 100)
	full.Totals.Peak = 199_000
	assumed := *good
	assumed.Priced = false
	assumedIdle := *idle
	assumedIdle.Priced = false
	// at adds the calls around the 40th, which is over the window by the session's size or by the provider's count
	at := func(r Report, call Call) *Report {
		var sums Totals
		for _, c := range []Call{{Number: 39, Sent: 190_000}, call, {Number: 41, Sent: 210_000}} {
			sums.addCall(&c, r.Window)
		}
		r.Totals.FirstOver = sums.FirstOver
		return &r
	}
	priced := func(r Report, cost int) *Report {
		r.Totals.Cost = cost
		return &r
	}
	hits := at(*large, Call{Number: 40, Sent: 200_001})
	counted := at(*hidden, Call{Number: 40, Sent: 190_000, API: &msg.Usage{Input: 1, CacheRead: 200_000}})
	const fits = "its largest request takes 50,000 tokens, the window has 200,000"
	const large40 = "Without compaction 40 calls of 100 would not fit into the window of 200,000 tokens"
	const hit40 = "You hit the window of 200,000 tokens at call 40"
	for _, row := range []struct {
		why     string
		reports []*Report
		want    string
	}{
		{"nothing", nil, "There is no model call to compare."},
		{"no calls", []*Report{{Preset: "balanced"}}, "There is no model call to compare."},
		{"it fits", []*Report{none}, "The session fits without compaction (" + fits + ")."},
		{"it fits, and the provider counted more", []*Report{hidden},
			"The session fits without compaction (its largest request takes 90,000 tokens, the window has 200,000)."},
		{"it does not fit", []*Report{large}, large40 + "."},
		{"it leaves no room for an answer", []*Report{tight}, "Without compaction the largest request of 196,931 tokens is over the limit of 187,500 and leaves 3,069 for its answer."},
		{"the limit is the policy's", []*Report{tight, limited}, "Without compaction the largest request of 196,931 tokens is over the limit of 167,000 of Balanced and leaves 3,069 for its answer; with Balanced all calls fit: it costs 10 % more than no compaction" + had(97) + "."},
		{"over the limit of its preset, but not over the window", []*Report{large, strict}, large40 + "; with Balanced the largest takes 185,000 and leaves 15,000: it costs 10 % less than no compaction" + had(90) + "."},
		{"a preset that keeps its limit comes before a cheaper one that does not", []*Report{none, unable, dear},
			"No compaction is cheapest: Newest results costs 4.1 times as much because it breaks the prompt cache (25 % of its tokens are read from there instead of 90 %)" + had(30) + "; the session fits without it (" + fits + "); Regions could not bring 3 calls under its limit of 15,800."},
		{"room for an answer comes before a limit that is kept", []*Report{large, full, unable}, large40 + "; with Regions the largest takes 45,000 and leaves 155,000: it costs 1 % more than no compaction" + had(100) + "; Regions could not bring 3 calls under its limit of 15,800."},
		{"one preset", []*Report{large, good},
			large40 + "; with Balanced all calls fit: it costs 38 % less than no compaction" + had(84) + "."},
		{"another keeps more", []*Report{large, good, regions}, large40 + "; with Balanced all calls fit: it costs 38 % less than no compaction" + had(84) + "; with Regions 91 %, and it costs 13 % more than Balanced."},
		{"cheapest although it fits", []*Report{none, regions, good}, "Balanced is cheapest: it costs 38 % less than no compaction" + had(84) + "; with Regions 91 %, and it costs 13 % more than Balanced; the session would fit without it, too."},
		{"it breaks the cache", []*Report{none, costly},
			"No compaction is cheapest: Harness costs 40 % more because it breaks the prompt cache (25 % of its tokens are read from there instead of 90 %)" + had(30) + "; the session fits without it (" + fits + ")."},
		{"a multiple", []*Report{none, dear},
			"No compaction is cheapest: Newest results costs 4.1 times as much because it breaks the prompt cache (25 % of its tokens are read from there instead of 90 %)" + had(30) + "; the session fits without it (" + fits + ")."},
		{"of those that cost more, the cheapest is named", []*Report{none, dear, costly, idle},
			"No compaction is cheapest: Harness costs 40 % more because it breaks the prompt cache (25 % of its tokens are read from there instead of 90 %)" + had(30) + "; the session fits without it (" + fits + ")."},
		{"nothing was changed", []*Report{none, idle}, "Turns changes nothing: the session fits without compaction (" + fits + ")."},
		{"nothing was changed at an assumed price", []*Report{none, &assumedIdle},
			"Turns changes nothing: the session fits without compaction (" + fits + ")."},
		{"nothing was changed though it should", []*Report{large, idle},
			"Turns changes nothing: without compaction 40 calls of 100 would not fit into the window of 200,000 tokens."},
		{"cheap but too late: what fits comes first", []*Report{late, good}, "Of the presets that fit, Balanced is cheapest: it sends 61 % fewer tokens than no compaction" + had(84) + "."},
		{"none fits", []*Report{large, late}, large40 + "; with Critical 7 calls would still not fit, the largest of 45,000 tokens."},
		{"none fits: the smallest of as many calls, not the cheapest", []*Report{large, late, small}, large40 +
			"; with Regions 7 calls would still not fit, the largest of 40,000 tokens."},
		{"none of the presets fits", []*Report{late, small}, "Of the presets, Regions comes nearest to the window, but 7 calls would not fit: it sends 20 % fewer tokens than no compaction" + had(90) + "; with Critical 99 %, and it costs 33 % less than Regions."},
		{"the call at which it is too large", []*Report{hits}, hit40 + "."},
		{"by the provider's count", []*Report{counted}, hit40 + "."},
		{"never with a preset", []*Report{hits, good},
			hit40 + ". With Balanced never: it costs 38 % less than no compaction" + had(84) + "."},
		{"in dollars", []*Report{priced(*hits, 4_096_000), priced(*good, 2_854_999), priced(*regions, 3_000_000)},
			hit40 + ". With Balanced never; $4.10 → $2.85" + had(84) + "; with Regions 91 %, and it costs 5 % more than Balanced."},
		{"in dollars, and it costs more", []*Report{priced(*hits, 1_000_000), priced(*costly, 1_050_000)},
			hit40 + ". With Harness never; $1.00 → $1.05 because it breaks the prompt cache (25 % of its tokens are read from there instead of 90 %)" + had(30) + "."},
		{"later, but not never", []*Report{hits, late}, hit40 + "; with Critical 7 calls would still not fit, the largest of 45,000 tokens."},
		{"an assumed price", []*Report{large, &assumed}, large40 + "; with Balanced all calls fit: it costs 38 % less than no compaction" + had(84) + " (at the assumed price of a mid-range model)."},
	} {
		t.Run(row.why, func(t *testing.T) {
			got := Verdict(row.reports...)
			require.Equal(t, row.want, got.Text)
			// What it advises is what the sentence calls cheapest, or brings into the window.
			without := slices.ContainsFunc(row.reports, func(r *Report) bool { return r.Preset == NoPreset })
			for _, says := range []string{"No compaction is cheapest", "changes nothing", "fits without compaction ("} {
				if strings.Contains(got.Text, says) {
					require.Equal(t, NoPreset, got.Advised)
				}
			}
			if !without && len(row.reports) > 1 || strings.Contains(got.Text, "is cheapest: it ") {
				require.Contains(t, got.Text, policy.Title(got.Advised))
			}
		})
	}
	agent := *none
	agent.Segments = 3
	require.Equal(t, Compared{"balanced", "Balanced is cheapest: it costs 38 % less than the agent's own compaction" + had(84) +
		"; the session would fit without it, too."}, Verdict(&agent, good))
	require.Equal(t, "The session fits with the agent's own compaction ("+fits+").", Verdict(&agent).Text)
}

// The policy's own window counts for the session too, and a preset that could not compact says so.
func TestVerdictInASmallerWindow(t *testing.T) {
	base := &Report{Preset: NoPreset, Window: 200_000, Priced: true, Misses: namesHad(100)}
	for n, sent := range []int{20_000, 38_000, 41_000} {
		base.Calls = append(base.Calls, Call{Number: n + 1, Sent: sent, Cost: 100})
		base.Totals.addCall(&base.Calls[n], base.Window)
	}
	small := strings.Replace(had(90), "of 100 calls", "of 3 calls", 1)
	balanced := &Report{Preset: "balanced", Window: 40_000, Hard: 33_500, Priced: true, Misses: namesHad(90),
		Totals: Totals{Calls: 3, Sent: 60_000, Peak: 25_000, Cost: 200, Compactions: 1}}
	prune := &Report{Preset: "prune", Window: 40_000, Hard: 8000, Priced: true, Misses: namesHad(100),
		Totals: Totals{Calls: 3, Sent: 99_000, Peak: 41_000, Cost: 300, OverWindow: 1, Errors: 2}}
	require.Equal(t, "You hit the window of 40,000 tokens at call 3. With Balanced never: it costs 33 % less than no compaction"+small+"; Prune could not bring 2 calls under its limit of 8,000.",
		Verdict(base, balanced, prune).Text)
	require.Zero(t, base.Totals.OverWindow, "the report is not changed")
	base.Calls = nil // only the sums are given
	require.Equal(t, "Without compaction the largest request of 41,000 tokens would not fit into the window of 40,000; with Balanced all calls fit: it costs 33 % less than no compaction"+small+".", Verdict(base, balanced).Text)
}

// A policy may set a window that is larger than that of the model, for example of a beta.
func TestVerdictInALargerWindow(t *testing.T) {
	base := &Report{Preset: NoPreset, Window: 200_000, Priced: true}
	for n, sent := range []int{190_000, 210_000} {
		base.Calls = append(base.Calls, Call{Number: n + 1, Sent: sent, Cost: 100})
		base.Totals.addCall(&base.Calls[n], base.Window)
	}
	require.Equal(t, 2, base.Totals.FirstOver)
	idle := &Report{Preset: "turns", Window: 1_000_000, Priced: true,
		Totals: Totals{Calls: 2, Sent: 400_000, Peak: 210_000}}
	const want = "Turns changes nothing: the session fits without compaction (its largest request takes 210,000 tokens, the window has 1,000,000)."
	require.Equal(t, want, Verdict(base, idle).Text)
	base.Calls = nil // only the sums are given
	require.Equal(t, want, Verdict(base, idle).Text)
}

// Rounding never gives 0 % for a part or 100 % for less than all.
func TestPercent(t *testing.T) {
	for permille, want := range map[int]string{0: "0 %", 1: "1 %", 4: "1 %", 15: "2 %", 384: "38 %", 385: "39 %",
		996: "99 %", 999: "99 %", 1000: "100 %", 2990: "299 %"} {
		require.Equal(t, want, percent(permille))
	}
	require.Equal(t, "1,234,567", number(1_234_567))
	require.Equal(t, "999", number(999))
}

// A window that is smaller than the tokens reserved for the answer leaves no limit to report.
func TestNoNegativeLimit(t *testing.T) {
	p, err := policy.Preset("regions")
	require.NoError(t, err)
	for window, hard := range map[int]int{8000: 0, 200_000: 167_000} {
		p.Trigger.Window = window
		r, err := Replay(sample().parse(t), p, Options{})
		require.NoError(t, err)
		require.Equal(t, hard, r.Hard)
	}
}
