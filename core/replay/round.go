package replay

import (
	"tamp/core"
	"tamp/core/models"
	"tamp/core/msg"
)

// round is the accounting of one call.
type round struct {
	w      *replayer
	answer int // the message of the answer
	model  string
	usage  *msg.Usage // of the call in the log; nil if it is not the bill
	observed
}

// billCall sets what the call sends and costs. The bill of a call with usage is that usage, plus the difference that
// the simulation finds between the request of the log and that of the replay.
func (r *round) billCall(call *Call) error {
	w := r.w
	price := w.prices.ofCall(r.model, w.usage[r.answer])
	call.Uncompacted = w.fit.tokens(w.whole.Total)
	call.Output = w.fit.scale(w.account.reader.message(&w.c.Messages[r.answer]).count.Tokens)
	var logged bill
	if w.logged != nil {
		var err error
		if logged, err = r.send(w.logged, w.history(), nil); err != nil {
			return err
		}
	}
	b, err := r.send(w.account, w.conversation(), w.session)
	if err != nil {
		return err
	}
	if r.usage != nil {
		billed := billOf(r.usage)
		call.Uncompacted, call.Output = r.usage.Prompt(), r.usage.Output
		w.report.Simulated.addBill(logged, charge(price, logged, call.Output), charge(price, billed, call.Output))
		b = billed.changed(logged, b)
	}
	call.Sent, call.CacheRead, call.CacheWrite, call.Input = b.sent(), b.read, b.written(), b.input
	call.CacheWrite1h = b.write1h
	call.Cost = call.SummaryCost + w.spent(r.answer, price, b, r.usage, call.Output)
	w.breaks.addCall(call, conditions{model: r.model, byUsage: w.o.None && w.uses > 0,
		whole: !hasBreakpoints(w.c.Format) || w.automatic, ttl: w.account.lifetime(r.model)}, price)
	reader := w.account.reader
	call.Notes = w.fit.scale(reader.notes[len(reader.notes)-1])
	if l := w.account.ledger; l != nil {
		l.send(w.conversation(), &w.account.last, reader, b, price.At(b.sent()))
	}
	return nil
}

// spent is what a call costs; answer is its message. usage is that of the call in the log; nil if it is not the bill.
func (w *replayer) spent(answer int, price models.Price, b bill, usage *msg.Usage, output int) int {
	spent := charge(price, b, output)
	own := w.ownCost(&w.c.Messages[answer])
	if own <= 0 || usage == nil {
		return spent
	}
	if listed := charge(price, billOf(usage), output); listed > 0 { // the price is the log's own, whatever it is
		return spent * own / listed
	}
	return own
}

// ownCost returns what the log says that a call cost, 0 if it does not say or other prices are asked for.
func (w *replayer) ownCost(answer *msg.Message) int {
	if w.o.Prices != nil || len(w.o.Multipliers) > 0 {
		return 0
	}
	return answer.Cost
}

// send accounts for the request of a conversation.
func (r *round) send(a *account, c *msg.Conversation, compacted *core.Session) (bill, error) {
	q, err := a.readRequest(c, r.usage, compacted)
	if err != nil {
		return bill{}, err
	}
	cache := a.cacheOf(r.model, c.Format)
	if a == r.w.logged && r.usage != nil {
		r.observe(cache, q)
	}
	cache.assume(r.observed)
	return cache.send(q, r.w.clock.now), nil
}

// observe compares what the log's own request read with the simulation of it. Less than half of it: the entry was lost,
// and no account can read more. More than twice as much, and an entry has expired: the provider kept it, for every
// account. Hidden tokens are the same in every account, so each reads of them what the log read, which another session
// may have written.
func (r *round) observe(cache cache, q request) {
	read, now := r.usage.CacheRead, r.w.clock.now
	r.floor = min(read, r.w.fit.hidden)
	cache.assume(observed{})
	expected := cache.wouldRead(q, now)
	cache.assume(observed{kept: true})
	kept := cache.wouldRead(q, now)
	switch {
	case 2*read < expected:
		r.limit = max(read, 1)
	case 2*expected < read && kept > expected && kept < 2*read:
		r.kept = true
	}
}
