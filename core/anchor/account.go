package anchor

import "tamp/core/msg"

// What an account of a request's reads and writes (core/replay) has to know of it: the same rules that Rank goes by.

// Positions numbers the blocks of the messages as the provider's cache counts them when it looks back: a run of tool_use or of
// tool_result blocks is one position. The first is 1; tools and system are 0.
func Positions(c *msg.Conversation) [][]int { return positions(c) }

// DigestBlock is a digest of what the cache sees of a block of a message or of the system prompt: everything but cache_control.
func DigestBlock(b *msg.Block) uint64 { return uint64(newHash().block(b)) }

// DigestTool is the same of a tool definition.
func DigestTool(b *msg.Block) uint64 { return uint64(newHash().text(b.Name).object(b.Raw)) }

// CanCarry reports a block that may carry a breakpoint. The automatic one stands on the last of them.
func CanCarry(b *msg.Block) bool { return canCarry(b) }

// Lifetime is how many seconds an entry lives that a breakpoint writes, from the start of the request that wrote or last read it.
func Lifetime(cache *msg.Cache) int { return lifetimeOf(ttlOf(cache)).seconds }
