package pass

// Clearing that pays. It changes the prompt from the first cleared result on, so everything after it is written to the
// prompt cache again; each later call is then cheaper by what a read of the cleared tokens costs. How many calls follow
// is not known. The rule is that of the ski rental problem: keep the results until they have cost as much as clearing
// costs, then clear. While the freed tokens and the cost of clearing stay the same, this costs at most twice as much as
// the best choice in hindsight, and one call.

// Terms are the conditions under which clearing pays. Prices are in permille of the price of input tokens.
type Terms struct {
	Read, Write  int // price of tokens that are read from the cache, and that are written to it
	Cached       int // tokens of the previous request, 0 if its cache entry has expired or was too short
	Rent         int // token-calls: for each call so far, the tokens that clearing would have spared it
	RentPermille int // share of Extra that the rent must reach; 0 = 1000
}

// Extra is the extra cost of the next request if freed tokens are removed now and the first of them comes after before
// tokens, in permille of a token at the input price. It is negative if the next request is cheaper at once.
func (t *Terms) Extra(freed, before int) int {
	return (t.Write-t.Read)*(t.Cached-min(before, t.Cached)) - t.Write*freed
}

// Paid is the price of the rent, in permille of a token at the input price.
func (t *Terms) Paid() int { return t.Read * t.Rent }

// Pays reports whether removing freed tokens, the first of them after before tokens, pays now. cost is an
// additional cost, for example of writing a summary, in permille of a token at the input price.
func (t *Terms) Pays(freed, before, cost int) bool {
	extra := t.Extra(freed, before) + cost
	return extra <= 0 || 1000*t.Paid() >= t.RentPermille*extra
}
