package validity

import (
	"strconv"

	"tamp/core/msg"
)

// The rules on the breakpoints of Anthropic's prompt cache (A11_cache_control).

// maxBreakpoints is the API's limit for one request, the automatic one included.
const maxBreakpoints = 4

const notFree = "only the cache_control of a message's own blocks is removed"

// breakpoint is one block with cache_control, in the order of the rendered request: tools, system, messages.
type breakpoint struct {
	ref       msg.Ref // outside for tools and system
	path      string
	cache     msg.Cache
	removable bool // Repair can remove its cache_control: it is on a block of a message, not inside a result
}

func checkBreakpoints(ck *checker) {
	all := collectBreakpoints(ck)
	count := len(all)
	if ck.c.Cache != nil {
		count++
	}
	removed := map[msg.Ref]bool{}
	for _, p := range all {
		if p.ref.Message < 0 || !p.removable {
			continue
		}
		block := ck.c.At(p.ref)
		where := ""
		switch {
		case block.Kind == msg.KindThinking:
			where = "a thinking block"
		case block.Kind == msg.KindText && block.Text == "":
			where = "an empty text block"
		case ck.c.Messages[p.ref.Message].IsForTurn():
			where = "a system message with clear_at"
		default:
			continue
		}
		ck.report(A11Cache, p.ref, "A cache breakpoint is on "+where+".", "the cache_control is removed").ProviderError = ""
		removeCacheControl(ck, p.ref)
		removed[p.ref] = true
	}
	checkBreakpointCount(ck, all, removed, count)
	checkTTLOrder(ck, all, removed)
}

// checkBreakpointCount removes the oldest breakpoints of the messages if there are too many. Those on tools and system
// save most tokens, and the next request reads from the newest one.
func checkBreakpointCount(ck *checker, all []breakpoint, removed map[msg.Ref]bool, count int) {
	excess := count - len(removed) - maxBreakpoints
	if excess <= 0 {
		return
	}
	var first []breakpoint
	for _, p := range all {
		if p.removable && !removed[p.ref] && len(first) < excess {
			first = append(first, p)
		}
	}
	message := "There are " + strconv.Itoa(count) + " cache breakpoints, at most " +
		strconv.Itoa(maxBreakpoints) + " are accepted."
	if len(first) < excess {
		p := ck.reportUnrepaired(A11Cache, outside, message, notFree, strconv.Itoa(count))
		p.Path = all[len(all)-1].path
		return
	}
	ck.report(A11Cache, first[0].ref, message, "the cache_control of the oldest message blocks that have one is removed",
		strconv.Itoa(count))
	for _, p := range first {
		removeCacheControl(ck, p.ref)
		removed[p.ref] = true
	}
}

// checkTTLOrder reports each 1h breakpoint that comes after a 5m one.
func checkTTLOrder(ck *checker, all []breakpoint, removed map[msg.Ref]bool) {
	const message = "A cache breakpoint of 1h comes after one of 5m."
	fiveMinutes := false
	for _, p := range all {
		if removed[p.ref] && p.removable {
			continue
		}
		if p.cache.TTL != "1h" {
			fiveMinutes = true
			continue
		}
		if !fiveMinutes {
			continue
		}
		problem := ck.report(A11Cache, p.ref, message, "")
		problem.Path, problem.ProviderError = p.path, ""
		if !p.removable {
			problem.Reason = notFree
			continue
		}
		problem.Repair = "the cache_control of 1h is removed"
		removeCacheControl(ck, p.ref)
	}
	if ck.c.Cache != nil && ck.c.Cache.TTL == "1h" && fiveMinutes {
		p := ck.reportUnrepaired(A11Cache, outside, message, notFree)
		p.Path, p.ProviderError = "/cache_control", ""
	}
}

func removeCacheControl(ck *checker, at msg.Ref) {
	ck.edit.replaceBlock(at, ck.block(at).WithCache(nil))
}

func collectBreakpoints(ck *checker) []breakpoint {
	var all []breakpoint
	for _, blocks := range [][]msg.Block{ck.c.Tools, ck.c.System} {
		for i := range blocks {
			if b := &blocks[i]; b.Cache != nil && !b.IsDeferred() { // see checkDeferred
				all = append(all, breakpoint{ref: outside, path: b.Path, cache: *b.Cache})
			}
		}
	}
	for it := ck.c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		for i := range block.Parts {
			if part := &block.Parts[i]; part.Cache != nil {
				all = append(all, breakpoint{ref: ref, path: part.Path, cache: *part.Cache})
			}
		}
		if block.Cache != nil {
			all = append(all, breakpoint{ref: ref, path: ck.path(ref), cache: *block.Cache, removable: true})
		}
	}
	return all
}
