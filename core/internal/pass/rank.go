package pass

import (
	"cmp"

	"tamp/core/internal/order"
)

// The size classes of results: those over 10 KB are compacted first, those under 1 KB last.
const (
	largeBytes = 10 << 10
	smallBytes = 1 << 10
)

// Rank sorts regions by priority for compaction: by size class of their results, large first; then by tokens,
// descending; then by age, oldest first.
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
	order.Stable(regions, func(a, b Region) int {
		return cmp.Or(class(&a)-class(&b), b.Tokens-a.Tokens, a.Span.Start-b.Span.Start)
	})
}

// Choose returns the first ranked regions whose savings sum up to at least needed tokens, or all. saving returns the
// minimum number of tokens that a region frees. Regions that free nothing are left out, since they are not worth a
// model call.
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
