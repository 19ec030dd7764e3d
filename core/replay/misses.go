package replay

import (
	"tamp/core/msg"
)

// Misses sums up what the answers of the session use, and what of it the compacted requests do not have (core/misses).
// A name counts once for each call that uses it.
type Misses struct {
	Names    int `json:"names"`    // that a call uses, and that the session had before
	Missed   int `json:"missed"`   // of these, those that the request does not have
	Permille int `json:"permille"` // of the names that the requests have, rounded down; 1000 if there are none
	Calls    int `json:"calls"`    // with a missed name or a lost edit
	Edits    int `json:"edits"`    // changes of files whose old text the session had before
	Lost     int `json:"lost"`     // of these, those whose old text the request does not have
	// Calls of tools that repeat an earlier read, search or command. The session itself does so: they are part of its cost
	// without compaction, and of no other number here.
	Repeats int `json:"repeats"`
	LeftOut int `json:"leftOut"` // of these, those whose earlier result the request does not have
	// Model calls to read again what was missing: one for each call that misses something that was not read again before.
	Reads    int `json:"reads"`
	Tokens   int `json:"tokens"`   // of the texts read again, each once
	ReadCost int `json:"readCost"` // of these calls: the request once more, the texts, and the calls of the tools
	Cost     int `json:"cost"`     // Totals.Cost and ReadCost
	// The numbers in a sentence for people, which may change; "" if no call uses a name or an edit.
	Text string `json:"text"`
}

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
	m.ReadCost += charge(w.prices.of(r.model), b, output)
}

// tokensOf returns the size of a block of the session.
func tokensOf(r *round, ref msg.Ref) int {
	return r.w.fit.scale(r.w.account.reader.message(&r.w.c.Messages[ref.Message]).count.Blocks[ref.Block])
}

// finish sets what follows from the sums, with the calls and the cost of the session.
func (m *Misses) finish(t *Totals) {
	if m.Permille = 1000; m.Names > 0 {
		m.Permille = (m.Names - m.Missed) * 1000 / m.Names
	}
	m.Cost = t.Cost + m.ReadCost
	if m.Text = m.sentence(t.Calls); m.Text != "" {
		m.Text += "."
	}
}

// sentence is Text without its end.
func (m *Misses) sentence(calls int) string {
	if m.Names+m.Edits == 0 {
		return ""
	}
	edits := ""
	if m.Edits > 0 {
		edits = "; " + number(m.Lost) + " of " + count(m.Edits, "edit") + " would have had to read again"
	}
	return "Of " + count(m.Names, "name") + " that the agent used later, " + number(m.Names-m.Missed) +
		" were in the context (" + percent(m.Permille) + "); " + number(m.Calls) + " of " + count(calls, "call") +
		" missed something" + edits
}
