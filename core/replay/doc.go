// Package replay tells what a session would have sent and cost under a policy: turn by turn, in tokens, in reads and writes of the
// provider's prompt cache, and in money. It is not a simulation of the model: the answers are those of the session, and what the
// agent did next does not depend on what was compacted before.
//
// Start with Replay for the numbers, At for the conversation as the model would have seen it at one call, and Verdict for a sentence
// that compares several reports.
//
// # Calls
//
// Every assistant message is a model call, and everything before it is its prompt. Before each call the policy plans and applies
// on the conversation as the agent carries it: what the call before left, and what came since. Where the policy finds nothing left to
// give up (context_overflow), the call says so and is sent as it is.
//
// # The account of Anthropic's cache
//
// The rules are the provider's, as FORMATS.md of the design and its page on prompt caching have them:
//
//   - A request is tools, system, messages, in this order. An entry is the whole prefix up to a breakpoint, byte for byte but for
//     cache_control. It is written only where a breakpoint stands, and only with the model's minimum of tokens before it.
//   - A read looks from each breakpoint at 20 positions, its own the first. The longest prefix that is found is what is read.
//   - An entry lives five minutes or an hour from the start of the request that wrote it or last read it. At its very end it is dead.
//   - What lies between the longest hit and the last breakpoint is written, at the price of its lifetime; what follows is input.
//
// Read + write + input = sent, always. A breakpoint inside a tool result counts as one at its end.
//
// # The account of automatic caches
//
// In the other formats the provider caches by itself (OpenAI's page on prompt caching): from 1,024 tokens on, the longest prefix
// that it shares with an earlier request of the last minutes is read, in steps of 128 tokens. Writing costs nothing. Prefixes are
// compared block by block, so what two different blocks have in common at their start is not counted.
//
// # What it does not know
//
// Most logs hold neither the system prompt nor the tools, so every number leaves them out alike, the triggers of the policy too; what
// the provider counted itself stands beside it where the log has it (Call.API). Tokens are those of the counter. Where a model's
// price is not known, that of a middling model takes its place and Report.Priced is false: the shares hold, the sums do not.
package replay
