// Package promptcache places the breakpoints (cache_control) of a request to Anthropic's Messages API, and watches the
// hits of the prompt cache. It is not a client: it reads a conversation and the usage that the provider reported, and
// returns values. Start with Rank for the breakpoints, and with Observe for the health of the cache.
//
// # Candidates
//
// The prefix of a request is tools, then system, then messages, and a breakpoint caches everything up to its block. The
// usual four of a growing conversation, in the order in which they are chosen if there is room for fewer:
//
//   - request_end: the last block. It is always chosen: the call that sends a block first writes it, and the next call
//     reads it. Without it every tool result is paid twice, as input and then as a write.
//   - previous_end: the last entry of the previous request that is still a prefix of this one; in a growing
//     conversation its end. After a clearing it is the breakpoint before the first changed block. It comes second:
//     this call reads all of the previous prompt then, also if more blocks follow than a read looks back.
//   - stable_boundary: the last block before the first one that a pass may change. Its entry survives a clearing. If no
//     pass changes a block, it is the last summary: the next summaries replace later messages.
//   - system_end: the last block of the system prompt; without one tools_end, the last tool definition.
//
// The last two are chosen by value. Then come the other candidates by value:
//
//   - tools_end, if there is a system prompt.
//   - before_prompt: the last block of the message before the newest user message.
//   - milestone: the last large tool result (LargeResult tokens) that a later assistant message answered and that no
//     pass will change.
//
// Breakpoints of the caller keep their places and count towards the limit (kind present, if the place is not a
// candidate). Those of an earlier Rank, which come back with the conversation, are placed again: Ranking.Own has
// them.
// No breakpoint is put on thinking, on empty text, on blocks that the provider wrote, or on blocks of unknown type.
//
// # Value
//
// All numbers are integers, ratios are permille, and every division rounds down.
//
//	value     = tokensBefore × hit / 1000         tokensBefore: from the tools to the end of the block; at least 1
//	hit       = stability × reuse / 1000          0 below the model's minimum; half near the end of the lifetime
//	stability = 990 tools | 980 system | 950 × 4 / (4 + n) messages, n = blocks up to it that a pass will change
//	reuse     = 1000 × t / (t + 1)                t = turns expected after this one
//
// The number of turns expected is the number of turns so far (at least 1), the usual estimate for a process of unknown
// length. The end of a lifetime is near if the time between calls is at least 270 s (5 minutes) or 3,540 s (1 hour).
// The hit is never 0 for that: an entry that has expired must be written again, and a request without any breakpoint
// would pay the full price for the rest of the session.
//
// An example, which TestExample computes too: 9 turns so far, so reuse = 1000 × 9 / 10 = 900; tools 6,000 tokens,
// system 2,000, a milestone at 20,000, the message before the prompt at 30,000 with 4 results before it that will be
// cleared.
//
//	tools_end      990 × 900 / 1000 = 891     6,000 × 891 / 1000 =  5,346
//	system_end     980 × 900 / 1000 = 882     8,000 × 882 / 1000 =  7,056
//	milestone      950 × 900 / 1000 = 855    20,000 × 855 / 1000 = 17,100
//	before_prompt  475 × 900 / 1000 = 427    30,000 × 427 / 1000 = 12,810
//
// # Reach
//
// The cache is written only at breakpoints, and a read checks Lookback positions from each, the breakpoint's own being
// the first (a run of tool_use or of tool_result blocks is one position).
//
// It is not a part of the API (see package core).
package promptcache
