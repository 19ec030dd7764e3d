// Package tokens says how many tokens a text costs a model, without running the model's tokenizer.
//
// Start with Estimate. It is the default counter: no vocabulary, one walk over the text, no allocation, fitted to
// o200k_base so that it is a little too high rather than too low (an estimate that is too low makes a request that
// does not fit). Chars4, Chars3 and CJK are the classic rules of published compaction designs; they are here because
// those designs state their thresholds in them, not because they are good: on a lock file or on Chinese prose chars/4
// is a third too low.
//
// A Meter counts conversations: the count of every text times what the model's family makes of it (ProfileFor), and what the model adds
// around texts. Count says how sure that is, and what the API's own usage says where the conversation carries it (Measure, Track).
//
// What it is not: an exact byte-pair counter, which is package bpe.
//
// The weights of Estimate are written by the program in ./fit (make fit), never by hand. The multipliers of the families are what the
// program in ./fit/profiles prints; prices, windows and minimums are the vendors'.
package tokens
