package replay

import "tamp/core/models"

// summaryPrice is the price of the summarizer.
func (w *replayer) summaryPrice() models.Price {
	if w.o.SummaryModel != "" {
		p, _ := priceOf(w.o.SummaryModel, w.segments[0].c.Format)
		return p
	}
	return w.price(w.report.Model)
}

// automaticCacheOf returns the rules of OpenAI's automatic cache for a model: the seconds that a prefix lives after its
// last use, and whether writes are paid. From GPT-5.6 on it is 30 minutes, and a write costs 1.25 times the input.
// Sources, read in November 2026: the announcement of GPT-5.6 and Azure's page on prompt caching.
func automaticCacheOf(model string) (seconds int, paid bool) {
	if models.PaysCacheWrites(model) {
		return 1800, true
	}
	return 300, false
}

// priceOf returns the price of a model, and whether it is known. The price of an unknown model is that of a mid-range
// model.
func priceOf(model, format string) (models.Price, bool) {
	profile := models.ProfileFor(model, format)
	if profile.Price == (models.Price{}) {
		return models.MidRange, false
	}
	return profile.Price, true
}

// charge is the price of a request and its answer in millionths of a dollar: that of its length.
func charge(p models.Price, b bill, output int) int { return cost(p.At(b.sent()), b, output) }

// cost is the price of tokens at the price of a short prompt, or at one that Price.At returned, in millionths of a
// dollar, rounded to the nearest.
func cost(p models.Price, b bill, output int) int {
	weighed := 1000*b.input + p.Read*b.read + p.Write5m*b.write5m + p.Write1h*b.write1h
	return (weighed*p.Input + 1000*output*p.Output + 500_000) / 1_000_000
}
