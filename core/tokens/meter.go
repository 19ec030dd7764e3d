package tokens

import "tamp/core/msg"

// Meter counts blocks and conversations: a text counter together with what the model adds around texts and how it
// counts images. The sum of all parts is the total, exactly.
type Meter struct {
	Counter Counter
	Profile Profile
}

// NewMeter chooses the overheads for a conversation. The classic rules (chars4, chars3, cjk) are published as
// rules on text alone, so they go without overheads; nil means Estimate.
func NewMeter(counter Counter, c *msg.Conversation) Meter {
	if counter == nil {
		counter = Estimate
	}
	m := Meter{Counter: counter, Profile: bare}
	switch counter.Name() {
	case Chars4.Name(), Chars3.Name(), CJK.Name():
	default:
		m.Profile = ProfileFor(c.Model, c.Format)
	}
	return m
}

// Counts is the size of a conversation, part by part.
type Counts struct {
	Total    int            `json:"total"`
	System   int            `json:"system"`
	Tools    int            `json:"tools"`
	Messages []MessageCount `json:"messages"`
	Counter  string         `json:"counter"`
}

// MessageCount is the size of one message: its blocks and what the model adds around them.
type MessageCount struct {
	Tokens int   `json:"tokens"`
	Blocks []int `json:"blocks"`
}

// Conversation counts everything that a request with c would send.
func (m Meter) Conversation(c *msg.Conversation) Counts {
	counts := Counts{Messages: make([]MessageCount, len(c.Messages)), Counter: m.Counter.Name()}
	for i := range c.System {
		counts.System += m.Block(&c.System[i])
	}
	for i := range c.Tools {
		counts.Tools += m.Tool(&c.Tools[i])
	}
	counts.Total = counts.System + counts.Tools
	blocks := 0
	for i := range c.Messages {
		blocks += len(c.Messages[i].Blocks)
	}
	pool := make([]int, blocks) // one allocation for all messages
	for i := range c.Messages {
		n := len(c.Messages[i].Blocks)
		counts.Messages[i].Blocks, pool = pool[:n:n], pool[n:]
		counts.Messages[i].Tokens = m.Profile.PerMessage
		for b := range c.Messages[i].Blocks {
			t := m.Block(&c.Messages[i].Blocks[b])
			counts.Messages[i].Blocks[b] = t
			counts.Messages[i].Tokens += t
		}
		counts.Total += counts.Messages[i].Tokens
	}
	return counts
}

// Message counts one message with what the model adds around it.
func (m Meter) Message(message *msg.Message) int {
	total := m.Profile.PerMessage
	for b := range message.Blocks {
		total += m.Block(&message.Blocks[b])
	}
	return total
}

// Tool counts one tool definition.
func (m Meter) Tool(b *msg.Block) int { return m.Counter.Count(b.Text) + m.Profile.PerTool }

// Block counts one block on the text that the model would see.
func (m Meter) Block(b *msg.Block) int {
	switch b.Kind {
	case msg.KindImage:
		return imageTokens(m.Profile.Image, b.Image)
	case msg.KindDocument:
		if b.Text == "" {
			return unknownDocument
		}
	case msg.KindToolUse:
		return m.Counter.Count(b.Name) + m.Counter.Count(b.Text) + m.Profile.PerToolUse
	case msg.KindToolResult:
		total := m.Profile.PerToolUse
		if b.Parts == nil {
			return total + m.Counter.Count(b.Text)
		}
		for i := range b.Parts {
			total += m.Block(&b.Parts[i])
		}
		return total
	}
	return m.Counter.Count(b.Text)
}

// Recount counts a conversation that shares most messages with one that was counted: only messages that changed cost
// anything. Both have the same messages in the same places.
func (m Meter) Recount(was Counts, is, before *msg.Conversation) Counts {
	counts := was
	counts.Messages = append([]MessageCount(nil), was.Messages...)
	for i := range is.Messages {
		if is.Messages[i].Changed == before.Messages[i].Changed && shared(is.Messages[i].Blocks, before.Messages[i].Blocks) {
			continue
		}
		counts.Total -= was.Messages[i].Tokens
		counts.Messages[i] = m.message(&is.Messages[i])
		counts.Total += counts.Messages[i].Tokens
	}
	return counts
}

// shared reports two slices that are one.
func shared(a, b []msg.Block) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (m Meter) message(message *msg.Message) MessageCount {
	count := MessageCount{Tokens: m.Profile.PerMessage, Blocks: make([]int, len(message.Blocks))}
	for b := range message.Blocks {
		count.Blocks[b] = m.Block(&message.Blocks[b])
		count.Tokens += count.Blocks[b]
	}
	return count
}
