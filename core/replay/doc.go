// Package replay computes what a session would have sent and cost under a policy: call by call, in tokens, in reads and
// writes of the provider's prompt cache, and in money. It does not simulate the model: the answers are those of the
// session, and the actions of the agent do not depend on the compaction.
//
// Start with Replay for the numbers, At for the conversation that the model would have received at one call, and
// Verdict for a sentence that compares several reports.
//
// # Calls
//
// Every assistant message is a model call, and everything before it is its prompt. Before each call the policy plans
// and applies on the carried conversation: the result of the previous call plus the new messages. If the policy cannot
// compact far enough (context_overflow), the call reports it and is sent uncompacted.
//
// # The account of Anthropic's cache
//
// The rules are the provider's, from its page on prompt caching:
//
//   - A request is tools, system, messages, in this order. An entry is the whole prefix up to a breakpoint, byte for
//     byte without cache_control. It is written only at a breakpoint, and only with the model's minimum of tokens
//     before it.
//   - A read checks 20 positions back from each breakpoint, the breakpoint's own included. The longest prefix found is
//     read.
//   - An entry lives five minutes or an hour from the start of the request that wrote it or last read it. At
//     exactly that time it has expired.
//   - The tokens between the longest hit and the last breakpoint are written, at the price of the lifetime; the rest is
//     input.
//
// Read + write + input = sent, always. A breakpoint inside a tool result counts as one at its end.
//
// # The account of automatic caches
//
// In the other formats the provider caches automatically (OpenAI's page on prompt caching): from 1,024 tokens on, the
// longest prefix that a request shares with an earlier request of the last minutes is read, in steps of 128 tokens.
// Writing costs nothing; from GPT-5.6 on a prefix lives 30 minutes, and a write costs 1.25 times the input. Prefixes
// are compared block by block, so a common start of two different blocks is not counted.
//
// # The bill
//
// A log may have the usage of its calls. Then the costs without compaction are that bill, to the token, and a policy is
// charged the difference: both the log's own request and the policy's are simulated, and the difference of the two
// simulations changes the bill. The simulation is fitted to the usage, by segment:
//
//   - the factor from our counts to those of the API, from the growth of the prompts;
//   - the hidden tokens (system prompt, tools, reminders), as a place before all others with a breakpoint of its own;
//   - the lifetime of the entries of each call; an entry that a call of the log did not find is lost for all, and one
//     that it read after its lifetime is alive for all, as are hidden tokens that another session wrote;
//   - no cache at all, if no call used one, and an automatic one, if the calls read a cache that none of them writes.
//
// Options.Hidden, TTL, Breakpoints and Prices replace the inferred values; Multipliers change all prices.
// Report.Simulated has the simulation of the log's own requests next to their bill: how far to trust the rest. Another
// model (Options.Model) has another bill, so all is simulated then.
//
// # Long prompts
//
// Some vendors charge more for the whole of a request, answer included, if its prompt is longer than a limit; cached
// tokens count (models.Long). Each bill of a call has the price of its own length: that of the log, both simulations,
// and what the policy is charged. Given Prices hold for calls of any length, unless they have a Long of their own.
//
// # Segments
//
// A log of an agent that compacts has several segments. Each is replayed on its own, starting with the agent's summary;
// caches and clock go on. Calls of subagents and of branches that the user left are in Report.Others. If the model
// changes in the log, each call has the price and the cache of its own model.
//
// # Tokens that are sent again
//
// Every request has the whole conversation, so a block is paid by each request after its first. Resent sums tokens ×
// these requests and their cost by owner: system prompt, tools, each tool server, notes, prompts, answers, thinking,
// results by tool, summaries. Since a cache divides a request at positions, the share of each block is exact; with
// usage, the bill is scaled to the request. Call.Breaks has the tokens that a call should have read from the cache.
//
// # Layers
//
// The files are in three layers; a file refers to files of its own layer and of those below it only.
//
//	report  replay.go, notes.go, fixed.go, tracks.go, audit.go, used.go, resent.go, lost.go, verdict.go: the results
//	walk    walk.go, compact.go, round.go: the calls in their order, and what each one meets
//	bill    account.go, request.go, cache.go, price.go, ledger.go: one request, its cache reads and its cost; and
//	        the types of all layers, report.go and options.go
//
// # Limits
//
// Without usage, the hidden tokens are unknown: Totals.CostLow and CostHigh are the interval, and Notes say
// why. The limits of the policy hold for whole requests, with the hidden tokens. If the price of a model is unknown,
// the price of a mid-range model is used and Report.Priced is false: the shares hold, the sums do not.
//
// It is not a part of the API (see package core).
package replay
