package tokens

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// asked records how often Count is called.
type asked struct {
	Counter
	times int
}

func (a *asked) Count(text string) int { a.times++; return a.Counter.Count(text) }

// A counter with a memory returns the counts of the counter, in any order of calls.
func TestMemoryIsNeverWrong(t *testing.T) {
	var memory Memory
	counter := memory.Counter(Estimate)
	require.Equal(t, "estimate", counter.Name())
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.StringN(0, 8, 40).Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "times"))
		for range 2 {
			require.Equal(t, Estimate.Count(text), counter.Count(text))
		}
		if len(text) > 0 { // one byte apart
			near := text[:len(text)-1] + string(text[len(text)-1]^1)
			require.Equal(t, Estimate.Count(near), counter.Count(near))
		}
	})
}

func TestMemoryCountsOnce(t *testing.T) {
	a := &asked{Counter: Chars4}
	var memory Memory
	counter := memory.Counter(a)
	long := strings.Repeat("word ", 100)
	for range 3 {
		require.Equal(t, 125, counter.Count(long))
	}
	require.Equal(t, 1, a.times)
	for range 3 {
		require.Equal(t, 1, counter.Count("word "))
	}
	require.Equal(t, 4, a.times, "a short text is not cached")
}

// The memory is bounded, and texts that are counted often stay in it.
func TestMemoryEvicts(t *testing.T) {
	a := &asked{Counter: Chars4}
	var memory Memory
	counter := memory.Counter(a)
	pad := strings.Repeat("x", minMemoryBytes)
	for n := range 3 * maxMemoryTexts {
		require.Equal(t, Chars4.Count(pad), counter.Count(pad))
		counter.Count(pad + strconv.Itoa(n))
	}
	require.LessOrEqual(t, len(memory.young), maxMemoryTexts)
	require.LessOrEqual(t, len(memory.old), maxMemoryTexts)
	require.Equal(t, 1+3*maxMemoryTexts, a.times)
	counter.Count(pad + "0")
	require.Equal(t, 2+3*maxMemoryTexts, a.times, "evicted")
}

func BenchmarkMemory(b *testing.B) {
	text := strings.Repeat("func (m *Memory) Counter(c Counter) Counter { return cachedCounter{c, m} }\n", 60)
	var memory Memory
	for name, counter := range map[string]Counter{"estimate": Estimate, "remembered": memory.Counter(Estimate)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				counter.Count(text)
			}
		})
	}
}
