package replay

import (
	"cmp"
	"slices"
	"strings"

	"tamp/core"
	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/misses"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// Part is a block that a compaction of the log's agent removed: the conversation at the end of the log does not have
// its text.
type Part struct {
	Path  string   `json:"path"`            // JSON Pointer of the block in the log
	Kind  string   `json:"kind"`            // "text" or "tool_result"
	Role  string   `json:"role"`            // of its message
	Tool  string   `json:"tool,omitempty"`  // of the call whose result it is
	Input string   `json:"input,omitempty"` // of that call, JSON
	Calls int      `json:"calls"`           // later calls that use a name of it which their requests do not have
	Names []string `json:"names"`           // these names, at most 20
	Ref   string   `json:"ref"`             // of its text; two blocks with the same text have the same one
	Text  string   `json:"text"`
}

// LostQuery selects blocks that were removed; absent: those that a later call needed.
type LostQuery struct {
	Words string `json:"words,omitempty"` // The blocks that have all of these words, in any case.
	Ref   string `json:"ref,omitempty"`   // The block whose text has this ref.
}

// Removed has the blocks that Lost found.
type Removed struct {
	Parts []Part `json:"parts"` // at most 50
	Total int    `json:"total"` // blocks that were found
}

// The limits of a list. The counts have none.
const (
	maxLostNames = 20
	maxParts     = 50
)

// Lost lists the blocks that the compactions of the log's agent removed: the ones that most later calls needed first,
// then the newest. Logs without a compaction, and formats that do not record one, have none.
func Lost(c *msg.Conversation, q LostQuery) *Removed {
	l := readLog(c, "")
	whole := c.WithMessages(nil)
	var answers []int
	for i := range l.segments {
		s := &l.segments[i]
		for _, m := range s.answers {
			if i > 0 {
				answers = append(answers, len(whole.Messages)+m)
			}
		}
		whole.Messages = append(whole.Messages, s.c.Messages...)
	}
	begin := len(l.segments[0].c.Messages) // of the second segment
	needed := l.needed(whole, answers, begin)
	parts := listLost(whole, len(whole.Messages)-len(l.last().c.Messages), needed, &q)
	return &Removed{Parts: parts[:min(len(parts), maxParts)], Total: len(parts)}
}

// needs are the names of a block that later calls use and their requests do not have.
type needs struct {
	calls int
	names []string
}

// needed returns the needs of the blocks of earlier segments, by the paths of the blocks.
func (l *sessionLog) needed(whole *msg.Conversation, answers []int, begin int) map[string]*needs {
	found := map[string]*needs{}
	session := misses.New(whole, answers)
	for i := 1; i < len(l.segments); i++ {
		s := &l.segments[i]
		for n, m := range s.answers {
			session.Grow(begin + m)
			session.SetContext(s.c.Messages[:m], n > 0)
			counted := map[string]bool{}
			for _, miss := range session.Call(begin + m).List {
				x := found[miss.Path]
				if x == nil {
					x = &needs{}
					found[miss.Path] = x
				}
				if !counted[miss.Path] {
					counted[miss.Path] = true
					x.calls++
				}
				if len(x.names) < maxLostNames && !slices.Contains(x.names, miss.Name) {
					x.names = append(x.names, miss.Name)
				}
			}
		}
		begin += len(s.c.Messages)
	}
	return found
}

// listLost lists the lost blocks before the message `last`, with which the conversation at the end begins.
func listLost(whole *msg.Conversation, last int, needed map[string]*needs, q *LostQuery) []Part {
	words := strings.Fields(strings.ToLower(q.Words))
	parts := []Part{}
	seen := map[string]bool{}
	for m := last; m < len(whole.Messages); m++ {
		for b := range whole.Messages[m].Blocks {
			text := whole.Messages[m].Blocks[b].Text
			_, rest, _ := strings.Cut(text, "\n") // a result that became a text has a heading
			seen[text], seen[rest] = true, true
		}
	}
	calls := map[string]*msg.Block{}
	for m := range whole.Messages[:last] {
		for b := range whole.Messages[m].Blocks {
			if x := &whole.Messages[m].Blocks[b]; x.Kind == msg.KindToolUse {
				calls[x.ID] = x
			}
		}
	}
	for m := last - 1; m >= 0; m-- {
		message := &whole.Messages[m]
		for b := len(message.Blocks) - 1; b >= 0; b-- {
			x, need := &message.Blocks[b], needed[message.Blocks[b].Path]
			isPart := x.Kind == msg.KindToolResult || x.Kind == msg.KindText && !provenance.IsInjected(message, b)
			label, _ := marker.Parse(x.Text)
			isPart = isPart && x.Text != "" && !x.IsSummary() && label.Form == marker.None
			if !isPart || seen[x.Text] || need == nil && len(words) == 0 && q.Ref == "" {
				continue
			}
			p := Part{Path: x.Path, Kind: string(x.Kind), Role: string(message.Role), Names: []string{},
				Ref: core.Ref([]byte(x.Text)), Text: x.Text}
			if call := calls[x.ID]; call != nil && x.Kind == msg.KindToolResult {
				p.Tool, p.Input = call.Name, call.Text
			}
			if q.Ref != "" && q.Ref != p.Ref || !hasAll(strings.ToLower(p.Input+"\n"+p.Text), words) {
				continue
			}
			if need != nil {
				p.Calls, p.Names = need.calls, need.names
			}
			seen[x.Text] = true
			parts = append(parts, p)
		}
	}
	order.Stable(parts, func(a, b Part) int { return cmp.Compare(b.Calls, a.Calls) })
	return parts
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
