package main

import (
	"fmt"
	"sort"

	"tamp/core/internal/convtest/texts"
	"tamp/core/tokens"
	"tamp/core/tokens/estimate"
)

type line struct{ bytes, exact, estimate, chars4 int }

// table prints the errors by class, of the fitted half and of the half held out.
func table(m *estimate.Model, list []texts.Text, each bool) error {
	rows := map[string]*line{}
	for _, t := range list {
		exact, err := texts.Exact(t.Body)
		if err != nil {
			return err
		}
		name := t.Class + "  fitted"
		if t.Held {
			name = t.Class + "  held out"
		}
		r := rows[name]
		if r == nil {
			r = new(line)
			rows[name] = r
		}
		trace := estimate.Trace(m, t.Body, nil)
		r.bytes += len(t.Body)
		r.exact += exact
		r.estimate += trace
		r.chars4 += tokens.Chars4.Count(t.Body)
		if each && t.Held && exact > 500 {
			fmt.Printf("%+6d ‰ %8d  %s %s\n", permille(trace, exact), exact, t.Class, t.Name)
		}
	}
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Printf("%-26s %9s %9s %9s %8s %8s\n", "class", "bytes", "exact", "estimate", "error ‰", "chars4 ‰")
	for _, name := range names {
		r := rows[name]
		fmt.Printf("%-26s %9d %9d %9d %+8d %+8d\n", name, r.bytes, r.exact, r.estimate, permille(r.estimate, r.exact),
			permille(r.chars4, r.exact))
	}
	return nil
}

func permille(got, want int) int {
	if want == 0 {
		return 0
	}
	return (got - want) * 1000 / want
}
