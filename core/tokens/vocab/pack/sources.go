package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

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

// fromNpm reads the file of @anthropic-ai/tokenizer: "!" and the first rank, then the tokens in base64. The ranks below
// the first are special tokens, which no ordinary text has.
func fromNpm(path string) (tokens []string, first int, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("cannot pack claude: %w (run npm ci in web first)", err)
	}
	var file struct {
		Ranks   string `json:"bpe_ranks"`
		Pattern string `json:"pat_str"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, 0, err
	}
	const pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	if file.Pattern != pattern {
		return nil, 0, fmt.Errorf("cannot pack claude: its pattern is now %s", file.Pattern)
	}
	fields := strings.Fields(file.Ranks)
	if len(fields) < 3 || fields[0] != "!" {
		return nil, 0, fmt.Errorf("cannot pack claude: its ranks are written another way now")
	}
	if first, err = strconv.Atoi(fields[1]); err != nil {
		return nil, 0, err
	}
	for _, field := range fields[2:] {
		token, err := base64.StdEncoding.DecodeString(field)
		if err != nil {
			return nil, 0, err
		}
		tokens = append(tokens, string(token))
	}
	return tokens, first, nil
}
