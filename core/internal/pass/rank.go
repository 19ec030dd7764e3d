package pass

import (
	"cmp"
	"slices"
)

// Sizes that set results apart: over 10 KB they go first, under 1 KB last (ALGORITHMS: compactable).
const (
	largeBytes = 10 << 10
	smallBytes = 1 << 10
)

// Rank sorts regions into the order in which they are given up: large results first, small ones last; within that by tokens,
// largest first, and the older one first on a tie.
func Rank(in *Input, regions []Region) {
	class := func(r *Region) int {
		if r.Blocks == nil {
			return 1
		}
		longest := 0
		for _, ref := range r.Blocks {
			longest = max(longest, len(in.Conversation.At(ref).Text))
		}
		switch {
		case longest > largeBytes:
			return 0
		case longest < smallBytes:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(regions, func(a, b Region) int {
		return cmp.Or(class(&a)-class(&b), b.Tokens-a.Tokens, a.Span.Start-b.Span.Start)
	})
}

// Choose returns how many of the ranked regions must go until their savings reach what is needed. saving is what a
// region frees at the least; one that frees nothing is never worth a model call, so it is left out of the result.
func Choose(regions []Region, needed int, saving func(*Region) int) []Region {
	var chosen []Region
	for i := range regions {
		if needed <= 0 {
			break
		}
		if s := saving(&regions[i]); s > 0 {
			needed -= s
			chosen = append(chosen, regions[i])
		}
	}
	return chosen
}
