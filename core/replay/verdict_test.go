package replay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The sentence for each case.
func TestVerdict(t *testing.T) {
	report := func(preset string, sent, cost, read, over, compactions, facts int) *Report {
		return &Report{Preset: preset, Window: 200_000, Facts: Facts{Permille: facts},
			Totals: Totals{Calls: 100, Uncompacted: 1_000_000, Sent: sent, Peak: sent / 20, Cost: cost,
				CacheRead: read, OverWindow: over, Compactions: compactions}}
	}
	none := report(NoPreset, 1_000_000, 1000, 900_000, 0, 0, 1000)
	hidden := report(NoPreset, 1_000_000, 1000, 900_000, 0, 0, 1000)
	hidden.Totals.APIPeak = 90_000
	large := report(NoPreset, 1_000_000, 1000, 900_000, 40, 0, 1000)
	good := report("balanced", 390_000, 620, 351_000, 0, 5, 840)
	regions := report("regions", 500_000, 700, 440_000, 0, 9, 910)
	costly := report("harness", 200_000, 1400, 50_000, 0, 80, 300)
	dear := report("s06", 200_000, 4100, 50_000, 0, 80, 300)
	idle := report("turns", 1_000_000, 1000, 900_000, 0, 0, 1000)
	late := report("critical", 900_000, 600, 800_000, 7, 3, 990)
	for _, row := range []struct {
		why     string
		reports []*Report
		want    string
	}{
		{"nothing", nil, "There is no model call to compare."},
		{"no calls", []*Report{{Preset: "balanced"}}, "There is no model call to compare."},
		{"it fits", []*Report{none}, "Compaction was not needed: the largest request takes 50,000 of 200,000 tokens."},
		{"it fits, but the provider counted more", []*Report{hidden},
			"Compaction was not needed: the largest request takes 50,000 of 200,000 tokens (the provider counted " +
				"up to 90,000, with what the session does not show)."},
		{"it does not fit", []*Report{large}, "Without compaction 40 calls of 100 would not fit into the window of 200,000 tokens."},
		{"one preset", []*Report{large, good},
			"Without compaction 40 calls of 100 would not fit into the window of 200,000 tokens; " +
				"balanced sends 61 % fewer tokens than no compaction and costs 38 % less; it keeps 84 % of the facts."},
		{"another keeps more", []*Report{large, good, regions},
			"Without compaction 40 calls of 100 would not fit into the window of 200,000 tokens; " +
				"balanced sends 61 % fewer tokens than no compaction and costs 38 % less; regions costs 13 % more than balanced; regions keeps more facts (91 % against 84 %)."},
		{"it breaks the cache", []*Report{none, costly},
			"Compaction was not needed: the largest request takes 50,000 of 200,000 tokens; harness sends 80 % fewer tokens than " +
				"no compaction and costs 40 % more, since it breaks the prompt cache: it reads 25 % of its tokens from there instead of 90 %; it keeps 30 % of the facts."},
		{"a multiple", []*Report{none, dear}, "Compaction was not needed: the largest request takes 50,000 of 200,000 tokens; s06 sends 80 % fewer tokens than " +
			"no compaction and costs 4.1 times as much, since it breaks the prompt cache: it reads 25 % of its tokens from there instead of 90 %; it keeps 30 % of the facts."},
		{"nothing was changed", []*Report{none, idle},
			"Compaction was not needed: the largest request takes 50,000 of 200,000 tokens; turns changes nothing."},
		{"nothing was changed though it should", []*Report{large, idle},
			"Turns changes nothing; without compaction 40 calls of 100 would not fit into the window of 200,000 tokens."},
		{"cheap but too late: what fits comes first", []*Report{late, good},
			"Balanced sends 61 % fewer tokens than no compaction; critical costs 3 % less than balanced; " +
				"critical keeps more facts (99 % against 84 %); with critical 7 calls would still not fit."},
		{"four presets", []*Report{none, idle, good, regions, costly},
			"Compaction was not needed: the largest request takes 50,000 of 200,000 tokens; " +
				"balanced sends 61 % fewer tokens than no compaction and costs 38 % less; regions costs 13 % more than balanced; harness costs 40 % more than no compaction, since " +
				"it breaks the prompt cache: it reads 25 % of its tokens from there instead of 90 %; regions keeps more facts (91 % against 84 %); turns changes nothing."},
	} {
		t.Run(row.why, func(t *testing.T) { require.Equal(t, row.want, Verdict(row.reports...)) })
	}
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
