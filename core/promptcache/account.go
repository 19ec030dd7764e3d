package promptcache

import "tamp/core/msg"

// The rules of Rank that the replay of requests (core/replay) needs too.

// DigestBlock is a digest of a block of a message or of the system prompt without its cache_control: equal digests,
// equal cache key.
func DigestBlock(b *msg.Block) uint64 { return newDigester().block(b).sum() }

// DigestTool is the same digest for a tool definition.
func DigestTool(b *msg.Block) uint64 { return newDigester().text(b.Name).object(b.Raw).sum() }

// CanHoldBreakpoint reports a block that accepts cache_control. The automatic breakpoint is on the last such block.
func CanHoldBreakpoint(b *msg.Block) bool { return canHoldBreakpoint(b) }

// Lifetime is the lifetime in seconds of an entry that a breakpoint writes, from the start of the request that wrote or
// last read it.
func Lifetime(cache *msg.Cache) int { return lifetimeOf(ttlOf(cache)).seconds }
