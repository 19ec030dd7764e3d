package msg

// Limits of one conversation: 20 times the longest sessions. An operation needs up to 2 KB of memory for a message and
// 1 KB for a block, so a conversation at each limit is processed in half a GB.
const (
	MaxMessages = 250_000
	MaxBlocks   = 500_000 // includes parts of tool results; tool definitions are counted separately, with the same limit
	MaxLines    = 500_000 // of a log, including lines without a message
)

// MaxBytes is the limit of one input: far over every session seen, and a 32-bit address space still has room to work.
const MaxBytes = 256 << 20
