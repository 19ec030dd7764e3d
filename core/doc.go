// Package core compacts the conversation of an LLM agent. The result fits the context window, is valid for the
// provider's API, and keeps the text that the agent still needs. The removed originals can be archived.
//
//	c, err := format.Parse(session, "")
//	p, err := policy.Preset("balanced")
//	out, err := core.Compact(c, state, p, core.Env{}, core.Host{Save: store.Append}) // originals are saved first
//	session, err = format.Render(out.Conversation)                                   // keep out.State with it
//
// It is a part of the API: core, core/format, core/msg, core/policy, and of core/forward the Compactor. All
// other packages may change in any version.
//
// Save Archive(c, plan) BEFORE you use the result of Apply. Answer every request, even with an error. Store State with
// the conversation.
//
// # The host's duties
//
//  1. Parse the conversation (core/format), or keep the parsed one from the turn before.
//  2. Call NewPlan before each model call. It changes nothing and is cheap enough for every turn.
//  3. Save Archive(c, plan) before the next step: the originals that Apply removes are not in its result.
//  4. Answer each of Plan.Requests with any model. A failed call is data: set SummaryResult.Err.
//  5. Call Apply. While Outcome.Next is set, go back to 3 with it.
//  6. Render the Outcome's conversation (core/format) and send it. Store Outcome.State with it.
//
// The loop in code, with any model, or with Summarize, which needs no model:
//
//	plan, err := core.NewPlan(c, state, policy, env)
//	for err == nil && plan != nil {
//		if err := store.Save(core.Archive(c, plan)); err != nil { return err }
//		results := answer(plan.Requests) // in parallel if you like; a failed call is data
//		out, err := core.Apply(c, state, policy, env, plan, results)
//		if err != nil { return err }
//		c, state, plan = out.Conversation, out.State, out.Next
//	}
//
// Compact is this loop. Session.Compact is it for a conversation that grows call by call: Append the messages since the
// last call, then Compact, then send Session.Conversation. Loop has its steps as methods, for both.
//
// # Terms
//
//   - block: one part of a message: text, tool_use, tool_result, thinking, image, document, summary, other.
//   - message: a list of blocks of one role.
//   - turn: one model call: an assistant message and all messages since the previous assistant message.
//   - exchange: from one real prompt of the user to the next.
//   - open round: the last assistant message and the results of its calls, if a call is unanswered or nothing follows
//     the results.
//   - pair: a call and its result. Orphan: half of a pair.
//   - consumed: a tool result that some later assistant message follows.
//   - span: a half-open range of messages.
//   - pin: a rule that protects a block from change.
//   - clear: replace old tool output by a placeholder (Tamp, no model).
//   - drop: remove a whole block (Tamp, no model).
//   - region: the part of a conversation that one summary replaces: runs of whole messages, or blocks in place.
//   - summarize: replace a region by a summary (a model, or Summarize).
//   - truncate: drop the oldest part of a region whose summary failed (Tamp, no model).
//   - plan, edit, request, result, outcome: a plan has edits and requests, results answer the requests, and Apply turns
//     the plan and the results into an outcome.
//   - anchor: a position for a breakpoint of the provider's prompt cache.
//   - archive: the originals that an Apply removes.
//
// # Packages
//
// The work is done in three packages, each of which imports only those after it: core/apply carries out a plan,
// core/plan makes it, and core/view reads the conversation. This package has their names that a host needs.
//
// # Limits
//
// The core calls no model, reads no file and no clock, and starts no goroutine. It keeps no state between calls, except
// in a Session or a Loop. The same input gives the same bytes on every platform.
package core
