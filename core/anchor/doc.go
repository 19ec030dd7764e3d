// Package anchor decides where a request to Anthropic's Messages API should carry cache_control, and watches what
// came of it. It is not a client: it reads a conversation and the usage that the provider reported, and
// returns values. Start with Rank for the breakpoints, and with Observe for the health of the cache.
//
// # Candidates
//
// The prefix of a request is tools, then system, then messages, and a breakpoint caches everything up to its block.
//
//   - tools_end: the last tool definition.
//   - system_end: the last block of the system prompt.
//   - milestone: the last large tool result (LargeResult tokens) that a later assistant message answered and that no pass
//     will touch; and, where one turn was wider than a read can look back, a block that bridges it.
//   - before_prompt: the last block of the message before the newest user message.
//
// Breakpoints that the request has already stay where they are and count (kind present, where no candidate stands there).
// None is put on thinking, on empty text, on what the provider wrote itself, or on blocks that we do not know.
//
// # Value
//
// All numbers are integers, ratios are permille, and every division rounds down.
//
//	value     = tokensBefore × hit / 1000         tokensBefore: tools to the end of the block
//	hit       = stability × reuse / 1000          0 near the end of the lifetime or below the model's minimum
//	stability = 990 tools | 980 system | 950 × 4 / (4 + n) messages, n = blocks up to it that a pass will change
//	reuse     = 1000 × t / (t + 1)                t = turns expected after this one
//
// The turns to come are as many as there have been (at least 1), the usual guess for a thing of unknown age.
// The end of a lifetime is near when the time between calls is 270 s or more (5 minutes) or 3,540 s (1 hour).
//
// An example, which TestExample works out too: 9 turns so far, so reuse = 1000 × 9 / 10 = 900; tools 6,000 tokens, system
// 2,000, a milestone at 20,000, the message before the prompt at 30,000 with 4 results before it that will be cleared.
//
//	tools_end      990 × 900 / 1000 = 891     6,000 × 891 / 1000 =  5,346
//	system_end     980 × 900 / 1000 = 882     8,000 × 882 / 1000 =  7,056
//	milestone      950 × 900 / 1000 = 855    20,000 × 855 / 1000 = 17,100
//	before_prompt  475 × 900 / 1000 = 427    30,000 × 427 / 1000 = 12,810
//
// The most valuable are chosen, at most 4 together with those that the request has; of equal ones the earlier.
//
// # Reach
//
// The cache is written only at breakpoints, and read by looking back at most Lookback positions from each (a run of
// tool_use or of tool_result blocks is one position). So the anchor before the prompt finds the one of the turn before,
// unless that turn was wider: then a milestone is put where a read from it still finds the old anchor.
package anchor
