package msg

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

// The names of the formats, as Conversation.Format and every surface spell them.
const (
	Anthropic  = "anthropic"
	OpenAIChat = "openai-chat"
	ClaudeCode = "claude-code"
)

// Conversation is the history of one request, in any format.
// It is immutable: passes return a changed copy (see WithMessages).
type Conversation struct {
	Format   string    // Anthropic, OpenAIChat, ClaudeCode
	Model    string    // the request's model, or the newest one of a log; "" if unknown
	System   []Block   // the system prompt outside of the messages (Anthropic bodies)
	Cache    *Cache    // the automatic breakpoint: cache_control of the request body (Anthropic)
	Tools    []Block   // tool definitions; Text is their JSON
	Messages []Message // in the order that the model sees
	Warnings []Warning // defects that Parse tolerated, such as a cut last line
	Origin   any       // private data of the codec: the document around the messages
}

// Message is one message as the model sees it. The lines of a log that form one message are joined.
type Message struct {
	Role    Role
	Blocks  []Block
	Raw     Raw    // its input JSON; nil if Tamp made it or if it has several lines
	Lines   []Raw  // the input lines of a message that has several; else nil
	Path    string // JSON Pointer into the input; "" if Tamp made it
	ID      string // the provider's id of a response, if the format has it
	Usage   *Usage // the API's token counts of the call that made this message, if the format has them
	Meta    bool   // injected by the agent, not typed by the user (Claude Code's isMeta)
	Changed bool   // Blocks differ from Raw: the codec writes the message with the new blocks
	Origin  any    // private data of the codec: the position in the input
}

// Usage is the API's own token count of one call.
type Usage struct {
	Input      int `json:"input"`      // prompt tokens that were neither read from nor written to the cache
	CacheRead  int `json:"cacheRead"`  // prompt tokens read from the cache
	CacheWrite int `json:"cacheWrite"` // prompt tokens written to the cache
	Output     int `json:"output"`     // tokens of the answer
}

// Prompt is the size of the whole request: everything before the answer.
func (u Usage) Prompt() int { return u.Input + u.CacheRead + u.CacheWrite }

// Warning reports a defect that was tolerated. A warning never changes a result.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
}

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

// WithMessages returns a conversation with other messages that shares everything else with c.
func (c *Conversation) WithMessages(messages []Message) *Conversation {
	copied := *c
	copied.Messages = messages
	return &copied
}

// WithBlocks returns a copy of m that holds other blocks and is marked as changed.
func (m Message) WithBlocks(blocks []Block) Message {
	m.Blocks = blocks
	m.Changed = true
	return m
}

// IsPrompt reports whether a message is a real user prompt: a user message with a block that is not a tool result, injected
// text, a summary or (which is invalid) thinking.
func (m *Message) IsPrompt() bool {
	if m.Role != User || m.Meta {
		return false
	}
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind != KindToolResult && b.Kind != KindThinking && !b.IsInjected() && !b.IsSummary() {
			return true
		}
	}
	return false
}

// Turns returns the turn of each message, from 1: turn n is the n-th assistant message with the messages since the assistant
// message before it. The messages after the last assistant message belong to the next turn.
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
