package replay

import (
	"tamp/core/models"
	"tamp/core/msg"
)

// prices are those of the models of a session.
type prices struct {
	format       string
	given        *models.Price       // of every call; nil means those of the models
	multipliers  []models.Multiplier // as they were asked for: the factor of each call is that of its model
	summaryModel string              // "" means that of the session
	last         string              // the model that ofCall was asked for last, and its price
	price        models.Price
}

// of returns the price of a model, with the multipliers: the given one, else the model's; that of a mid-range model if
// it is not known.
func (p *prices) of(model string) models.Price { return p.ofCall(model, nil) }

// ofCall is of for a call: with the factor of its service, by its usage, unless other prices or a factor of that
// service are asked for.
func (p *prices) ofCall(model string, usage *msg.Usage) models.Price {
	if p.last != model || p.price == (models.Price{}) { // a session has few models
		p.last = model
		p.price, _ = priceOf(model, p.format)
	}
	price := p.price
	var all []models.Multiplier
	add := func(m models.Multiplier) {
		if m.Permille == 0 {
			m.Permille = models.MultiplierOf(model, p.format, m.Name)
		}
		if m.Permille > 0 {
			all = append(all, m)
		}
	}
	tier := ""
	if usage != nil {
		tier = usage.Tier
	}
	for _, m := range p.multipliers {
		if add(m); m.Name == tier {
			tier = ""
		}
	}
	if p.given != nil {
		price = *p.given
	} else if tier != "" {
		add(models.Multiplier{Name: tier})
	}
	return price.Times(all)
}

func (p *prices) known(model string) bool {
	_, known := priceOf(model, p.format)
	return known || p.given != nil
}

// ofSummaries is the price of the summarizer in a session with a model.
func (p *prices) ofSummaries(model string) models.Price {
	if p.summaryModel != "" {
		price, _ := priceOf(p.summaryModel, p.format)
		return price
	}
	return p.of(model)
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
