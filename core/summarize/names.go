package summarize

import (
	"strings"

	"tamp/core/internal/secrets"
	"tamp/core/msg"
)

// Names has the names that the texts of a conversation have so far, in their order, and chooses which lines of a result
// stay in the conversation when the rest of it is cleared: those with the names that no text before has, word for word.
type Names struct {
	ids   map[string]int32 // index in names
	names []string
}

// Size returns the number of names.
func (s *Names) Size() int { return len(s.names) }

// Truncate goes back to an earlier size.
func (s *Names) Truncate(size int) {
	for _, name := range s.names[size:] {
		delete(s.ids, name)
	}
	s.names = s.names[:size]
}

// Add adds the names of a block that stays. Thinking does not count: it may be dropped.
func (s *Names) Add(b *msg.Block) {
	switch b.Kind {
	case msg.KindText, msg.KindToolResult, msg.KindDocument:
		Atoms(b.Text, s.add)
	case msg.KindToolUse:
		Inputs(b.Text, func(text string) { Atoms(text, s.add) })
	}
}

func (s *Names) add(_ FactKind, name string) { s.id(name) }

// id returns the index of a name, which is added if it is new.
func (s *Names) id(name string) int32 {
	id, ok := s.ids[name]
	if !ok {
		if s.ids == nil {
			s.ids = map[string]int32{}
		}
		id = int32(len(s.names))
		s.ids[name] = id
		s.names = append(s.names, name)
	}
	return id
}

// Keep returns the lines of a result that stay if the rest is cleared: each has a name that no text before has, for
// each bytesPerName of its length. A line "[…]" marks each gap. The names of these lines are added.
func (s *Names) Keep(result *msg.Block, bytesPerName int) string {
	var kept strings.Builder
	gap := false
	for rest, more := secrets.Mask(result.Text), true; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		before, size := len(s.names), len(line)+1
		if gap {
			size += len(Gap) + 1
		}
		s.addLine(line)
		if (len(s.names)-before)*bytesPerName < size || isGap(line) {
			s.Truncate(before)
			gap = true
			continue
		}
		if gap {
			kept.WriteString(Gap + "\n")
		}
		gap = false
		kept.WriteString(line + "\n")
	}
	return strings.TrimSuffix(kept.String(), "\n")
}

// addLine adds the names of a line. The number of a line of a file, and other numbers, are no names here: most are new,
// and few are used again.
func (s *Names) addLine(line string) {
	Atoms(line, func(kind FactKind, name string) {
		if kind != Number {
			s.id(name)
		}
	})
}
