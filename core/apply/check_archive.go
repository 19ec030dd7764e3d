package apply

import (
	"slices"
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan"
)

// checkArchive checks that the spans are sorted, do not overlap, and lie within the plan.
func checkArchive(pl *plan.Plan) error {
	end := 0
	for i, s := range pl.Archive {
		if s.Start < end || s.End <= s.Start || s.End > pl.Length {
			return badPlan("/plan/archive/"+strconv.Itoa(i), "spans must be in order, not overlap, and lie within the plan")
		}
		end = s.End
	}
	return nil
}

// archived reports whether a span holds the message; checkArchive found the spans in order.
func archived(spans []msg.Span, message int) bool {
	i, found := slices.BinarySearchFunc(spans, message, func(s msg.Span, m int) int { return s.Start - m })
	return found || i > 0 && message < spans[i-1].End
}

func badPlan(path, why string) error {
	return msg.NewError(msg.BadPlan, path, "cannot apply: "+why)
}
