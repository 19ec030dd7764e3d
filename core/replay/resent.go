package replay

import (
	"cmp"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/policy"
)

// Resends are what the requests of a session send again: every request has the whole conversation, so a block is paid
// by each request after the first one that has it. Costs are in millionths of a dollar.
type Resends struct {
	Calls     int     `json:"calls"`
	Stopped   bool    `json:"stopped,omitempty"` // Options.Progress ended the replays: later calls are missing
	Resent    int     `json:"resent"`            // tokens × the requests that resend them, without compaction
	Cost      int     `json:"cost"`              // of resending them, without compaction
	Left      int     `json:"left"`              // tokens × the requests that resend them, under the policy
	Compacted int     `json:"compacted"`         // the cost of resending them, under the policy
	Owners    []Owned `json:"owners"`            // by Removed, the largest first
}

// Owned is what the blocks of one owner cost after their first request.
type Owned struct {
	// "hidden" (not in the log), "system", "tools" (the agent's own), "server" (a tool server), "notes" (text that the
	// agent inserts), "prompts", "answers", "thinking", "results", "summaries" or "other"
	Owner     string       `json:"owner"`
	Name      string       `json:"name,omitempty"` // the tool of answers and results, or the tool server
	Blocks    int          `json:"blocks"`
	Tokens    int          `json:"tokens"`    // of the blocks, each counted once
	Resent    int          `json:"resent"`    // tokens × the requests that resend them, without compaction
	Left      int          `json:"left"`      // the same under the policy
	Cost      int          `json:"cost"`      // of resending them, without compaction
	Compacted int          `json:"compacted"` // the same cost under the policy
	Removed   int          `json:"removed"`   // the difference of both costs; negative if compaction adds to it
	Largest   []OwnedBlock `json:"largest"`   // up to 24 blocks, by Removed, then by Cost
}

// OwnedBlock is one block of an owner.
type OwnedBlock struct {
	// index of the message and of the block in the session; -1 if no message of its last segment has it
	Message   int    `json:"message"`
	Block     int    `json:"block"`
	Name      string `json:"name,omitempty"` // of a tool definition
	Tokens    int    `json:"tokens"`
	Requests  int    `json:"requests"` // that resend it, without compaction
	Left      int    `json:"left"`     // the same under the policy
	Cost      int    `json:"cost"`
	Compacted int    `json:"compacted"`
	Removed   int    `json:"removed"`
}

// maxLargest is the length of Owned.Largest: more rectangles are too small to see.
const maxLargest = 24

// Resent replays the session c without compaction and with policy p, and divides the cost of what the requests send
// again by owner. Not included are the first request that has a block, the answers, and the summarizer. The errors are
// those of Replay.
func Resent(c *msg.Conversation, p policy.Policy, o Options) (*Resends, error) {
	both := &ledger{at: map[blockKey]*copies{}}
	progress, calls, stopped := o.Progress, 0, false
	for _, none := range []bool{true, false} {
		o.None = none
		if progress != nil { // both replays are one piece of work
			o.Progress = func(done, of int) bool {
				if !none {
					done += of
				}
				return progress(done, 2*of)
			}
		}
		w, err := newReplayer(c, p, o)
		if err != nil {
			return nil, err
		}
		if !none {
			both.replay = 1
		}
		w.account.ledger = both
		if err := w.replaySegments(); err != nil {
			return nil, err
		}
		both.cut(0)
		calls = len(w.report.Calls)
		if stopped = w.report.Stopped; stopped {
			break
		}
	}
	if progress != nil && !stopped {
		progress(2*calls, 2*calls)
	}
	all := resendsOf(both, calls)
	all.Stopped = stopped
	return all, nil
}

// resendsOf sums the items of a ledger up by owner.
func resendsOf(l *ledger, calls int) *Resends {
	all := &Resends{Calls: calls, Owners: []Owned{}}
	at := map[owner]int{}
	for i := range l.items {
		x := &l.items[i]
		k, ok := at[x.owner]
		if !ok {
			k = len(all.Owners)
			at[x.owner] = k
			all.Owners = append(all.Owners, Owned{Owner: x.owner.kind, Name: x.owner.name, Largest: []OwnedBlock{}})
		}
		o := &all.Owners[k]
		o.addItem(x)
		without, with := &x.spent[0], &x.spent[1]
		all.Resent += without.resent()
		all.Left += with.resent()
		all.Cost += without.cost()
		all.Compacted += with.cost()
	}
	for i := range all.Owners {
		all.Owners[i].cutLargest()
	}
	order.Stable(all.Owners, func(a, b Owned) int {
		return cmp.Or(b.Removed-a.Removed, b.Cost-a.Cost)
	})
	return all
}

// addItem adds a block. Only blocks of the session and summaries are listed: a placeholder has the place of its
// original.
func (o *Owned) addItem(x *item) {
	without, with := &x.spent[0], &x.spent[1]
	cost, compacted := without.cost(), with.cost()
	o.Resent += without.resent()
	o.Left += with.resent()
	o.Cost += cost
	o.Compacted += compacted
	o.Removed += cost - compacted
	own := without
	if !without.isSent {
		own = with
	}
	if !without.isSent && o.Owner != ownerSummaries {
		return
	}
	o.Blocks++
	o.Tokens += own.once
	o.Largest = append(o.Largest, OwnedBlock{Message: x.ref.Message, Block: x.ref.Block, Name: x.name, Tokens: own.once,
		Requests: without.again(), Left: with.again(), Cost: cost, Compacted: compacted, Removed: cost - compacted})
}

// cutLargest keeps the blocks with the highest costs, sorted by what compaction removes.
func (o *Owned) cutLargest() {
	cost := func(b *OwnedBlock) int { return max(b.Cost, b.Compacted) }
	order.Stable(o.Largest, func(a, b OwnedBlock) int { return cost(&b) - cost(&a) })
	o.Largest = o.Largest[:min(len(o.Largest), maxLargest):min(len(o.Largest), maxLargest)]
	order.Stable(o.Largest, func(a, b OwnedBlock) int { return cmp.Or(b.Removed-a.Removed, b.Cost-a.Cost) })
}
