package pass

import "tamp/core/msg"

// rent is the state of ChangeTracker.Rent. Its indexes only grow, so its cost is linear in the messages.
type rent struct {
	calls, sum int
	assistants []int // the assistant messages
	tokens     int   // of the messages so far
	start      int   // the newest messages from here on are the fewest with Window.RecentTokens, or all
	startSum   int   // their tokens
	consumed   int   // results that the model has answered
	eligible   int   // the oldest results that no rule protects by their age
	free       int   // tokens that clearing these would free, without those that wait
}

// Rent is the number of token-calls after RentFrom calls: the sum over all calls, up to the last assistant message,
// of the tokens that clearing would have spared them. It depends on the messages only, so it is the
// same in every copy of a session. It is at most maxRent.
func (w *ChangeTracker) Rent() int { return LimitRent(w.rent.sum) }

// LimitRent returns a rent, at most maxRent.
func LimitRent(rent int) int { return min(rent, maxRent) }

// maxRent is 275,000 calls with a million old tokens. It keeps the products with prices far from an overflow.
const maxRent = 1 << 38

// charge adds what the call costs that the assistant message m answers. Invariant: the prompt of the call is the
// messages before m, which are all added.
func (w *ChangeTracker) charge(in *Input, m int) {
	r, p := &w.rent, &w.Clear
	from := w.recentStart(in, m)
	consumed := m
	if p.ConsumedOnly {
		consumed = 0
		if n := len(r.assistants); n > 0 {
			consumed = r.assistants[n-1]
		}
	}
	for r.consumed < len(w.results) && w.results[r.consumed].message < consumed {
		r.consumed++
	}
	for r.eligible < r.consumed-p.KeepRecent && w.results[r.eligible].message < from {
		if !w.Waits(r.eligible) {
			r.free += w.own(r.eligible).freed
		}
		r.eligible++
	}
	if r.calls >= w.RentFrom {
		r.sum += r.free
	}
	r.assistants = append(r.assistants, m)
	r.calls++
}

// recentStart is Window.Start of the messages before m, without its rules on pairs, which protect no result before it.
func (w *ChangeTracker) recentStart(in *Input, m int) int {
	r := &w.rent
	turns := 0
	if k := len(r.assistants) - 1 - w.Window.RecentTurns; k >= 0 {
		turns = r.assistants[k] + 1
	}
	if w.Window.RecentTokens == 0 {
		return turns
	}
	for r.start < m {
		next := r.startSum + in.Counts.Messages[r.start].Tokens
		if r.tokens-next < w.Window.RecentTokens {
			break
		}
		r.startSum = next
		r.start++
	}
	return min(turns, r.start)
}

// LastRequest returns the tokens of the newest request that was sent: everything before the newest assistant message.
func LastRequest(in *Input) int {
	sum := in.Counts.Total
	for m := len(in.Conversation.Messages) - 1; m >= 0; m-- {
		sum -= in.Counts.Messages[m].Tokens
		if in.Conversation.Messages[m].Role == msg.Assistant {
			return sum
		}
	}
	return 0
}
