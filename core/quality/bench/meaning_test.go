package bench

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// Meaning: what a compacted context still says of what the agent wrote in the first part of a session, by a sentence
// encoder. This file writes the texts, and meaning/meaning.mjs encodes and compares them (make meaning).

// meaningCase is one session, cut after three fifths of its text and compacted to a fifth of its tokens.
type meaningCase struct {
	Name     string              `json:"name"`
	Said     []string            `json:"said"`     // sentences of the agent, from the first half of the conversation
	Contexts map[string][]string `json:"contexts"` // the sentences of each context
}

const (
	meaningPermille = 600
	meaningBudget   = 200 // permille
	maxSaid         = 40
)

// TestMeaning writes the cases to the file that TAMP_MEANING names.
func TestMeaning(t *testing.T) {
	out := os.Getenv("TAMP_MEANING")
	if out == "" {
		t.Skip("TAMP_MEANING names the file for the texts")
	}
	var cases []meaningCase
	for _, s := range sessions(t) {
		for _, k := range cutsOf(s) {
			if k.permille != meaningPermille || k.short || languageOf(s.c) != "English" {
				continue
			}
			said := saidBefore(k.c)
			if len(said) < maxSaid {
				continue
			}
			after, _, _ := compact(t, k.c, "", withTarget(preset(t), k.tokens*meaningBudget/1000))
			ours := text(after.Messages)
			n := characters(ours)
			cases = append(cases, meaningCase{k.name, evenly(said, maxSaid), map[string][]string{"balanced": prose(ours),
				"cut results": prose(cutResults(&k, n)), "tail": prose(tail(&k, n))}})
		}
	}
	for i := range cases { // the floor: a context of another session
		cases[i].Contexts["another session"] = cases[(i+1)%len(cases)].Contexts["balanced"]
	}
	data, err := json.Marshal(cases)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, data, 0o600))
}

// saidBefore returns the sentences of the agent in the first half of the messages.
func saidBefore(c *msg.Conversation) (said []string) {
	for m := range c.Messages[:len(c.Messages)/2] {
		for b := range c.Messages[m].Blocks {
			if block := &c.Messages[m].Blocks[b]; c.Messages[m].Role == msg.Assistant && block.Kind == msg.KindText {
				said = append(said, prose(block.Text)...)
			}
		}
	}
	return said
}

// prose returns the sentences of a text with at least six words, most of whose characters are letters, each once.
func prose(text string) (sentences []string) {
	seen := map[string]bool{}
	provenance.Sentences(text, func(s string) {
		letters := 0
		for _, r := range s {
			if unicode.IsLetter(r) || r == ' ' {
				letters++
			}
		}
		s = first(s, 300)
		if len(strings.Fields(s)) >= 6 && letters*10 >= characters(s)*8 && !seen[s] {
			seen[s] = true
			sentences = append(sentences, s)
		}
	})
	return sentences
}

// evenly returns n elements of a list, from its begin to its end.
func evenly(list []string, n int) (some []string) {
	for i := range n {
		some = append(some, list[i*len(list)/n])
	}
	return some
}
