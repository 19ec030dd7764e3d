package main

import (
	"fmt"
	"math"
	"sort"

	"tamp/core/internal/convtest/sessions"
	"tamp/core/tokens"
)

// fitFrame finds the frame of a call or result with the minimum sum of absolute errors, by iteratively reweighted least
// squares.
func fitFrame(list []sample, counter int) float64 {
	weights := make([]float64, len(list))
	for i := range weights {
		weights[i] = 1
	}
	var text, frame float64
	for range 60 {
		var tt, tp, pp, ty, py float64
		for i, x := range list {
			w, t, p, y := weights[i], x.text[counter], x.pieces, x.tokens-perMessage*x.messages
			tt, tp, pp, ty, py = tt+w*t*t, tp+w*t*p, pp+w*p*p, ty+w*t*y, py+w*p*y
		}
		det := tt*pp - tp*tp
		text, frame = (ty*pp-py*tp)/det, (tt*py-tp*ty)/det
		for i, x := range list {
			weights[i] = 1 / max(1, math.Abs(x.tokens-perMessage*x.messages-text*x.text[counter]-frame*x.pieces))
		}
	}
	return frame
}

// margin is a factor of the multipliers on top of equal totals: a count that is too low makes a request that does not
// fit.
const margin = 1.02

// fitMultiplier returns the multiplier that makes the totals equal, times margin.
func fitMultiplier(list []sample, counter int, frame float64) float64 {
	var text, rest float64
	for _, x := range list {
		text += x.text[counter]
		rest += x.tokens - perMessage*x.messages - frame*x.pieces
	}
	return margin * rest / text
}

// off returns the relative error of the total.
func off(list []sample, counter int, frame, multiplier float64) float64 {
	var counted, real float64
	for _, x := range list {
		counted += multiplier*x.text[counter] + frame*x.pieces + perMessage*x.messages
		real += x.tokens
	}
	return counted/real - 1
}

// printErrors prints the error of the current profiles on each session, and the 10th and the 90th percentile of the
// real count in permille of ours, which are the range of the profile. Sessions under 10,000 tokens are not in the
// percentiles.
func printErrors(list []sessions.Session, counter tokens.Counter) {
	var ratios []int
	total, totalReal := 0, 0
	fmt.Printf("%s with its profile:\n", counter.Name())
	for i := range list {
		s := &list[i]
		m := tokens.NewMeter(counter, s.Conversation)
		counted, real := 0, 0
		for _, step := range s.Steps {
			counted += s.Count(m, step)
			real += step.Tokens
		}
		total, totalReal = total+counted, totalReal+real
		if real >= 10_000 {
			ratios = append(ratios, 1000*real/counted)
		}
		fmt.Printf("  %-55s %-18s %8d counted %8d real %+6.1f %%\n", s.Name, m.Profile.Family, counted, real,
			100*(float64(counted)/float64(real)-1))
	}
	sort.Ints(ratios)
	fmt.Printf("  all %+.1f %%; real in permille of counted: 10th percentile %d, 90th %d\n",
		100*(float64(total)/float64(totalReal)-1), ratios[len(ratios)/10], ratios[len(ratios)*9/10])
}
