// Package sessions reads the real sessions of the corpus whose provider recorded the tokens of each prompt, as steps
// from one prompt to the next. The growth of the prompt is the provider's own count of the messages between; the system
// prompt and the tools, which most logs do not have, cancel out. The profiles of package tokens are fitted to these
// steps (command profiles) and tested on them (a test of package tokens).
//
// It is not a part of the API (see package core).
package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Session is one real session.
type Session struct {
	Name         string
	Held         bool              // not fitted to
	Conversation *msg.Conversation // with the usage on its messages
	Steps        []Step
}

// Step leads from one prompt to the next.
type Step struct {
	Messages msg.Span // in the second prompt and not in the first
	Tokens   int      // growth of the prompt, by the provider
	Media    bool     // images or documents among them
}

// point is an entry of the corpus: Messages[Index] is the answer to all messages before it, with Prompt tokens.
type point struct {
	Index  int `json:"index"`
	Prompt int `json:"prompt_tokens"`
}

// Read reads the sessions below dir in the order of their names; every second one is held out. It returns no sessions
// if dir is absent. Steps on which the prompt shrank are left out: the provider or the agent removed messages.
func Read(dir string) ([]Session, error) {
	files, err := filepath.Glob(filepath.Join(dir, "usage", "anthropic--*.json"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	var list []Session
	for i, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "anthropic--"), ".json")
		var points []point
		if raw, err := os.ReadFile(file); err != nil {
			return nil, err
		} else if err := json.Unmarshal(raw, &points); err != nil {
			return nil, err
		}
		c, err := parse(filepath.Join(dir, "anthropic", name+".json"))
		if err != nil {
			return nil, err
		}
		if c.Model == "" { // the request has no model; the log that it was made from has it, if present
			if log, err := parse(filepath.Join(dir, "claude-code", name+".jsonl")); err == nil {
				c.Model = log.Model
			}
		}
		list = append(list, Session{Name: name, Held: i%2 == 1, Conversation: c, Steps: steps(c, points)})
	}
	return list, nil
}

func parse(file string) (*msg.Conversation, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return format.Parse(raw, "")
}

func steps(c *msg.Conversation, points []point) []Step {
	var list []Step
	for _, p := range points {
		c.Messages[p.Index].Usage = &msg.Usage{Input: p.Prompt}
	}
	for k := 1; k < len(points); k++ {
		was, is := points[k-1], points[k]
		if is.Prompt < was.Prompt {
			continue
		}
		step := Step{Messages: msg.Span{Start: was.Index, End: is.Index}, Tokens: is.Prompt - was.Prompt}
		for _, block := range c.BlocksIn(msg.Span{Start: was.Index, End: is.Index}) {
			step.Media = step.Media || block.Kind == msg.KindImage || block.Kind == msg.KindDocument || block.HasMedia()
		}
		list = append(list, step)
	}
	return list
}

// Count returns the tokens of the messages of a step, counted by m.
func (s *Session) Count(m tokens.Meter, step Step) int {
	total := 0
	for i := step.Messages.Start; i < step.Messages.End; i++ {
		total += m.Message(&s.Conversation.Messages[i])
	}
	return total
}

// Pieces counts the calls and results of a step.
func (s *Session) Pieces(step Step) int {
	n := 0
	for _, block := range s.Conversation.BlocksIn(step.Messages) {
		if k := block.Kind; k == msg.KindToolUse || k == msg.KindToolResult {
			n++
		}
	}
	return n
}
