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

// Conversation is one request's worth of history, whatever format it came in.
// It is a value to read: passes never change it in place, they copy what they change (see WithMessages).
type Conversation struct {
	Format   string    // Anthropic, OpenAIChat, ClaudeCode
	Model    string    // the request's model, or the log's newest; "" where it names none
	System   []Block   // the system prompt that stands beside the messages (Anthropic bodies)
	Cache    *Cache    // the automatic breakpoint: cache_control beside the messages (Anthropic bodies)
	Tools    []Block   // tool definitions beside the messages; Text is their JSON
	Messages []Message // in the order that the model sees
	Warnings []Warning // what Parse tolerated: a last line cut short, for one
	Origin   any       // the codec's own note of everything around the messages; nobody else looks inside
}

// Message is one message as the model sees it. In a log, where one message is spread over several lines, they are joined.
type Message struct {
	Role    Role
	Blocks  []Block
	Raw     Raw    // its JSON as it came in; nil where Tamp made it, or where it is spread over lines
	Lines   []Raw  // the lines of a message that is spread over them, as they came in; else nil
	Path    string // JSON Pointer into the input; "" where Tamp made it
	ID      string // the provider's id of a response, where the format keeps it
	Usage   *Usage // what the API counted for the call that made this message, where the format keeps it
	Meta    bool   // injected by the agent, not typed by the user (Claude Code's isMeta)
	Changed bool   // Blocks are no longer those of Raw: the codec writes it anew around them
	Origin  any    // the codec's own note of where it stood
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

// Warning reports something that was tolerated. A warning never changes a result.
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

// WithMessages returns a conversation that shares everything with c but its list of messages.
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

// IsPrompt reports a real user prompt: a user message with anything besides tool results, injected text and, where an
// invalid one holds it, thinking.
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

// Turns numbers the messages: turn n is the n-th assistant message with what came in since the one before it.
// What follows the last assistant message belongs to the turn that is about to be.
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
