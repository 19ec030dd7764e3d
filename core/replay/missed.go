package replay

import "tamp/core/msg"

// countMisses compares what the answer uses with the request that was sent. grown means that the request begins with
// the one before.
func countMisses(r *round, call *Call, grown bool) {
	w := r.w
	if w.misses == nil {
		return
	}
	w.misses.SetContext(w.conversation().Messages, grown)
	found := w.misses.Call(r.answer)
	call.Names, call.Missed, call.Lost = found.Names, found.Missed, found.Lost
	call.Misses = found.List
	m := &w.report.Misses
	m.Names += found.Names
	m.Missed += found.Missed
	m.Edits += found.Edits
	m.Lost += found.Lost
	m.Repeats += found.Repeats
	m.LeftOut += found.LeftOut
	if found.Missed+found.Lost > 0 {
		m.Calls++
	}
	if len(found.Again) > 0 {
		m.Reads++
		readAgain(r, call, found.Again)
	}
}

// readAgain adds the price of one more call: it reads the request from the cache, calls the tools again, and adds the
// texts.
func readAgain(r *round, call *Call, texts []msg.Ref) {
	w := r.w
	read, output := 0, 0
	for _, ref := range texts {
		read += tokensOf(r, ref)
		if call := w.misses.CallOf(ref); call != nil {
			output += tokensOf(r, *call)
		}
	}
	b := bill{read: call.Sent, write5m: read + output}
	if w.uncached() {
		b = bill{input: call.Sent + read + output}
	}
	m := &w.report.Misses
	m.Tokens += read
	call.ReadCost = charge(w.prices.of(r.model), b, output)
	m.ReadCost += call.ReadCost
}

// tokensOf returns the size of a block of the session.
func tokensOf(r *round, ref msg.Ref) int {
	return r.w.fit.scale(r.w.account.reader.message(&r.w.c.Messages[ref.Message]).count.Blocks[ref.Block])
}
