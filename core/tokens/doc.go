// Package tokens estimates how many tokens a text costs a model, without running the model's tokenizer.
//
// Start with Estimate. It is the default counter: no vocabulary, one walk over the text, no allocation, fitted to
// o200k_base so that it is a little too high rather than too low (an estimate that is too low makes a request that does
// not fit). Chars4, Chars3 and CJK are the classic rules of published compaction designs; they exist because those
// designs state their thresholds in them, not because they are good: on a lock file or on Chinese prose chars/4 is a
// third too low.
//
// A Meter counts conversations: the count of every text times the multiplier of the model's family (models.ProfileFor),
// plus the tokens that the model adds around texts. Count adds an interval and, if the messages have the API's own
// usage, a correction by it (Measure, Track).
//
// It is not an exact byte-pair counter: see package bpe.
//
// The weights of Estimate are written by the program in tools/fit (make fit), never by hand. The multipliers of
// the families come from the output of the program in tools/fit/profiles; package models has them, with prices,
// windows and minimums.
//
// It is not a part of the API (see package core).
package tokens
