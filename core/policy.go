package core

import "tamp/core/policy"

// Policy decides which blocks to keep and which to compact: policy.Policy. policy.Preset returns one with the values of
// a preset, policy.Parse one with changed values; Validate checks one that was changed in Go. Shares are in permille
// (1,000 = all), "characters" are code points.
//
// The fields by their JSON names, in Go capitalized (clear.keepRecent is Clear.KeepRecent), with the defaults of the
// preset balanced:
//
//   - clear.enabled (bool; default true):
//     Whether old tool results are cleared.
//   - clear.consumedOnly (bool; default true):
//     Clear a result only after the model has answered it.
//   - clear.keepRecent (results; default 3):
//     The number of newest tool results that are kept.
//   - clear.minChars (characters; default 100):
//     Results up to this number of characters are kept.
//   - clear.keepTools (strings; default 0 names):
//     Results of these tools are always kept.
//   - clear.protectTokens (tokens; default 0):
//     The newest tool results up to this total are kept; 0 turns it off.
//   - clear.protectExchanges (prompts; default 0):
//     Results since this number of newest prompts are kept; 0 turns it off.
//   - clear.minSavings (tokens; default 40000):
//     Nothing is cleared unless the old results hold more than this.
//   - clear.triggerTokens (tokens; default 0):
//     Nothing is cleared until the conversation is over this size; 0 always clears.
//   - clear.triggerToolUses (calls; default 0):
//     Clear above this number of tool calls, instead of by tokens; 0 uses tokens.
//   - clear.clearAtLeast (tokens; default 0):
//     Nothing is cleared unless this many tokens are freed.
//   - clear.clearToolInputs (strings; default 0 names):
//     Tools whose calls lose their inputs with their results; * means all.
//   - clear.placeholder (string; default "[{tool}{about}: left out, {tokens} token"):
//     The text that replaces a cleared result. {tool} is the name of the tool, {about} the file or the command of
//     the call, {tokens} the size of the result, {ref} the name of its original.
//   - clear.bytesPerName (bytes; default 30):
//     A cleared result keeps its lines that have a name for each of this number of bytes, which no text before has;
//     0 keeps none. Only with a placeholder that has {ref}.
//   - clear.sticky (bool; default true):
//     Cleared results stay cleared. New ones are cleared only when enough tokens can be freed at once.
//   - clear.when (string; default "economic"):
//     When old results are cleared: as soon as the limits allow it, or (economic) when the kept results have cost as
//     much as writing the prompt cache again. Economic includes clearing in steps and replaces clear.minSavings.
//     One of ["" "economic"].
//   - clear.rentPermille (‰; default 1000):
//     With economic: clear when the kept results have cost this share of what clearing costs; less clears earlier.
//   - thinking.keepTurns (turns; default 0):
//     The number of newest turns that keep their thinking; 0 keeps all.
//   - intake.maxBytes (bytes; default 0):
//     A tool output over this size keeps its head and its tail; 0 turns it off.
//   - intake.maxChars (characters; default 0):
//     A user's text over this size is saved and replaced by a reference; 0 turns it off.
//   - trigger.measure (string; default "counter"):
//     How the trigger counts: by the counter, or by a published rule.
//     One of ["counter" "chars4_json" "chars3"].
//   - trigger.tokens (tokens; default 400000):
//     Summaries are due above this size; 0 turns it off.
//   - trigger.window (tokens; default 0):
//     The size of the context window; 0 uses the model's own.
//   - trigger.softPermille (‰; default 725):
//     A share of the window: above it, compaction down to the target is due; 0 turns it off.
//   - trigger.hardPermille (‰; default 900):
//     A share of the window that the next request must stay below; 0 turns it off.
//   - trigger.targetPermille (‰; default 450):
//     A share of the window; 0 compacts just below the limit that fired.
//   - trigger.bufferTokens (tokens; default 13000):
//     Kept free below the hard limit.
//   - trigger.reserveOutput (tokens; default 0):
//     Fires above the window minus this size; 0 turns it off.
//   - trigger.minGainPermille (‰; default 80):
//     A share of the window that a compaction must free before the hard limit; 0 compacts for any gain.
//   - trigger.scale (bool; default true):
//     Shares are of the window without system prompt and tools; the room for a request and the newest tokens shrink
//     with it.
//   - trigger.longPrompts (bool; default true):
//     Summaries are due before a request has the higher price that the vendor sets for long prompts. Off if a policy
//     sets trigger.tokens or trigger.softPermille.
//   - trigger.taskSwitch (bool; default false):
//     Fires when a new prompt shares almost no words with earlier text. A heuristic.
//   - pin.recentTurns (turns; default 4):
//     The number of newest turns that are kept verbatim.
//   - pin.recentTokens (tokens; default 20000):
//     The newest messages are kept verbatim, including the one with which they reach this total.
//   - pin.recentPermille (‰; default 300):
//     A share of the target that the newest messages keep verbatim, even if the target is tight.
//   - pin.keepTurns (pairs; default 0):
//     Twice this number of newest messages are kept verbatim.
//   - pin.criticalTools (strings; default 0 names):
//     Calls of these tools and their results are kept verbatim.
//   - summary.strategy (string; default "regions"):
//     Which messages are summarized.
//     One of ["none" "whole" "tail" "critical" "chunks" "regions"].
//   - summary.shape (string; default ""):
//     The form of one summary of all messages.
//     One of ["" "harness" "s06" "question"].
//   - summary.granularity (string; default "span"):
//     Whether regions consist of blocks or of whole messages.
//     One of ["" "block" "span"].
//   - summary.kind (string; default "coding"):
//     The purpose of the summary.
//     One of ["" "general" "coding" "research" "handoff"].
//   - summary.maxTokens (tokens; default 0):
//     A longer answer is truncated; 0 uses the share.
//   - summary.sharePermille (‰; default 300):
//     The max length of a summary, as a share of the replaced text.
//   - summary.shareExtra (tokens; default 200):
//     Tokens added to the share.
//   - summary.summaryPermille (‰; default 400):
//     A share of the target that all summaries may take: over it, the oldest are condensed; 0 keeps them all.
//   - summary.maxRequests (requests; default 8):
//     The most summaries that one plan requests: neighboring regions are joined, and the rest waits for the next
//     plan; 0 sets no limit.
//   - summary.inputChars (characters; default 0):
//     This number of characters of the messages' JSON is sent; 0 sends all, as text.
//   - summary.inputEnd (string; default ""):
//     Whether the first or the last characters are sent.
//     One of ["" "first" "last"].
//   - summary.chunkMessages (messages; default 0):
//     Messages that share one summary.
//   - summary.mergeAbove (summaries; default 0):
//     More summaries than this are merged by another request.
//   - summary.mergeTokens (tokens; default 2000):
//     A longer answer is truncated. Balanced takes the tokens of one summary.
//   - summary.cutString (characters; default 0):
//     The max length sent of a message that is one string; 0 sends all.
//   - summary.cutText (characters; default 0):
//     The max length sent of a text block; 0 sends all.
//   - summary.cutResult (characters; default 0):
//     The max length sent of a tool result; 0 sends all.
//   - summary.cutInput (characters; default 0):
//     The max length sent of a call's input; 0 sends all.
//   - summary.window (tokens; default 128000):
//     A request that would not fit is split.
type Policy = policy.Policy
