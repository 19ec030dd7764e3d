package main

// Where the error of a row should end: of conversations a little too high, since their texts will differ from these. The texts that
// the published table of errors is about should be right.
const (
	targetOfConversations = 0.008
	targetOfTheRest       = 0.004
	targetOfTheTable      = -0.001
)

const (
	low    = 1.6 // how much worse it is for a row to lie below the target than above it
	rounds = 800
	pace   = 0.4
	reach  = 0.4 // no weight moves further than this from the mean of its units
)

// level moves the means so that no row lies far from the target. The mean of a cell is right for all texts
// together and may be wrong for a class of them; each round, a weight gives way to the mean error of the rows that use
// it, so that cells which only one class uses carry most of its correction.
func level(means []float64, certain []bool, rows []*row) {
	start := append([]float64(nil), means...)
	for range rounds {
		push := make([]float64, len(means))
		use := make([]float64, len(means))
		for _, r := range rows {
			estimate := 0.0
			for c, t := range r.cells {
				estimate += t.units * means[c]
			}
			miss := estimate/r.exact - 1 - r.target
			miss = max(-0.1, min(0.1, miss))
			if miss < 0 {
				miss *= low
			}
			for c, t := range r.cells {
				push[c] += r.worth * t.units * miss
				use[c] += r.worth * t.units
			}
		}
		for c := range means {
			if use[c] == 0 || certain[c] {
				continue
			}
			w := means[c] * (1 - pace*push[c]/use[c])
			means[c] = max(start[c]*(1-reach), min(start[c]*(1+reach), w))
		}
	}
}
