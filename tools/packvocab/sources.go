package main

import (
	"fmt"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

// fromLoader returns the tokens of a published vocabulary by rank.
func fromLoader(name string) ([]string, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
	if err != nil {
		return nil, err
	}
	tokens := make([]string, len(ranks))
	for token, rank := range ranks {
		if rank >= len(tokens) || tokens[rank] != "" {
			return nil, fmt.Errorf("cannot pack %s: its ranks have gaps", name)
		}
		tokens[rank] = token
	}
	return tokens, nil
}
