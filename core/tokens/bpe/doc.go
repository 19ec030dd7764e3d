// Package bpe counts tokens exactly, by the byte-pair vocabularies o200k_base and cl100k_base.
//
// Start with Load, which makes a Vocabulary from a packed file (package vocab holds the files), and with its Counter:
//
//	v, err := bpe.Load(file)
//	n := v.Counter().Count("Hello, world")
//
// A text is counted as the published tokenizers encode an ordinary text: the names of special tokens (<|endoftext|>)
// are text like any other, and a byte that is not part of valid UTF-8 counts as U+FFFD. Every count equals that of the
// reference, github.com/pkoukk/tiktoken-go: the tests compare them token by token.
//
// It is not a tokenizer for the input of models, and not a counter for models without a public vocabulary (see package
// tokens).
//
// It is not a part of the API (see package core).
package bpe
