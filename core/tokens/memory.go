package tokens

import (
	"tamp/core/internal/hash"
)

// Memory remembers what texts count, so that the next turn of a conversation costs only what is new in it. It holds no text: a text
// is known by its length and 128 bits of digest. What was not asked for in a long time goes. It pays for counters that are much
// slower than the digest, which the exact ones are. The zero value remembers nothing yet; it is not safe for concurrent use.
type Memory struct {
	young, old map[memoryKey]int // what is found in old moves to young; when young is full it becomes old
}

type memoryKey struct {
	a, b   uint64
	length int
}

const (
	// memoryTexts is how many texts one generation holds: two of them are about 5 MB, and the blocks of three full windows.
	memoryTexts = 1 << 15
	// memoryLeast is the length in bytes below which counting is as quick as remembering.
	memoryLeast = 64
)

// Counter returns c with this memory, under c's name. A Memory is for one counter: two would read each other's counts.
func (m *Memory) Counter(c Counter) Counter { return remembering{c, m} }

// remembering is a Counter with a Memory.
type remembering struct {
	Counter
	memory *Memory
}

func (r remembering) Count(text string) int {
	if len(text) < memoryLeast {
		return r.Counter.Count(text)
	}
	m := r.memory
	mix := hash.New128()
	mix.Text(text)
	key := memoryKey{mix.A, mix.B, len(text)}
	n, known := m.young[key]
	if known {
		return n
	}
	if n, known = m.old[key]; !known {
		n = r.Counter.Count(text)
	}
	if len(m.young) >= memoryTexts || m.young == nil {
		m.young, m.old = map[memoryKey]int{}, m.young
	}
	m.young[key] = n
	return n
}
