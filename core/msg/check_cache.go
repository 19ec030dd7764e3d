package msg

import "strconv"

// The rules on the breakpoints of Anthropic's prompt cache (A11_cache_control).

// maxBreakpoints is the API's limit for one request, the automatic one included.
const maxBreakpoints = 4

const notFree = "only the cache_control of a message's own blocks is removed"

// breakpoint is one block with cache_control, in the order of the rendered request: tools, system, messages.
type breakpoint struct {
	ref   Ref // outside for tools and system
	path  string
	cache Cache
	free  bool // its cache_control can be taken away: it stands on a block of a message, not inside a result
}

func (f *finder) breakpoints() {
	all := f.gatherBreakpoints()
	count := len(all)
	if f.c.Cache != nil {
		count++
	}
	gone := map[Ref]bool{}
	for _, p := range all {
		if p.ref.Message < 0 || !p.free {
			continue
		}
		block := f.c.At(p.ref)
		where := ""
		switch {
		case block.Kind == KindThinking:
			where = "a thinking block"
		case block.Kind == KindText && block.Text == "":
			where = "an empty text block"
		default:
			continue
		}
		f.report(A11Cache, p.ref, "A cache breakpoint stands on "+where+".", "the cache_control is removed").ProviderError = ""
		f.uncache(p.ref)
		gone[p.ref] = true
	}
	f.tooMany(all, gone, count)
	f.lateHours(all, gone)
}

// tooMany takes the oldest breakpoints of the messages away: those on tools and system save the most, and the newest is
// the one that the next request reads.
func (f *finder) tooMany(all []breakpoint, gone map[Ref]bool, count int) {
	excess := count - len(gone) - maxBreakpoints
	if excess <= 0 {
		return
	}
	var first []breakpoint
	for _, p := range all {
		if p.free && !gone[p.ref] && len(first) < excess {
			first = append(first, p)
		}
	}
	message := "There are " + strconv.Itoa(count) + " cache breakpoints, at most " +
		strconv.Itoa(maxBreakpoints) + " are accepted."
	if len(first) < excess {
		p := f.leave(A11Cache, outside, message, notFree, strconv.Itoa(count))
		p.Path = all[len(all)-1].path
		return
	}
	f.report(A11Cache, first[0].ref, message, "the cache_control of the oldest message blocks that have one is removed",
		strconv.Itoa(count))
	for _, p := range first {
		f.uncache(p.ref)
		gone[p.ref] = true
	}
}

func (f *finder) lateHours(all []breakpoint, gone map[Ref]bool) {
	const message = "A cache breakpoint of 1h comes after one of 5m."
	fiveMinutes := false
	for _, p := range all {
		if gone[p.ref] && p.free {
			continue
		}
		if p.cache.TTL != "1h" {
			fiveMinutes = true
			continue
		}
		if !fiveMinutes {
			continue
		}
		problem := f.report(A11Cache, p.ref, message, "")
		problem.Path, problem.ProviderError = p.path, ""
		if !p.free {
			problem.Reason = notFree
			continue
		}
		problem.Repair = "the cache_control of 1h is removed"
		f.uncache(p.ref)
	}
	if f.c.Cache != nil && f.c.Cache.TTL == "1h" && fiveMinutes {
		p := f.leave(A11Cache, outside, message, notFree)
		p.Path, p.ProviderError = "/cache_control", ""
	}
}

func (f *finder) uncache(at Ref) { f.edit.put(at, f.block(at).WithCache(nil)) }

func (f *finder) gatherBreakpoints() []breakpoint {
	var all []breakpoint
	for _, blocks := range [][]Block{f.c.Tools, f.c.System} {
		for i := range blocks {
			if b := &blocks[i]; b.Cache != nil {
				all = append(all, breakpoint{ref: outside, path: b.Path, cache: *b.Cache})
			}
		}
	}
	for m := range f.c.Messages {
		for b := range f.c.Messages[m].Blocks {
			block := &f.c.Messages[m].Blocks[b]
			for i := range block.Parts {
				if part := &block.Parts[i]; part.Cache != nil {
					all = append(all, breakpoint{ref: Ref{m, b}, path: part.Path, cache: *part.Cache})
				}
			}
			if block.Cache != nil {
				all = append(all, breakpoint{ref: Ref{m, b}, path: f.path(Ref{m, b}), cache: *block.Cache, free: true})
			}
		}
	}
	return all
}
