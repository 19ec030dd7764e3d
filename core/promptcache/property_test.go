package promptcache

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// slowBest is the reference implementation of best: of all sets of at most room positive values the one with the
// greatest sum, and of equal sums the first in the order of the indices.
func slowBest(values []int, room int) []int {
	chosen, sum := []int{}, 0
	for set := range 1 << len(values) {
		var members []int
		total, ok := 0, true
		for i, v := range values {
			if set>>i&1 == 1 {
				members = append(members, i)
				total += v
				ok = ok && v > 0
			}
		}
		if !ok || len(members) > room {
			continue
		}
		if total > sum || total == sum && earlier(members, chosen) {
			chosen, sum = members, total
		}
	}
	return chosen
}

func earlier(a, b []int) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func TestBestIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 9).Draw(t, "values")
		room := rapid.IntRange(-1, 5).Draw(t, "room")
		require.ElementsMatch(t, slowBest(values, room), best(values, room))
		require.IsIncreasing(t, append([]int{-1}, best(values, room)...))
	})
}

func options(t *rapid.T, move bool) Options {
	unstable := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 3).Draw(t, "unstable")
	return Options{
		Max:     rapid.IntRange(0, 6).Draw(t, "max"),
		TTL:     rapid.SampledFrom([]string{"", FiveMinutes, OneHour}).Draw(t, "ttl"),
		IdleSec: rapid.SampledFrom([]int{0, 0, 0, 270, 3540}).Draw(t, "idle"),
		Model: rapid.SampledFrom([]string{"claude-opus-5", "claude-sonnet-4-5", "claude-opus-4-5", ""}).Draw(t,
			"model"),
		Move: move,
		Stable: func(r msg.Ref) bool {
			for _, m := range unstable {
				if r.Message == m {
					return false
				}
			}
			return true
		},
	}
}

// For any valid request: at most four breakpoints, none at a forbidden place, exactly those that are listed as chosen;
// the input is not changed, blocks differ only in cache_control, and ranking again changes nothing.
func TestRankProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := convtest.Conversation(t, msg.Anthropic)
		c := parse(t, string(in))
		had := len(found(c))
		o := options(t, rapid.Bool().Draw(t, "move"))
		r, err := Rank(c, o)
		require.NoError(t, err)

		untouched, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(in), string(untouched), "the input is not changed")

		out, err := format.Render(r.Conversation)
		require.NoError(t, err)
		got := parse(t, string(out))
		require.True(t, validity.Valid(validity.Check(got)) || !validity.Valid(validity.Check(c)), "%v\n%s",
			validity.Check(got), out)
		requireValidCache(t, got)
		require.LessOrEqual(t, len(found(got)), max(Limit, had))
		require.Equal(t, chosenIn(r), len(found(got)))
		require.Equal(t, said(c), said(got), "nothing but cache_control differs")

		again, err := Rank(got, o)
		require.NoError(t, err)
		same, err := format.Render(again.Conversation)
		require.NoError(t, err)
		require.Equal(t, string(out), string(same), "ranking again changes nothing")
	})
}

// said returns the content of a conversation that the model reads.
func said(c *msg.Conversation) []string {
	var out []string
	for _, b := range c.System {
		out = append(out, b.Text)
	}
	for _, b := range c.Tools {
		out = append(out, string(b.Raw.Without("cache_control").Line()))
	}
	for _, m := range c.Messages {
		out = append(out, string(m.Role))
		for _, b := range m.Blocks {
			out = append(out, string(b.Kind), b.ID, b.Name, b.Text)
			if len(b.Parts) == 0 && b.Kind != msg.KindText {
				out = append(out, string(b.Raw.Without("cache_control").Line()))
			}
		}
	}
	return out
}

