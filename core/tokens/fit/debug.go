package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"tamp/core/tokens"
	"tamp/core/tokens/fit/texts"
)

func group(c int, l int) string {
	if c < 7*0+6*4*16*2*4 {
		heat := c % 4
		k := c / 4 % 2
		sz := c/8%16 + 1
		sh := c / 128 % 4
		ld := c / 512
		switch {
		case sz > 8:
			sz = 9
		case sz > 4:
			sz = 5
		}
		_ = heat
		return fmt.Sprintf("word lead%d shape%d known%d size%d", ld, sh, k, sz)
	}
	if c < 6*512+7*2*2*16*8 {
		return "scriptword"
	}
	return fmt.Sprintf("cell -%d", tokens.Cells-c)
}

func debug(m *tokens.Model, list []texts.Text) {
	want := os.Getenv("DEBUGCLASS")
	type g struct {
		est, exact, n float64
		sample        []string
	}
	gs := map[string]*g{}
	tot := 0.0
	for _, t := range list {
		if !t.Held || !strings.Contains(t.Class+" "+t.Name, want) {
			continue
		}
		starts, _ := texts.Starts(t.Body)
		at := 0
		tot += float64(len(starts))
		tokens.Trace(m, t.Body, func(u tokens.Unit) {
			n := 0
			for at < len(starts) && starts[at] < u.End {
				at++
				n++
			}
			k := group(u.Cell, 0)
			x := gs[k]
			if x == nil {
				x = &g{}
				gs[k] = x
			}
			x.n += float64(u.N)
			x.est += float64(int(m.Weights[u.Cell])*u.N) / 1024
			x.exact += float64(n)
			if len(x.sample) < 12 && int(x.n)%7 == 0 {
				x.sample = append(x.sample, fmt.Sprintf("%q:%d", t.Body[u.Start:u.End], n))
			}
		})
	}
	var ks []string
	for k := range gs {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool {
		a, b := gs[ks[i]], gs[ks[j]]
		return abs(a.est-a.exact) > abs(b.est-b.exact)
	})
	for _, k := range ks[:min(25, len(ks))] {
		x := gs[k]
		fmt.Printf("%-36s n%8.0f est %8.0f exact %8.0f  diff %+6.1f‰  %.130s\n", k, x.n, x.est, x.exact, (x.est-x.exact)*1000/tot, strings.Join(x.sample, " "))
	}
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
