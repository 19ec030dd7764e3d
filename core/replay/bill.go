package replay

import "tamp/core/msg"

// bill divides the tokens of one request by price. The sum of the fields is the size of the request.
type bill struct{ read, write5m, write1h, input int }

func (b bill) sent() int { return b.read + b.written() + b.input }

func (b bill) written() int { return b.write5m + b.write1h }

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
	written := portion(rest, to.written(), to.written()+to.input)
	out.write1h = portion(written, to.write1h, to.written())
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
