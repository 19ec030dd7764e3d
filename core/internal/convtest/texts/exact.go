package texts

import (
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

const encoding = "o200k_base"

// Token is an entry of the public vocabulary; a lower rank is a more common token.
type Token struct {
	Text string
	Rank int
}

var load = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	return tiktoken.GetEncoding(encoding)
})

// Vocabulary returns the tokens of o200k_base by rank.
func Vocabulary() ([]Token, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(encoding + ".tiktoken")
	if err != nil {
		return nil, err
	}
	list := make([]Token, len(ranks))
	for text, rank := range ranks {
		list[rank] = Token{text, rank}
	}
	return list, nil
}

// Exact counts the tokens of valid UTF-8 by o200k_base.
func Exact(text string) (int, error) {
	enc, err := load()
	if err != nil {
		return 0, err
	}
	return len(enc.EncodeOrdinary(text)), nil
}

// Starts returns the byte at which each token of the text begins.
func Starts(text string) ([]int, error) {
	enc, err := load()
	if err != nil {
		return nil, err
	}
	ids := enc.EncodeOrdinary(text)
	starts := make([]int, len(ids))
	at := 0
	for i, id := range ids {
		starts[i] = at
		at += len(enc.Decode([]int{id}))
	}
	return starts, nil
}
