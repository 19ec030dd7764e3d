package tokens

import "tamp/core/msg"

// Meter counts blocks and conversations: a text counter, by how much the model's tokens are more, what the model adds around texts
// and how it counts images. The sum of all parts is the total, exactly.
type Meter struct {
	Counter  Counter
	Profile  Profile
	Permille int // what the count of every text is multiplied by, rounded half up; 0 means 1000
}

// NewMeter chooses the profile for a conversation. The classic rules (chars4, chars3, cjk) are published as
// rules on text alone, so they go as they are, without overheads; nil means Estimate.
func NewMeter(counter Counter, c *msg.Conversation) Meter {
	if counter == nil {
		counter = Estimate
	}
	m := Meter{Counter: counter, Profile: Profile{Family: "bare", Image: ImagePatches28}}
	switch counter.Name() {
	case Chars4.Name(), Chars3.Name(), CJK.Name():
	default:
		m.Profile = ProfileFor(c.Model, c.Format)
		m.Permille = m.Profile.Scale(counter.Name()).Permille
	}
	return m
}

// Text counts a text as the model would.
func (m Meter) Text(text string) int {
	n := m.Counter.Count(text)
	if m.Permille == 0 || m.Permille == 1000 {
		return n
	}
	return scaleBy(n, m.Permille)
}

// Texts is the meter as a counter of texts.
func (m Meter) Texts() Counter { return metered(m) }

type metered Meter

func (t metered) Name() string { return t.Counter.Name() }

func (t metered) Count(text string) int { return Meter(t).Text(text) }

// scaleBy is n × permille / 1000, rounded half up, in 64 bits.
func scaleBy(n, permille int) int { return int((int64(n)*int64(permille) + 500) / 1000) }

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

// Count is the size of a conversation, how sure it is, and what the API said itself.
type Count struct {
	Counts
	Low     int       `json:"low"`             // tokens: one session in ten has less; Total where exact
	High    int       `json:"high"`            // tokens: one session in ten has more
	Exact   bool      `json:"exact"`           // the counter is the model's own, and nothing had to be guessed
	Profile string    `json:"profile"`         // the family of models whose rules were used
	Usage   *Measured `json:"usage,omitempty"` // what the API's own usage on the messages says; absent where there is none that can be believed
}

// Count is Conversation, with its range and with what the usage on the messages says.
func (m Meter) Count(c *msg.Conversation) Count {
	counts := m.Conversation(c)
	return m.Sure(c, counts)
}

// Sure adds to the counts of c how sure they are.
func (m Meter) Sure(c *msg.Conversation, counts Counts) Count {
	scale := m.Profile.Scale(m.Counter.Name())
	exact := scale == Scale{1000, 1000, 1000} && !guesses(c)
	if exact {
		return Count{counts, counts.Total, counts.Total, true, m.Profile.Family, Measure(c, counts)}
	}
	if scale.High == 1000 { // only what had to be guessed is uncertain, and nobody knows by how much
		scale = Scale{1000, 900, 1100}
	}
	return Count{counts, scaleBy(counts.Total, scale.Low), scaleBy(counts.Total, scale.High), false, m.Profile.Family, Measure(c, counts)}
}

// guesses reports that c holds a block that is counted by a guess: an image of unknown size, a document that cannot be read.
func guesses(c *msg.Conversation) bool {
	for m := range c.Messages {
		if anyGuess(c.Messages[m].Blocks) {
			return true
		}
	}
	return false
}

func anyGuess(blocks []msg.Block) bool {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Kind == msg.KindImage && (b.Image == nil || b.Image.Width <= 0 || b.Image.Height <= 0),
			b.Kind == msg.KindDocument && b.Text == "", anyGuess(b.Parts):
			return true
		}
	}
	return false
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
func (m Meter) Tool(b *msg.Block) int { return m.Text(b.Text) + m.Profile.PerTool }

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
		return m.Text(b.Name) + m.Text(b.Text) + m.Profile.PerToolUse
	case msg.KindToolResult:
		total := m.Profile.PerToolUse
		if b.Parts == nil {
			return total + m.Text(b.Text)
		}
		for i := range b.Parts {
			total += m.Block(&b.Parts[i])
		}
		return total
	}
	return m.Text(b.Text)
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
