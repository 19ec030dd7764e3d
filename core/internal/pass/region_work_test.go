package pass

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// giveBackInRounds is the obvious giveBack: look at all messages again until a round changes nothing.
func giveBackInRounds(free []bool, partners func(m int, visit func(partner int)), inside func(m int) bool) {
	run := make([]int, len(free)) // which run of free messages a message is in
	for changed := true; changed; {
		changed = false
		for m := range free {
			if free[m] && inside(m) && (m == 0 || !free[m-1]) {
				free[m], changed = false, true
			}
		}
		number := 0
		for m := range free {
			if !free[m] || m > 0 && !free[m-1] {
				number++
			}
			run[m] = number
		}
		for m := range free {
			if !free[m] {
				continue
			}
			closed := true
			partners(m, func(partner int) {
				closed = closed && partner >= 0 && partner < len(free) && free[partner] && run[partner] == run[m]
			})
			if !closed {
				free[m], changed = false, true
			}
		}
	}
}

// paired makes a partners function of pairs, and counts its calls.
func paired(messages int, pairs [][2]int) (partners func(int, func(int)), calls *int) {
	of := make([][]int, messages)
	for _, p := range pairs {
		of[p[0]] = append(of[p[0]], p[1])
		if p[1] < messages {
			of[p[1]] = append(of[p[1]], p[0])
		}
	}
	calls = new(int)
	return func(m int, visit func(int)) {
		*calls++
		for _, partner := range of[m] {
			visit(partner)
		}
	}, calls
}

// insideOf reports for a message whether a pair begins before it and ends at it or later.
func insideOf(messages int, pairs [][2]int) func(int) bool {
	inside := make([]bool, messages)
	for _, p := range pairs {
		for m := p[0] + 1; m <= p[1] && m < messages; m++ {
			inside[m] = true
		}
	}
	return func(m int) bool { return inside[m] }
}

// Any pairs, crossed ones and several in a message too: the result is that of the rounds, and each message's pairs are
// read at most twice.
func TestGiveBackAgreesWithRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(t, "messages")
		var pairs [][2]int
		for range rapid.IntRange(0, 2*n).Draw(t, "pairs") {
			a := rapid.IntRange(0, n-1).Draw(t, "call")
			pairs = append(pairs, [2]int{a, min(a+rapid.IntRange(0, 6).Draw(t, "distance"), n)})
		}
		have := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bool { return rapid.IntRange(0, 5).Draw(t, "kept") > 0 }), n,
			n).Draw(t, "free")
		want := append([]bool(nil), have...)
		partners, _ := paired(n, pairs)
		giveBackInRounds(want, partners, insideOf(n, pairs))
		partners, calls := paired(n, pairs)
		giveBack(have, partners, insideOf(n, pairs))
		require.Equal(t, want, have)
		require.LessOrEqual(t, *calls, 2*n)
	})
}

// The worst case of the rounds: each pair crosses the next one, and the last one is broken. The rounds give one pair
// back at a time.
func TestGiveBackReadsEachMessageTwice(t *testing.T) {
	const n = 2000
	var pairs [][2]int
	for m := 0; m+3 < n; m += 2 {
		pairs = append(pairs, [2]int{m, m + 3})
	}
	chain := func() []bool {
		free := make([]bool, n)
		for m := range n - 1 {
			free[m] = true
		}
		return free
	}
	free := chain()
	partners, calls := paired(n, pairs)
	giveBack(free, partners, insideOf(n, pairs))
	require.LessOrEqual(t, *calls, 2*n)
	slow := chain()
	partners, rounds := paired(n, pairs)
	giveBackInRounds(slow, partners, insideOf(n, pairs))
	require.Equal(t, slow, free)
	require.Greater(t, *rounds, 100*n, "the case is hard for the rounds")
}
