package replay

// fixedOf counts what each request of the last segment has before its messages, by owner.
func fixedOf(w *replayer) []Fixed {
	c, fit := w.last().c, w.fit
	fixed := []Fixed{}
	add := func(who owner, tokens int) {
		if tokens == 0 {
			return
		}
		for i := range fixed {
			if fixed[i].Owner == who.kind && fixed[i].Name == who.name {
				fixed[i].Tokens += tokens
				return
			}
		}
		fixed = append(fixed, Fixed{who.kind, who.name, tokens})
	}
	add(owner{ownerHidden, ""}, fit.hidden)
	for i := range c.System {
		add(owner{ownerSystem, ""}, fit.scale(w.meter.Block(&c.System[i])))
	}
	for i := range c.Tools {
		add(ownerOfTool(&c.Tools[i]), fit.scale(w.meter.Tool(&c.Tools[i])))
	}
	return fixed
}
