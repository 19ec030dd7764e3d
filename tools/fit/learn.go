package main

import (
	"sort"

	"tamp/core/internal/convtest/texts"
	"tamp/core/tokens/estimate"
)

// share is the weight of a class in the fit; the default is 1. Conversations are the purpose of the estimate. Prose
// weighs more than manuals and messages, whose words are rarer and cost more. Languages without a tested bound weigh
// little.
var share = map[string]float64{
	"conversation": 14, "readme": 6, "repeat": 0.2, "random": 0.2, "minified": 0.5,
	"german": 2.5, "spanish": 2.5, "portuguese": 2.5, "chinese": 1.5, "korean": 3, "arabic": 3, "russian": 3,
	"ukrainian manual": 0.2, "ukrainian messages": 0.2, "taiwanese manual": 0.2, "taiwanese messages": 0.2,
	"russian manual": 0.5, "russian messages": 0.4,
	"polish manual": 0.5, "swedish manual": 0.5, "dutch manual": 0.3, "turkish manual": 0.4, "italian manual": 0.4,
	"czech messages":   0.5,
	"spanish messages": 0.4, "portuguese messages": 0.4, "french messages": 0.4, "french manual": 0.4,
}

type tally struct{ units, tokens float64 }

func (t *tally) add(o tally) { t.units += o.units; t.tokens += o.tokens }

// A row is a class of texts or one conversation: the unit whose error is measured.
type row struct {
	name   string
	worth  float64 // weight of a unit, so that classes weigh by share and not by size
	exact  float64
	target float64
	cells  []tally
}

// learn sets the weights of m, whose filter is filled, from the texts that are not held out.
func learn(m *estimate.Model, list []texts.Text) error {
	rows, err := rowsOf(m, list)
	if err != nil {
		return err
	}
	all := make([]tally, estimate.Cells)
	for _, r := range rows {
		for i, c := range r.cells {
			all[i].add(tally{c.units * r.worth, c.tokens * r.worth})
		}
	}
	certain := make([]bool, len(all))
	for i, c := range all {
		certain[i] = c.units > 30 && c.tokens == c.units
	}
	means := smooth(all)
	level(means, certain, rows)
	for i, mean := range means {
		m.Weights[i] = uint16(min(65535, mean*estimate.WeightOfOne+0.5))
	}
	return nil
}

func rowsOf(m *estimate.Model, list []texts.Text) ([]*row, error) {
	size := map[string]float64{}
	for _, t := range list {
		if !t.Held {
			size[t.Class] += float64(len(t.Body))
		}
	}
	rows := map[string]*row{}
	for _, t := range list {
		if t.Held || t.Body == "" {
			continue
		}
		name := t.Class
		if name == "conversation" || name == "readme" {
			name = t.Name
		}
		r := rows[name]
		if r == nil {
			r = &row{name: name, worth: worth(t.Class, size[t.Class]), cells: make([]tally, estimate.Cells), target: targetOf(t)}
			rows[name] = r
		}
		starts, err := texts.Starts(t.Body)
		if err != nil {
			return nil, err
		}
		at := 0
		estimate.Trace(m, t.Body, func(u estimate.Unit) {
			n := 0
			for at < len(starts) && starts[at] < u.End {
				at++
				n++
			}
			r.cells[u.Cell].add(tally{float64(u.N), float64(n)})
			r.exact += float64(n)
		})
	}
	ordered := make([]*row, 0, len(rows))
	for _, r := range rows {
		ordered = append(ordered, r)
	}
	sort.Slice(ordered, func(i, j int) bool { return ordered[i].name < ordered[j].name })
	return ordered, nil
}

func targetOf(t texts.Text) float64 {
	switch {
	case t.Class == "conversation":
		return targetOfConversations
	case t.Shown:
		return targetOfTheTable
	}
	return targetOfTheRest
}

func worth(class string, size float64) float64 {
	part, named := share[class]
	if !named {
		part = 1
	}
	return part * 3e5 / max(size, 1e3)
}

// prior is the weight of the neighborhood of a cell, in units of the cell.
const prior = 6

// smooth returns the mean of each cell, regularized by the means of its neighborhoods: groups of 4 cells, which differ
// by unknownWordRate, of 8, of 128 and of 1024.
func smooth(cells []tally) []float64 {
	means := make([]float64, len(cells))
	for i, c := range cells {
		mean := 1.5
		for _, width := range []int{1024, 128, 8, 4} {
			var near tally
			from := i / width * width
			for j := from; j < from+width && j < len(cells); j++ {
				near.add(cells[j])
			}
			mean = (near.tokens + prior*mean) / (near.units + prior)
		}
		means[i] = (c.tokens + prior*mean) / (c.units + prior)
	}
	return means
}
