package fake

// The prompt cache, as far as usage reports it: prefixes are written at breakpoints, and read by looking back from
// each; an automatic cache has one at every block. They do not expire. A token has 4 bytes here.

// lookback is the number of blocks before a breakpoint at which a cached prefix is found.
const lookback = 20

// size returns the tokens of the prompt.
func (in *input) size() int { return in.each(func(*prefix, *locatedBlock) {}).size/4 + 1 }

// cacheUsage returns the tokens of a request, those read from the cache of that name, and those written to it.
func (s *Server) cacheUsage(name string, in *input, automatic bool) (all, read, wrote int) {
	type place struct {
		digest string
		size   int
		stop   bool
	}
	var places []place
	stop := false // the last visited block has a breakpoint
	note := func(w *prefix) {
		places = append(places, place{string(w.all.Sum(nil)), w.size, stop || automatic})
	}
	tools := 0
	w := in.each(func(w *prefix, b *locatedBlock) {
		note(w)
		stop = b != nil && b.Cache != nil
		if b == nil {
			stop = in.Tools[tools].Cache != nil
			tools++
		}
	})
	stop = stop || in.Cache != nil // of the request: its end
	note(w)
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.kept[name]
	if kept == nil {
		kept = map[string]bool{}
		s.kept[name] = kept
	}
	for i, p := range places {
		if !p.stop {
			continue
		}
		for j := i; j >= max(i-lookback, 0); j-- {
			if kept[places[j].digest] {
				read = max(read, places[j].size/4)
			}
		}
		wrote = p.size / 4
	}
	for _, p := range places {
		if p.stop {
			kept[p.digest] = true
		}
	}
	return w.size/4 + 1, read, max(wrote-read, 0)
}