// C18: a request had more than four cache_control blocks, because one was added with every result. Here Rank runs
// before every request of a conversation, on its own output: there is never a fifth breakpoint.
func TestC18NeverAFifthBreakpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := unmarked(parse(t, string(convtest.Conversation(t, msg.Anthropic))))
		move := rapid.Bool().Draw(t, "move")
		sent := whole.WithMessages(nil)
		for m := range whole.Messages {
			sent = sent.WithMessages(append(sent.Messages[:m:m], whole.Messages[m]))
			if whole.Messages[m].Role != msg.User {
				continue
			}
			r, err := Rank(sent, Options{Model: "claude-opus-5", Move: move, Count: tokens.Chars4})
			require.NoError(t, err)
			out, err := format.Render(r.Conversation)
			require.NoError(t, err)
			requireValidCache(t, parse(t, string(out)))
			require.LessOrEqual(t, strings.Count(string(out), `"cache_control"`), Limit)
			sent = r.Conversation
		}
	})
}

// unmarked removes every breakpoint but the automatic one.
func unmarked(c *msg.Conversation) *msg.Conversation {
	copied := *c
	strip := func(blocks []msg.Block) []msg.Block {
		out := append([]msg.Block(nil), blocks...)
		for i := range out {
			out[i] = out[i].WithCache(nil)
		}
		return out
	}
	copied.System, copied.Tools = strip(c.System), strip(c.Tools)
	copied.Messages = append([]msg.Message(nil), c.Messages...)
	for m := range copied.Messages {
		copied.Messages[m] = copied.Messages[m].WithBlocks(strip(copied.Messages[m].Blocks))
	}
	return &copied
}

// While messages are only appended, the system prompt and both ends are always marked, however long the pause was, and
// each request reaches the end of the previous one: no token is paid at the full price twice.
func TestStableFromTurnToTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := []string{"u:" + words(600)}
		var old *msg.Conversation
		for i := range rapid.IntRange(2, 12).Draw(t, "turns") {
			id := string(rune('a' + i))
			switch rapid.IntRange(0, 2).Draw(t, "turn") {
			case 0:
				messages = append(messages, "a>"+id, "u<"+id+":"+words(LargeResult))
			case 1:
				messages = append(messages, "a>"+id, "u<"+id+":short")
			case 2:
				messages = append(messages, "a:fine", "u:more")
			}
			c := parse(t, body(`"tools":[{"name":"a","description":"`+words(1100)+`"}],`+sized(system2k, 1100),
				messages...))
			firstUnstable := rapid.IntRange(0, len(messages)).Draw(t, "unstable")
			r, err := Rank(c, Options{Count: tokens.Chars4, Stable: func(r msg.Ref) bool { return r.Message < firstUnstable },
				IdleSec: rapid.SampledFrom([]int{0, 269, 299, 300, 3600, 100_000}).Draw(t, "idle")})
			require.NoError(t, err)
			require.Contains(t, short(r), "+system_end /system/0")
			last := r.Anchors[len(r.Anchors)-1]
			require.Equal(t, RequestEnd, last.Kind)
			require.True(t, last.Chosen)
			require.Equal(t, len(messages)-1, lastMarked(r.Conversation))
			if old != nil {
				require.True(t, reaches(old, r.Conversation))
			}
			old = r.Conversation
		}
	})
}

// lastMarked is the index of the last message with a breakpoint, -1 if there is none.
func lastMarked(c *msg.Conversation) int {
	last := -1
	for ref, block := range c.Blocks() {
		if block.Cache != nil {
			last = ref.Message
		}
	}
	return last
}

// reaches reports that a read from a breakpoint of the later request finds the last entry of the earlier one.
func reaches(earlier, later *msg.Conversation) bool {
	p := positions(later)
	for ref, block := range later.Blocks() {
		if block.Cache == nil {
			continue
		}
		k := lastMarked(earlier)
		if gap := p[ref.Message][ref.Block] - p[k][len(p[k])-1]; gap >= 0 && gap < Lookback {
			return true
		}
	}
	return false
}
