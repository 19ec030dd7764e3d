package msg

import (
	"iter"

	"tamp/core/internal/rawjson"
)

// Role says whose message it is. Roles that we do not know are kept as they came.
type Role string

const (
	System    Role = "system"
	Developer Role = "developer"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"     // OpenAI: one tool result as a message of its own
	Function  Role = "function" // OpenAI, deprecated: the same for function_call
)

// Conversation is the history of one request, in any format.
// It is immutable: passes return a changed copy (see WithMessages).
type Conversation struct {
	Format   string        // Anthropic, OpenAIChat, ClaudeCode …
	Model    string        // the request's model, or the newest one of a log; "" if unknown
	System   []Block       // the system prompt outside of the messages (Anthropic bodies)
	Cache    *Cache        // the automatic breakpoint: cache_control of the request body (Anthropic)
	Tools    []Block       // tool definitions; Text is their JSON
	Thinking rawjson.Value // the member thinking of a body: of Anthropic, and of Chat Completions for DeepSeek and Kimi
	Messages []Message     // in the order that the model sees
	// The request refers to earlier messages that only the provider has, and says that the provider stores none (the
	// second in OpenAI Responses only).
	Partial, Stateless bool
	Agent              *Agent // what a session log says about the limits of its agent; nil if that is nothing

	Warnings []Warning // defects that Parse tolerated, such as a cut last line
	Clean    bool      // Render leaves out the lines of a log that are no JSON objects
	// Of a log with lines that have several records: the input, and what was read in its place, where each record is a
	// line. Render writes the input if nothing changed.
	Input, Repaired []byte
	// where the input has half of a surrogate pair or invalid UTF-8, which Parse reads as U+FFFD
	Lone   []Place
	Origin any // private data of the codec: the document around the messages
}

// Place is a place in the input.
type Place struct {
	Ref  Ref    // Block -1: the whole message; Message -1: outside of the messages
	Path string // JSON Pointer
}

// Message is one message as the model sees it. The lines of a log that form one message are joined.
type Message struct {
	Role    Role
	Blocks  []Block
	Raw     rawjson.Value   // its input JSON; nil if Tamp made it or if it has several lines
	Lines   []rawjson.Value // the input lines of a message that has several; else nil
	Path    string          // JSON Pointer into the input; "" if Tamp made it
	ID      string          // the provider's id of a response, if the format has it
	Usage   *Usage          // the API's token counts of the call that made this message, if the format has them
	Cost    int             // what the log says that this call cost, in millionths of a dollar; 0 if it does not say
	Model   string          // the model that made it, if the format has it
	Time    rawjson.Value   // when it was written, of a log: RFC 3339, or milliseconds since 1970
	Times   []rawjson.Value // the same of each of Lines; nil: their members timestamp
	Meta    bool            // injected by the agent, not typed by the user (Claude Code's isMeta)
	Changed bool            // Blocks differ from Raw: the codec writes the message with the new blocks
	Origin  any             // private data of the codec: the position in the input
}

// Usage is the API's own token count of one call.
type Usage struct {
	Input      int `json:"input"`      // prompt tokens that were neither read from nor written to the cache
	CacheRead  int `json:"cacheRead"`  // prompt tokens read from the cache
	CacheWrite int `json:"cacheWrite"` // prompt tokens written to the cache
	// of CacheWrite, those written for an hour; the rest is for five minutes
	CacheWrite1h int `json:"cacheWrite1h,omitempty"`
	Output       int `json:"output"` // tokens of the answer
	// the service of the call, if it has another price than the standard one: "fast", "priority", "flex" or "batch"
	Tier string `json:"tier,omitempty"`
	// why the cache did not have the whole prompt of the call before, by the provider's own comparison, and the tokens
	// behind the difference: messages_changed, tools_changed …; "" if the client did not ask, or nothing was missed
	MissReason string `json:"missReason,omitempty"`
	Missed     int    `json:"missed,omitempty"`
}

// Add adds the tokens of another call.
func (u *Usage) Add(other *Usage) {
	u.Input += other.Input
	u.CacheRead += other.CacheRead
	u.CacheWrite += other.CacheWrite
	u.CacheWrite1h += other.CacheWrite1h
	u.Output += other.Output
}

// IsReason reports a name such as a provider has for a reason: small letters and "_", at most 40.
func IsReason(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return name != "" && len(name) <= 40
}

// Prompt is the size of the whole request: everything before the answer.
func (u Usage) Prompt() int { return u.Input + u.CacheRead + u.CacheWrite }

// Warning reports a defect that was tolerated. A warning never changes a result.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
}

// The codes of warnings about lines of a log that are kept, but not part of the conversation.
const (
	CutLine    = "cut_line"    // the last line is cut short
	OddLine    = "odd_line"    // the line is no JSON object
	GluedLine  = "glued_line"  // the line has whole records, which are read as lines of their own
	OddMessage = "odd_message" // the message of the line cannot be read
)

// Ref names one block: Messages[Message].Blocks[Block].
type Ref struct {
	Message int `json:"message"`
	Block   int `json:"block"`
}

// Span is a half-open range of messages: [Start, End).
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the number of messages in the span.
func (s Span) Len() int { return s.End - s.Start }

// At returns the block that r names.
func (c *Conversation) At(r Ref) *Block { return &c.Messages[r.Message].Blocks[r.Block] }

// Blocks yields each block of the messages with its Ref, in document order. The pointer is for reading: the
// conversation is shared. The compiler inlines the loop, which costs 2.15 ns a block; two nested loops cost 2.09 ns.
func (c *Conversation) Blocks() iter.Seq2[Ref, *Block] {
	return c.BlocksIn(Span{End: len(c.Messages)})
}

