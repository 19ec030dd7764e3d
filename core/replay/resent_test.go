package replay

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// slowPaid is what one block costs, by the reference implementation: the conversation of every call, block by block.
type slowPaid struct{ requests, tokens, once, weight, first int }

// slowResent returns the blocks of a replay without usage, by owner and digest.
func slowResent(t require.TestingT, c *msg.Conversation, p policy.Policy, o Options) map[owner]map[string]*slowPaid {
	r, err := Replay(c, p, o)
	require.NoError(t, err)
	paid := map[owner]map[string]*slowPaid{}
	price, _ := priceOf(r.Model, c.Format)
	for _, call := range r.Calls {
		at, err := At(c, p, o, call.Number)
		require.NoError(t, err)
		owners, keys := slowOwners(at)
		start := 0
		copies := map[string]int{} // equal blocks of one request are different blocks
		for i, b := range slowRead(tokens.NewMeter(o.Count, at), at).blocks {
			blocks := paid[owners[i]]
			if blocks == nil {
				blocks = map[string]*slowPaid{}
				paid[owners[i]] = blocks
			}
			copies[keys[i]]++
			key := keys[i] + strconv.Itoa(copies[keys[i]])
			one := blocks[key]
			weight := 0
			for token := start; token < start+b.tokens; token++ {
				weight += slowWeight(token, &call, price)
			}
			if one == nil {
				one = &slowPaid{once: b.tokens, first: weight}
				blocks[key] = one
			}
			one.requests++
			one.tokens += b.tokens
			one.weight += weight
			start += b.tokens
		}
	}
	return paid
}

// slowWeight is the price of one token of a call by its position, in millionths of the unit of costs.
func slowWeight(token int, call *Call, p models.Price) int {
	switch {
	case token < call.CacheRead:
		return p.Read * p.Input
	case token < call.CacheRead+call.CacheWrite1h:
		return p.Write1h * p.Input
	case token < call.CacheRead+call.CacheWrite:
		return p.Write5m * p.Input
	}
	return 1000 * p.Input
}

// slowOwners returns the owner and the identity of each block of slowRead.
func slowOwners(c *msg.Conversation) (owners []owner, keys []string) {
	add := func(who owner, digest uint64) {
		owners, keys = append(owners, who), append(keys, who.kind+who.name+strconv.FormatUint(digest, 16)+" ")
	}
	for i := range c.Tools {
		add(ownerOfTool(&c.Tools[i]), promptcache.DigestTool(&c.Tools[i]))
	}
	for i := range c.System {
		add(owner{ownerSystem, ""}, promptcache.DigestBlock(&c.System[i]))
	}
	tools := map[string]string{}
	for m := range c.Messages {
		blocks := c.Messages[m].Blocks
		for b := range blocks {
			if blocks[b].Kind == msg.KindToolUse {
				tools[blocks[b].ID] = blocks[b].Name
			}
		}
		for b := range blocks {
			add(ownerOf(&c.Messages[m], b, tools), promptcache.DigestBlock(&blocks[b]))
		}
	}
	return owners, keys
}

// The sums by owner are those of the reference implementation, without and with compaction.
func TestResentAgreesWithTheReference(t *testing.T) {
	convtest.SetCases(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		p := preset(t, rapid.SampledFrom(policy.Names()).Draw(t, "preset"))
		p.Trigger.Window = rapid.SampledFrom([]int{500, 2000}).Draw(t, "window")
		p.Trigger.BufferTokens, p.Trigger.ReserveOutput = min(p.Trigger.BufferTokens, 50), min(p.Trigger.ReserveOutput, 100)
		requireResent(t, c, p, Options{IgnoreUsage: true, Summarize: shortly,
			Model: rapid.SampledFrom([]string{"claude-opus-5", "gpt-5", "gpt-5.6"}).Draw(t, "model")})
	})
}

// Sessions of files that are read, of which a policy clears many.
func TestResentOfALongSession(t *testing.T) {
	for _, name := range []string{"balanced", "harness", "turns"} {
		p := preset(t, name)
		p.Trigger.Window = 40_000
		requireResent(t, parse(t, rounds(30, 2000)), p, Options{Count: tokens.Chars4, Summarize: shortly})
	}
}

