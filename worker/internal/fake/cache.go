package fake

// The prompt cache, as far as usage tells of it: written at breakpoints, read by looking back from each, for as long as
// the server runs. A token is 4 bytes here.

// lookback is how many blocks before a breakpoint a read looks at.
const lookback = 20

// spend says what a request costs: its tokens, those read from the cache of that name, and those written to it.
func (s *Server) spend(name string, in *input) (all, read, wrote int) {
	type place struct {
		digest string
		size   int
		stop   bool
	}
	var places []place
	stop := false // the block that was visited last has a breakpoint
	note := func(w *walk) {
		places = append(places, place{string(w.all.Sum(nil)), w.size, stop})
	}
	tools := 0
	w := in.each(func(w *walk, b *placed) {
		note(w)
		stop = b != nil && b.Cache != nil
		if b == nil {
			stop = in.Tools[tools].Cache != nil
			tools++
		}
	})
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
