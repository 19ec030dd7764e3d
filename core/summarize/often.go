package summarize

import (
	"slices"
	"strings"

	"tamp/core/internal/order"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// A summary has each name in one line, so after a compaction nothing shows how often a name was written. The State
// therefore lists the keys of the names in summaries that the agent or the user wrote in several messages: condensing
// keeps their lines first.

// WrittenNames counts the messages in which the agent or the user wrote a name. The zero value is empty.
type WrittenNames struct {
	read     Memory
	messages int32
	last     []int32 // of each name: the number of the last message that was counted
	counts   []int   // of each name
}

const (
	minWritten = 2   // messages: with 3 or 4 more names are lost, with 1 often written ones are not preferred
	maxOften   = 500 // keys: about 5 KB of State
)

// Add counts the names of a message once. Results, thinking, summaries and texts that a client wrote do not count.
func (w *WrittenNames) Add(m *msg.Message) {
	w.read.begin(false)
	w.messages++
	for b := range m.Blocks {
		block := &m.Blocks[b]
		isText := block.Kind == msg.KindText && !block.IsSummary()
		if !(m.Role == msg.User && isText) && !(m.Role == msg.Assistant && (isText || block.Kind == msg.KindToolUse)) {
			continue
		}
		for _, text := range w.read.read(m, b) {
			if m.Role == msg.Assistant || text.user {
				w.addAtoms(text.atoms)
			}
		}
	}
}

func (w *WrittenNames) addAtoms(atoms []fact) {
	for n := len(w.read.names) - len(w.counts); n > 0; n-- {
		w.last, w.counts = append(w.last, 0), append(w.counts, 0)
	}
	for _, f := range atoms {
		if w.last[f.id] != w.messages {
			w.last[f.id] = w.messages
			w.counts[f.id]++
		}
	}
}

// Often returns the keys, sorted, of the names in summaries that were written in minWritten messages, or whose keys are
// in earlier (sorted). If there are more than maxOften, it returns those that occur first.
func (w *WrittenNames) Often(summaries []string, earlier []string) []string {
	var keys []string
	seen := map[string]bool{}
	for _, text := range summaries {
		Atoms(text, func(_ FactKind, name string) {
			if seen[name] || len(keys) == maxOften {
				return
			}
			seen[name] = true
			key := nameKey(name)
			_, often := slices.BinarySearch(earlier, key)
			if id, ok := w.read.ids[name]; ok && int(id) < len(w.counts) {
				often = often || w.counts[id] >= minWritten
			}
			if often {
				keys = append(keys, key)
			}
		})
	}
	order.Stable(keys, strings.Compare)
	return slices.Compact(keys)
}

// nameKey returns the key of a name, which does not reveal it.
func nameKey(name string) string { return sha256.Hex(sha256.Sum([]byte(name)), 8) }
