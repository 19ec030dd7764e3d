package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"strings"
)

// Thinking comes signed, and goes back unmodified. A signature of the fake says three things: the digest of its thinking, that of
// the thinking before it, and that of everything else before it. All models hold the first against what comes back;
// the newest hold all three.

// binding lists the models whose thinking is bound to what is before it.
var binding = [...]string{"claude-fable-5-1", "claude-fable-5-2", "claude-mythos-5-1", "claude-mythos-5-2", "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"}

func binds(model string) bool {
	for _, prefix := range binding {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}

// walk goes through a request in the order in which the provider reads it: tools, system, messages. It keeps two digests of what it
// has passed, one without thinking, and the size in bytes.
type walk struct {
	all, bound hash.Hash
	size       int
	last       string // digest of the last thinking
}

func newWalk() *walk { return &walk{all: sha256.New(), bound: sha256.New()} }

// pass goes over one block, or one tool. Where cache_control stands makes no difference, nor does the layout of the JSON.
func (w *walk) pass(role, kind string, raw json.RawMessage) {
	text := append(append([]byte(role), ' '), plain(raw)...)
	w.size += len(text)
	w.all.Write(text)
	if kind == "thinking" || kind == "redacted_thinking" {
		w.last = short(text)
		return
	}
	w.bound.Write(text)
}

func (w *walk) sign(thinking string) string {
	return "fake." + short([]byte(thinking)) + "." + w.last + "." + hex.EncodeToString(w.bound.Sum(nil)[:8])
}

// each calls visit for every block before it is passed; b is nil for a tool. It returns what the whole request comes to.
func (in *input) each(visit func(w *walk, b *placed)) *walk {
	w := newWalk()
	var tools []json.RawMessage
	_ = json.Unmarshal(in.fields["tools"], &tools)
	for _, t := range tools {
		visit(w, nil)
		w.pass("tools", "", t)
	}
	system, _ := blocksOf(in.System)
	runs, _ := in.runs()
	all := []run{{role: "above"}} // the system prompt
	for i := range system {
		all[0].blocks = append(all[0].blocks, placed{system[i], "system"})
	}
	for _, r := range append(all, runs...) {
		for i := range r.blocks {
			visit(w, &r.blocks[i])
			w.pass(r.role, r.blocks[i].Type, r.blocks[i].raw)
		}
	}
	return w
}

func (in *input) badThinking() []string {
	var problems []string
	if in.Thinking.Type == "enabled" {
		if in.Thinking.Budget < 1024 || in.MaxTokens != nil && in.Thinking.Budget >= *in.MaxTokens {
			problems = append(problems, "thinking.enabled.budget_tokens: must be at least 1024, and `max_tokens` must be greater than it")
		}
	}
	in.each(func(w *walk, b *placed) {
		if b == nil || b.Type != "thinking" {
			return
		}
		parts := strings.Split(b.Signature, ".")
		switch {
		case len(parts) != 4 || parts[1] != short([]byte(b.Thinking)):
			problems = append(problems, b.at+": Invalid `signature` in `thinking` block")
		case !binds(in.Model):
		case parts[3] != hex.EncodeToString(w.bound.Sum(nil)[:8]):
			problems = append(problems, b.at+": Invalid `signature` in `thinking` block. The block is bound to a different conversation.")
		case w.last != "" && parts[2] != w.last:
			problems = append(problems, b.at+": Invalid `signature` in `thinking` block. Thinking was taken out of the middle before it.")
		}
	})
	return problems
}

// changedThinking reports an open tool round that came back without the thinking that it was sent with. sent has the signature of
// the thinking that came with each call.
func (in *input) changedThinking(sent map[string]string) []string {
	runs, _ := in.runs()
	for i := len(runs) - 1; i >= 0; i-- {
		if runs[i].role != "assistant" {
			continue
		}
		there := map[string]bool{}
		for _, b := range runs[i].blocks {
			there[b.Signature] = true
		}
		for _, b := range runs[i].blocks {
			if signature := sent[b.ID]; b.Type == "tool_use" && signature != "" && !there[signature] {
				return []string{b.at + ": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. " +
					"These blocks must remain as they were in the original response."}
			}
		}
		break
	}
	return nil
}

// plain is a value without any cache_control of its own or of its parts, its members in order.
func plain(raw json.RawMessage) []byte {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return raw
	}
	if m, ok := value.(object); ok {
		delete(m, "cache_control")
		parts, _ := m["content"].([]any)
		for _, part := range parts {
			if p, ok := part.(object); ok {
				delete(p, "cache_control")
			}
		}
	}
	return marshal(value)
}

func short(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