// BlocksIn is Blocks for the messages of one span, which must be inside the conversation.
func (c *Conversation) BlocksIn(s Span) iter.Seq2[Ref, *Block] {
	return func(yield func(Ref, *Block) bool) {
		for m := s.Start; m < s.End; m++ {
			blocks := c.Messages[m].Blocks
			for b := range blocks {
				if !yield(Ref{Message: m, Block: b}, &blocks[b]) {
					return
				}
			}
		}
	}
}

// Cursor is a loop over the blocks of a conversation: for it := c.Walk(); it.Next(); { … it.Ref, it.Block … }.
type Cursor struct {
	Ref      Ref
	Block    *Block // for reading, as in Blocks
	messages []Message
	read     int // the message of which fallback is known, counted from 1
	fallback int // see Message.Fallback
}

// Walk returns a Cursor before the first block. As wasm, a loop with it is smaller than one over Blocks, which is
// faster.
func (c *Conversation) Walk() Cursor { return c.WalkIn(Span{End: len(c.Messages)}) }

// WalkIn is Walk for the messages of one span, which must be inside the conversation.
func (c *Conversation) WalkIn(s Span) Cursor {
	return Cursor{Ref: Ref{Message: s.Start, Block: -1}, messages: c.Messages[:s.End]}
}

// Next goes to the next block, and reports whether there is one.
func (it *Cursor) Next() bool {
	for it.Ref.Message < len(it.messages) {
		blocks := it.messages[it.Ref.Message].Blocks
		if it.Ref.Block++; it.Ref.Block < len(blocks) {
			it.Block = &blocks[it.Ref.Block]
			return true
		}
		it.Ref = Ref{Message: it.Ref.Message + 1, Block: -1}
	}
	return false
}

// IsThinking reports thinking that the model reads. The provider drops the blocks before a fallback block (LeavesOut),
// so it has no tokens, is not bound to what precedes it, and a change loses nothing with it.
func (it *Cursor) IsThinking() bool {
	if it.Block.Kind != KindThinking {
		return false
	}
	if m := it.Ref.Message; it.read != m+1 {
		it.read, it.fallback = m+1, it.messages[m].Fallback()
	}
	return it.Ref.Block >= it.fallback
}

// RefusePart returns an error if c continues a thread of the Messages API: it has the newest messages only, which
// cannot be counted or compacted. doing is the verb of the error.
func (c *Conversation) RefusePart(doing string) error {
	if !c.IsThread() {
		return nil
	}
	return NewError(BadMessage, "/thread", "cannot "+doing+": the request continues a thread, so it has only the newest "+
		"messages; use the whole conversation, without a thread or with one of type create")
}

// IsThread reports a request that continues a thread of the Messages API. Source: Anthropic's page on message threads.
func (c *Conversation) IsThread() bool { return c.Partial && c.Format == Anthropic }

// WithMessages returns a conversation with other messages that shares everything else with c, but for Lone, which is of
// the input.
func (c *Conversation) WithMessages(messages []Message) *Conversation {
	copied := *c
	copied.Messages, copied.Lone = messages, nil
	return &copied
}

// WithBlocks returns a copy of m that holds other blocks and is marked as changed.
func (m Message) WithBlocks(blocks []Block) Message {
	m.Blocks = blocks
	m.Changed = true
	return m
}

// EndsTurn reports whether a user message ends the turn of the assistant before it: it is a prompt for the API, even if
// a client wrote it. Only the elements that clients add next to tool results do not end a turn.
func (m *Message) EndsTurn() bool {
	return m.HasPrompt(func(b int) bool { return m.Blocks[b].IsInjected() })
}

// HasPrompt reports whether a user message has a block that is not a tool result, a summary, (which is invalid)
// thinking, or injected, as the caller finds.
func (m *Message) HasPrompt(injected func(b int) bool) bool {
	if m.Role != User || m.Meta {
		return false
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != KindToolResult && b.Kind != KindThinking && !b.IsSummary() && !injected(i) {
			return true
		}
	}
	return false
}

// Fallback is the type of a block that says that another model goes on with the answer (Anthropic). It is not in the
// prompt. Source: @anthropic-ai/sdk 1.14.0.
const Fallback = "fallback"

// Fallback returns the index of the last fallback block, 0 if there is none. A call before it is dropped, and gets no
// result.
func (m *Message) Fallback() int {
	for b := len(m.Blocks) - 1; b > 0; b-- {
		if m.Blocks[b].Type == Fallback && m.Blocks[b].Kind == KindOther {
			return b
		}
	}
	return 0
}

// LeavesOut reports whether block b, which is before the last fallback block, has to be left out when the answer is
// sent back: thinking, text that connects it, and calls of the client. Source: platform.claude.com,
// refusals-and-fallback.
func (m *Message) LeavesOut(b int) bool {
	block := &m.Blocks[b]
	return block.Kind == KindThinking || block.Type == "connector_text" || block.Kind == KindToolUse && !block.Server
}

// Any reports whether is accepts a block of the message.
func (m *Message) Any(is func(b *Block) bool) bool {
	for b := range m.Blocks {
		if is(&m.Blocks[b]) {
			return true
		}
	}
	return false
}

// Turns returns the turn of each message, from 1: turn n is the n-th assistant message with the messages since the
// assistant message before it. The messages after the last assistant message belong to the next turn.
func (c *Conversation) Turns() []int {
	turns := make([]int, len(c.Messages))
	turn := 1
	for i := range c.Messages {
		turns[i] = turn
		if c.Messages[i].Role == Assistant {
			turn++
		}
	}
	return turns
}
