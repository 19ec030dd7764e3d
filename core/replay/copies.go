package replay

import (
	"cmp"
	"strconv"

	"tamp/core/format"
	"tamp/core/internal/hash"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// CallBill is what one call cost. Forks, resumed sessions and copies of a log repeat calls: a sum over several logs
// counts those with one ID once.
type CallBill struct {
	ID        string      `json:"id"`
	Kind      string      `json:"kind,omitempty"` // "subagent", or "branch" that the user left; "" in the conversation
	Cost      int         `json:"cost"`
	Compacted int         `json:"compacted"` // under the policy; Cost for a call that is not replayed
	Over      bool        `json:"overWindow,omitempty"`
	Breaks    []CallBreak `json:"breaks,omitempty"`
}

// Apart sums calls that are in no total.
type Apart struct {
	Calls int `json:"calls"`
	Cost  int `json:"cost"`
}

func (a *Apart) add(cost int) {
	a.Calls++
	a.Cost += cost
}

// addBills lists the calls of a replay without compaction and one with it, and sums those that are not replayed.
func (a *Audited) addBills(log *replayer, with *Report) {
	base := log.report
	a.Bills = make([]CallBill, 0, len(base.Calls))
	for i := range log.segments {
		for _, id := range log.segments[i].ids {
			n := len(a.Bills)
			if n >= min(len(base.Calls), len(with.Calls)) { // Options.Progress has ended one
				break
			}
			call := &base.Calls[n]
			a.Bills = append(a.Bills, CallBill{ID: id, Cost: call.Cost, Compacted: with.Calls[n].Cost,
				Over: call.Sent > base.Window, Breaks: call.Breaks})
		}
	}
	if base.Others == nil {
		return
	}
	for t := range base.Others.Tracks {
		track, kind, sum := &base.Others.Tracks[t], "branch", &a.Branches
		if track.Subagent {
			kind, sum = "subagent", &a.Subagents
		}
		for k, call := range track.Calls {
			sum.add(call.Cost)
			a.Bills = append(a.Bills, CallBill{ID: log.tracks[t][k], Kind: kind, Cost: call.Cost, Compacted: call.Cost})
		}
	}
}

// identities returns the IDs of the calls of a conversation, in their order.
type identities struct {
	c     *msg.Conversation
	chain hash.Hash128 // of the messages before next
	next  int
}

// of returns the ID of the call whose answer is message m: the one in the log, else a digest of the answer with its
// usage, else one of everything up to it.
func (d *identities) of(m int) string {
	answer := &d.c.Messages[m]
	if id := identity(d.c, answer); id != "" {
		return id
	}
	if answer.Usage != nil {
		return digest(answer)
	}
	for ; d.next <= m; d.next++ {
		d.chain.Text(content(&d.c.Messages[d.next]))
	}
	return hexOf(d.chain)
}

// identity returns the ID that the log of c has of the call with an answer, "" for none. Claude Code can write a fork
// with new uuids, and names those of before; pi copies its entries.
func identity(c *msg.Conversation, answer *msg.Message) string {
	line, _ := format.Line(c, lineOf(answer.Path))
	text := func(name string) string { return line.Member(name).Text() }
	switch id := answer.ID; {
	case c.Format == msg.Pi && text("id") != "":
		return text("id") + " " + text("timestamp")
	case c.Format == msg.ClaudeCode && id == "":
		return cmp.Or(line.Member("forkedFrom").Member("messageUuid").Text(), text("uuid"))
	case c.Format == msg.ClaudeCode:
		return id + " " + text("requestId")
	default:
		return id
	}
}

// digest is the ID of an answer with usage: agents repeat both when they copy a session.
func digest(m *msg.Message) string {
	d := hash.New128()
	d.Text(content(m))
	for _, n := range [...]int{m.Usage.Input, m.Usage.CacheRead, m.Usage.CacheWrite, m.Usage.Output} {
		d.Number(uint64(n))
	}
	return hexOf(d)
}

// content is the JSON of a message.
func content(m *msg.Message) string {
	text := rawjson.Value(nil)
	for _, line := range append(m.Lines, m.Raw) {
		text = append(text, line...)
	}
	return string(text)
}

func hexOf(d hash.Hash128) string {
	return strconv.FormatUint(d.A, 16) + "-" + strconv.FormatUint(d.B, 16)
}
