package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/replay"
	"tamp/core/tokens"
)

// boundTable prints, for the short sessions of moneyTable, what clearing in every turn costs with our breakpoints, and
// the least that it can cost with any breakpoints: the published moment of these presets costs that much.
func boundTable(t *testing.T) {
	printf("\nCost of clearing in every turn as a share of no compaction, and its lower bound with any breakpoints;\n"+
		"sessions of %d to %d calls.", minCalls, longCalls)
	printf("%-62s %5s  %8s %8s  %8s %8s", "session", "calls", "harness", "at least", "s06", "at least")
	var files []string
	for _, set := range convtest.Sets(t) {
		files = append(append(files, set.Files("anthropic")...), set.Files("claude-code")...)
	}
	lines := make([]string, len(files))
	var shares [2][2][]int // of each preset: of each session the cost and the least cost
	var lock sync.Mutex
	each(len(files), func(i int) {
		data, err := os.ReadFile(files[i])
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		for m := range c.Messages {
			c.Messages[m].Usage = nil // counted, so that all parts of the bill follow from the requests
		}
		base, err := replay.Replay(c, policy.Policy{}, replay.Options{None: true})
		require.NoError(t, err)
		if n := base.Totals.Calls; n < minCalls || n > longCalls || base.Totals.FirstOver > 0 {
			return
		}
		line := fmt.Sprintf("%-62.62s %5d", filepath.Base(files[i]), base.Totals.Calls)
		for n, name := range boundPresets {
			p, err := policy.Preset(name)
			require.NoError(t, err)
			p.Trigger.Tokens, p.Summary.Strategy = 0, "none"
			r, err := replay.Replay(c, p, replay.Options{})
			require.NoError(t, err)
			paid, least := share(r.Totals.Cost, base.Totals.Cost), share(leastCost(t, c, p, r), base.Totals.Cost)
			line += fmt.Sprintf("  %8s %8s", ratio(paid), ratio(least))
			lock.Lock()
			shares[n][0], shares[n][1] = append(shares[n][0], paid), append(shares[n][1], least)
			lock.Unlock()
		}
		lines[i] = line
	})
	for _, line := range lines {
		if line != "" {
			printf("%s", line)
		}
	}
	for n, name := range boundPresets {
		if paid, least := shares[n][0], shares[n][1]; len(paid) > 0 {
			record("bound", "preset,count,mean,worst,mean with the best breakpoints,worst with them", name, len(paid),
				costOf(mean(paid)), costOf(slices.Max(paid)), costOf(mean(least)), costOf(slices.Max(least)))
		}
	}
}

// boundPresets clear in every turn.
var boundPresets = [...]string{"harness", "s06"}

// leastCost is the price of the requests of a replay if each block is sent at its cheapest: of a block with the same
// prefix in n calls, either n times the input, or one write and n - 1 reads. No breakpoints and no lifetime cost less.
func leastCost(t *testing.T, c *msg.Conversation, p policy.Policy, r *replay.Report) int {
	price := models.ProfileFor(r.Model, c.Format).Price
	if !r.Priced {
		price = models.MidRange
	}
	meter := tokens.NewMeter(tokens.Estimate, c)
	type block struct{ sent, tokens int }
	blocks := map[[sha256.Size]byte]*block{} // by the digest of everything up to its end
	cost := 0
	for _, call := range r.Calls {
		request, err := replay.At(c, p, replay.Options{}, call.Number)
		require.NoError(t, err)
		var prefix [sha256.Size]byte
		add := func(digest uint64, size int) {
			prefix = sha256.Sum256(binary.LittleEndian.AppendUint64(prefix[:], digest))
			if blocks[prefix] == nil {
				blocks[prefix] = &block{tokens: size}
			}
			blocks[prefix].sent++
		}
		for i := range request.Tools {
			add(promptcache.DigestTool(&request.Tools[i]), meter.Tool(&request.Tools[i]))
		}
		for i := range request.System {
			add(promptcache.DigestBlock(&request.System[i]), meter.Block(&request.System[i]))
		}
		for m := range request.Messages {
			for b := range request.Messages[m].Blocks {
				at := &request.Messages[m].Blocks[b]
				add(promptcache.DigestBlock(at), meter.Block(at))
			}
		}
		cost += call.Output * price.Output * 1000
	}
	for _, b := range blocks {
		cost += b.tokens * price.Input * min(1000*b.sent, price.Write5m+price.Read*(b.sent-1))
	}
	return cost / 1_000_000
}
