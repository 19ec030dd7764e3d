// Package core compacts the conversation of an LLM agent so that it fits its context window, stays valid for the
// provider's API, keeps what the agent still needs, and loses nothing.
//
// Save what Plan.Archive names BEFORE you use what Apply returns; answer every request, even with an error; keep State with the conversation.
//
// # The host's duties
//
//  1. Parse the conversation (core/format), or keep the parsed one from the turn before.
//  2. Call NewPlan before each model call. It changes nothing and is cheap enough for every turn.
//  3. Save Archive(c, plan). Only then go on: what Apply removes is not in its result.
//  4. Answer each of Plan.Requests with any model. A failed call is data: set SummaryResult.Err.
//  5. Call Apply. While Outcome.Next is set, go back to 3 with it.
//  6. Render the Outcome's conversation (core/format) and send it. Store Outcome.State beside it.
//
// The loop as code, with any model, or with Summarize, which needs none:
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
// # Words
//
//   - block: one part of a message: text, tool_use, tool_result, thinking, image, document, summary, other.
//   - message: what one role said, a list of blocks.
//   - turn: one model call: an assistant message with what came in since the assistant message before it.
//   - exchange: from one real prompt of the user to the next.
//   - open round: the last assistant message whose calls are not all answered, or are answered with nothing after.
//   - pair: a call and its result. Orphan: half of a pair.
//   - consumed: a tool result that some later assistant message follows.
//   - span: a half-open range of messages.
//   - pin: a rule that protects a block from change.
//   - clear: replace old tool output by a placeholder (Tamp, no model).
//   - drop: remove a block whole (Tamp, no model).
//   - region: what one summary takes the place of; runs of whole messages, or blocks that are replaced in place.
//   - summarize (a model, or Summarize) is not truncate (us, when a summary cannot be had) is not clear.
//   - plan, edit, request, result, outcome: the plan names edits and asks requests, results answer them, the outcome is
//     what came of it.
//   - anchor: a place for a breakpoint of the provider's prompt cache.
//   - archive: the originals of what an Apply removes.
//
// # What is outside
//
// The core calls no model, reads no file, knows no clock, and starts nothing. It holds no state between calls. The same
// input gives the same bytes on every platform.
package core
