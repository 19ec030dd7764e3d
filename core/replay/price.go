package replay

import "tamp/core/tokens"

// priceOf returns the price of a model, and whether it is known. The price of an unknown model is that of a mid-range
// model.
func priceOf(model, format string) (tokens.Price, bool) {
	profile := tokens.ProfileFor(model, format)
	if profile.Price == (tokens.Price{}) {
		return tokens.Price{Input: 3000, Output: 15_000, Read: 100, Write5m: 1250, Write1h: 2000}, false
	}
	return profile.Price, true
}

// cost is the price of a request and its answer in millionths of a dollar, rounded to the nearest.
func cost(p tokens.Price, b bill, output int) int {
	weighed := 1000*b.input + p.Read*b.read + p.Write5m*b.write5m + p.Write1h*b.write1h
	return (weighed*p.Input + 1000*output*p.Output + 500_000) / 1_000_000
}