func requireResent(t require.TestingT, c *msg.Conversation, p policy.Policy, o Options) {
	all, err := Resent(c, p, o)
	require.NoError(t, err)
	type sums struct{ blocks, tokens, resent, left, cost, compacted int }
	have, want := map[owner]sums{}, map[owner]sums{}
	total := 0
	for i, x := range all.Owners {
		have[owner{x.Owner, x.Name}] = sums{x.Blocks, x.Tokens, x.Resent, x.Left, x.Cost, x.Compacted}
		require.Equal(t, x.Cost-x.Compacted, x.Removed)
		require.True(t, i == 0 || all.Owners[i-1].Removed >= x.Removed)
		require.LessOrEqual(t, len(x.Largest), maxLargest)
		total += x.Cost
		for _, b := range x.Largest {
			if b.Message >= 0 {
				require.Less(t, b.Block, len(c.Messages[b.Message].Blocks))
			}
		}
	}
	require.Equal(t, all.Cost, total)
	for _, o.None = range []bool{true, false} {
		for who, blocks := range slowResent(t, c, p, o) {
			s := want[who]
			for _, b := range blocks {
				cost := (b.weight - b.first + 500_000) / 1_000_000
				if o.None {
					s.resent, s.cost = s.resent+b.tokens-b.once, s.cost+cost
				} else {
					s.left, s.compacted = s.left+b.tokens-b.once, s.compacted+cost
				}
				if o.None || who.kind == ownerSummaries {
					s.blocks, s.tokens = s.blocks+1, s.tokens+b.once
				}
			}
			want[who] = s
		}
	}
	delete(have, owner{ownerSummaries, ""}) // one that both replays have is counted once
	delete(want, owner{ownerSummaries, ""})
	require.Equal(t, want, have)
}

// With usage, the tokens of the requests are scaled to the bill: all owners together cost what the bill says.
func TestResentOfABill(t *testing.T) {
	c := sample().parse(t)
	for _, none := range []bool{true, false} {
		o := Options{None: none, Count: tokens.Chars4}
		w, err := newReplayer(c, preset(t, "balanced"), o)
		require.NoError(t, err)
		l := &ledger{at: map[blockKey]*copies{}}
		w.account.ledger = l
		require.NoError(t, w.replaySegments())
		l.cut(0)
		weight, answers := 0, 0
		for i := range l.items {
			weight += l.items[i].spent[0].weight
		}
		for _, call := range w.report.Calls {
			answers += cost(w.prices.of(w.report.Model), bill{}, call.Output)
		}
		require.InDelta(t, w.report.Totals.Cost-w.report.Totals.SummaryCost-answers, weight/1_000_000, 20,
			"a rounding of each call, and of each change of the price")
	}
	all, err := Resent(c, preset(t, "balanced"), Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, ownerHidden, all.Owners[0].Owner, "nothing is removed, so the most expensive is the first")
	require.Equal(t, 20_000, all.Owners[0].Resent, "10,000 hidden tokens, sent again twice")
}

// A tool server has its definitions, and a result has the name of its tool.
func TestOwners(t *testing.T) {
	c := parse(t, `{"model":"claude-opus-4-5","system":"Be careful.","tools":[{"name":"mcp__git__log","input_schema":{}},`+
		`{"name":"mcp__git__diff","input_schema":{}},{"name":"read","input_schema":{}}],"messages":[`+
		`{"role":"user","content":[{"type":"text","text":"Go."},{"type":"text","text":"<system-reminder>Be brief.</system-reminder>"}]},`+
		`{"role":"assistant","content":[{"type":"thinking","thinking":"…","signature":"s"},`+
		`{"type":"tool_use","id":"a","name":"mcp__git__log","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"none"}]},`+
		`{"role":"assistant","content":"Done."},{"role":"user","content":"Thanks."},{"role":"assistant","content":"Bye."}]}`)
	all, err := Resent(c, preset(t, "balanced"), Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, 3, all.Calls)
	have := map[owner][2]int{}
	for _, x := range all.Owners {
		have[owner{x.Owner, x.Name}] = [2]int{x.Blocks, x.Largest[0].Requests}
	}
	require.Equal(t, map[owner][2]int{{ownerServer, "git"}: {2, 2}, {ownerTools, ""}: {1, 2}, {ownerSystem, ""}: {1, 2},
		{ownerPrompts, ""}: {2, 2}, {ownerNotes, ""}: {1, 2}, {ownerThinking, ""}: {1, 1},
		{ownerAnswers, "mcp__git__log"}: {1, 1}, {ownerResults, "mcp__git__log"}: {1, 1}, {ownerAnswers, ""}: {1, 0}}, have)
}
