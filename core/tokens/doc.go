// Package tokens says how many tokens a text costs a model, without running the model's tokenizer.
//
// Start with Estimate. It is the default counter: no vocabulary, one walk over the text, no allocation, fitted to
// o200k_base so that it is a little too high rather than too low (an estimate that is too low makes a request that
// does not fit). Chars4, Chars3 and CJK are the classic rules of published compaction designs; they are here because
// those designs state their thresholds in them, not because they are good: on a lock file or on Chinese prose chars/4
// is a third too low.
//
// What it is not: an exact byte-pair counter, which is package bpe.
//
// The weights of Estimate are written by the program in ./fit (make fit), never by hand.
package tokens
