package replay

import (
	"tamp/core/models"
	"tamp/core/msg"
)

// bill divides the tokens of one request by price. The sum of the fields is the size of the request.
type bill struct{ read, write5m, write1h, input int }

func (b bill) sent() int { return b.read + b.write() + b.input }

func (b bill) write() int { return b.write5m + b.write1h }

// billOf is the bill of a call in the log.
func billOf(u *msg.Usage) bill {
	return bill{u.CacheRead, u.CacheWrite - u.CacheWrite1h, u.CacheWrite1h, u.Input}
}

// changed returns the bill b of a call of the log for another request: the size and the tokens read change as the
// simulation changes, from that of the log to that of the other request; the rest is divided as the latter is. Equal
// simulations change nothing.
func (b bill) changed(from, to bill) bill {
	if from == to {
		return b
	}
	sent := max(b.sent()+to.sent()-from.sent(), 0)
	out := bill{read: min(max(b.read+to.read-from.read, 0), sent)}
	rest := sent - out.read
	written := portion(rest, to.write(), to.write()+to.input)
	out.write1h = portion(written, to.write1h, to.write())
	out.write5m, out.input = written-out.write1h, rest-written
	return out
}

// portion is n × part / of, rounded down; 0 if of is 0.
func portion(n, part, of int) int {
	if of == 0 {
		return 0
	}
	return int(int64(n) * int64(part) / int64(of))
}

// round is the accounting of one call.
type round struct {
	w      *replayer
	answer int // the message of the answer
	model  string
	usage  *msg.Usage // of the call in the log; nil if it is not the bill
	observed
}

// account sets what the call sends and costs. The bill of a call with usage is that usage, plus the difference that the
// simulation finds between the request of the log and that of the replay.
func (r *round) account(call *Call) error {
	w := r.w
	price := w.price(r.model)
	call.Uncompacted = w.fit.tokens(w.whole.Total)
	call.Output = w.fit.scale(w.account.reader.message(&w.c.Messages[r.answer]).count.Tokens)
	var logged bill
	if w.logged != nil {
		var err error
		if logged, err = r.send(w.logged, w.history(), false); err != nil {
			return err
		}
	}
	b, err := r.send(w.account, w.conversation(), w.fold != nil)
	if err != nil {
		return err
	}
	if r.usage != nil {
		billed := billOf(r.usage)
		call.Uncompacted, call.Output = r.usage.Prompt(), r.usage.Output
		w.report.Simulated.add(logged, charge(price, logged, call.Output), charge(price, billed, call.Output))
		b = billed.changed(logged, b)
	}
	call.Sent, call.CacheRead, call.CacheWrite, call.Input = b.sent(), b.read, b.write(), b.input
	call.CacheWrite1h = b.write1h
	call.Cost = call.SummaryCost + charge(price, b, call.Output)
	w.breaks.add(call, r, price)
	reader := w.account.reader
	call.Notes = w.fit.scale(reader.notes[len(reader.notes)-1])
	if l := w.account.ledger; l != nil {
		l.send(w.conversation(), &w.account.last, reader, b, price.At(b.sent()))
	}
	return nil
}

// send accounts for the request of a conversation.
func (r *round) send(a *account, c *msg.Conversation, compacted bool) (bill, error) {
	q, err := a.read(c, r, compacted)
	if err != nil {
		return bill{}, err
	}
	cache := a.cacheOf(r.model, c.Format)
	if a == r.w.logged && r.usage != nil {
		r.observe(cache, q)
	}
	cache.assume(r.observed)
	return cache.send(q, r.w.clock), nil
}

// observe compares what the log's own request read with the simulation of it. Less than half of it: the entry was lost,
// and no account can read more. More than twice as much, and an entry has expired: the provider kept it, for every
// account. Hidden tokens are the same in every account, so each reads of them what the log read, which another session
// may have written.
func (r *round) observe(cache cache, q request) {
	read, now := r.usage.CacheRead, r.w.clock
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

// price returns the price of a model, with the multipliers: the one of the options, else the model's; that of a
// mid-range model if it is not known.
func (w *replayer) price(model string) models.Price {
	p, _ := priceOf(model, w.segments[0].c.Format)
	if w.o.Prices != nil {
		p = *w.o.Prices
	}
	return p.Times(w.report.Multipliers)
}

func (w *replayer) priced(model string) bool {
	_, known := priceOf(model, w.segments[0].c.Format)
	return known || w.o.Prices != nil
}
