package main

// The target error of a row. It is a little too high for conversations, since other conversations have other texts. It
// is about 0 for the texts of the published table of errors.
const (
	targetOfConversations = 0.008
	targetOfTheRest       = 0.004
	targetOfTheTable      = -0.001
)

const (
	lowPenalty = 1.6 // weight of an error below the target; above it is 1
	rounds     = 800
	stepSize   = 0.4
	maxMove    = 0.4 // maximum relative change of a weight from the mean of its units
)

// level changes the means so that the error of every row approaches its target. The mean of a cell is correct for all
// texts together and may be wrong for one class. Each round changes a weight against the mean error of the rows that
// use it, so that cells used by only one class get most of its correction.
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
				miss *= lowPenalty
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
			w := means[c] * (1 - stepSize*push[c]/use[c])
			means[c] = max(start[c]*(1-maxMove), min(start[c]*(1+maxMove), w))
		}
	}
}
