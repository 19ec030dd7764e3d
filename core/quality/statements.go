package quality

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/words"
)

// Statement is a sentence that the user typed.
type Statement struct {
	Text string `json:"text"` // word for word
	Turn int    `json:"turn"` // in which it was said last; of an earlier summary: the turn that it names
	Path string `json:"path"` // JSON Pointer of the block of the earlier conversation that has it
	Kept bool   `json:"kept"` // the later conversation has it
}

// Statements returns the sentences that the user typed in before, in the order in which they were said last, and
// whether after has them. It reads all texts of the user, so it costs more than Compare if little was removed.
func Statements(before, after *msg.Conversation) []Statement {
	out := []Statement{}
	turns := before.Turns()
	add := func(text string, turn int, path string) {
		provenance.Sentences(text, func(s string) { out = append(out, Statement{Text: s, Turn: turn, Path: path}) })
	}
	for it := before.Walk(); it.Next(); {
		message := &before.Messages[it.Ref.Message]
		switch l, rest := marker.Parse(it.Block.Text); {
		case !provenance.MayQuote(message, it.Ref.Block):
		case l.Form != marker.None:
			said, _ := words.Cut(rest)
			for i := range said {
				add(said[i].Text, said[i].Turn, it.Block.Path)
			}
		default:
			add(words.Typed(message, it.Ref.Block), turns[it.Ref.Message], it.Block.Path)
		}
	}
	last := map[string]int{}
	for i := range out {
		last[key(out[i].Text)] = i
	}
	facts, n := newFactList(), 0
	for i := range out {
		if k := key(out[i].Text); last[k] == i {
			facts.addFact(Words, k)
			out[n] = out[i]
			n++
		}
	}
	out = out[:n]
	for it := after.Walk(); it.Next(); {
		if it.Block.Kind == msg.KindText {
			facts.markText(it.Block.Text)
		}
	}
	for i := range out {
		out[i].Kept = facts.isKept[i]
	}
	return out
}
