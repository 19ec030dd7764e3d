// Command profiles fits the numbers of the Claude profiles in core/models/families.go to real sessions, and prints how
// well they fit: the tokens that a call or a result adds to its text, and for each counter the multiplier of its
// counts.
//
//	make fit     # runs it after the program fit; it writes nothing
//
// The frame has the minimum sum of absolute errors over all steps, so that steps with text that the log does not show
// (reminders, unsent calls) do not decide it. The multiplier makes the totals equal, and 2 % more. Each half of the
// sessions is also fitted alone, and the table shows its error on the other half. The sessions are read from
// TAMP_CORPUS (default ../shared/data).
package main

import (
	"fmt"
	"os"

	"tamp/core/internal/convtest/sessions"
	"tamp/core/internal/convtest/texts"
	"tamp/core/models"
	"tamp/core/tokens"
	"tamp/core/tokens/vocab"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "profiles:", err)
		os.Exit(1)
	}
}

// perMessage is not fitted: every step has two messages and one pair, so the two frames cannot be separated.
const perMessage = 3

// sample is a step: tokens ≈ frame × pieces + multiplier × text.
type sample struct {
	session                  *sessions.Session
	tokens, messages, pieces float64
	text                     []float64 // by counter
}

func run() error {
	list, err := sessions.Read(texts.CorpusDir("."))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("no sessions at %s: set TAMP_CORPUS", texts.CorpusDir("."))
	}
	counters := []tokens.Counter{tokens.Estimate, tokens.Chars4, tokens.Chars3, tokens.CJK}
	for _, name := range vocab.Names() {
		v, err := vocab.Load(name)
		if err != nil {
			return err
		}
		counters = append(counters, v.Counter())
	}
	var samples []sample
	for i := range list {
		s := &list[i]
		if s.Conversation.Model != "" && models.ProfileFor(s.Conversation.Model, "").Family != "claude-before-4.7" {
			continue // another tokenizer
		}
		for _, step := range s.Steps {
			if step.Media {
				continue
			}
			x := sample{session: s, tokens: float64(step.Tokens), pieces: float64(s.Pieces(step)),
				messages: float64(step.Messages.Len())}
			for _, c := range counters {
				x.text = append(x.text, float64(s.Count(tokens.Meter{Counter: c}, step)))
			}
			samples = append(samples, x)
		}
	}
	halves := map[string]func(sample) bool{
		"first half":  func(x sample) bool { return !x.session.Held },
		"second half": func(x sample) bool { return x.session.Held },
		"all":         func(sample) bool { return true },
	}
	exact := 4 // o200k_base, the first vocabulary
	for _, name := range []string{"first half", "second half", "all"} {
		frame := fitFrame(pick(samples, halves[name]), exact)
		fmt.Printf("fitted to %s: %.0f tokens a call or result, by %s\n", name, frame, counters[exact].Name())
		for i, c := range counters {
			if i >= 1 && i <= 3 {
				continue // the classic rules are never multiplied
			}
			m := fitMultiplier(pick(samples, halves[name]), i, frame)
			fmt.Printf("  %-12s × %.3f  off", c.Name(), m)
			for _, on := range []string{"first half", "second half", "all"} {
				fmt.Printf("  %+5.1f %% on %s", 100*off(pick(samples, halves[on]), i, frame, m), on)
			}
			fmt.Println()
		}
	}
	for _, c := range counters {
		printErrors(list, c)
	}
	return nil
}

func pick(samples []sample, want func(sample) bool) []sample {
	var list []sample
	for _, x := range samples {
		if want(x) {
			list = append(list, x)
		}
	}
	return list
}
