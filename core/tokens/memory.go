package tokens

import (
	"tamp/core/internal/hash"
)

// Memory caches the counts of texts, so that the next turn of a conversation costs only its new texts. It stores no
// text: the key is the length and a 128-bit digest. Texts that were not counted for a long time are evicted. It pays
// for counters that are much slower than the digest, such as the exact ones. The zero value is empty and ready to use.
// Not safe for concurrent use.
type Memory struct {
	young, old map[memoryKey]int // an entry found in old moves to young; a full young replaces old
}

type memoryKey struct {
	a, b   uint64
	length int
}

const (
	// maxMemoryTexts is the number of texts in one generation: two generations take about 5 MB, and hold the blocks of
	// three full windows.
	maxMemoryTexts = 1 << 15
	// minMemoryBytes is the length in bytes below which counting is as fast as a look-up.
	minMemoryBytes = 64
)

// Counter returns c with this memory, under c's name. A Memory is for one counter: two would read each other's counts.
func (m *Memory) Counter(c Counter) Counter { return cachedCounter{c, m} }

// cachedCounter is a Counter that reads and fills a Memory.
type cachedCounter struct {
	Counter
	memory *Memory
}

func (r cachedCounter) Count(text string) int {
	if len(text) < minMemoryBytes {
		return r.Counter.Count(text)
	}
	m := r.memory
	mix := hash.New128()
	mix.Text(text)
	key := memoryKey{mix.A, mix.B, len(text)}
	n, found := m.young[key]
	if found {
		return n
	}
	if n, found = m.old[key]; !found {
		n = r.Counter.Count(text)
	}
	if len(m.young) >= maxMemoryTexts || m.young == nil {
		m.young, m.old = map[memoryKey]int{}, m.young
	}
	m.young[key] = n
	return n
}
