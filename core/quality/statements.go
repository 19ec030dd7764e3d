package quality

import (
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/summarize"
)

// Statement is a statement of the user that still holds: no later one replaces or revokes it.
type Statement struct {
	Text string `json:"text"` // word for word
	Kind string `json:"kind"` // "rule", "goal", "preference", "fact"
	Turn int    `json:"turn"` // in which it was said last; of an earlier summary: the turn of its message
	Path string `json:"path"` // JSON Pointer of the block of the earlier conversation that has it
	Kept bool   `json:"kept"` // the later conversation has it
}

// kindNames are the names of the kinds of provenance.
var kindNames = [...]string{"rule", "goal", "preference", "fact"}

// Statements returns the statements of the user in before that still hold, in the order in which they were said, and
// whether after has them. A balanced policy pins them. It reads all texts of the user, so it costs more than Compare if
// little was removed.
func Statements(before, after *msg.Conversation) []Statement {
	var said []provenance.Constraint
	var places []Statement // of each of said
	turns := before.Turns()
	for it := before.Walk(); it.Next(); {
		message := &before.Messages[it.Ref.Message]
		if !provenance.MayQuote(message, it.Ref.Block) {
			continue
		}
		found := spoken(message, it.Ref.Block)
		said = append(said, found...)
		for range found {
			places = append(places, Statement{Turn: turns[it.Ref.Message], Path: it.Block.Path})
		}
	}
	facts := newFactList()
	out := []Statement{}
	for i, holds := range summarize.Holding(said) {
		if holds {
			places[i].Text, places[i].Kind = said[i].Text, kindNames[said[i].Kind]
			facts.addFact(Constraints, key(said[i].Text))
			out = append(out, places[i])
		}
	}
	for it := after.Walk(); it.Next(); {
		if it.Block.Kind == msg.KindText {
			facts.markText(it.Block.Text)
		}
	}
	for i := range out {
		out[i].Kept = facts.isKept[facts.places[Constraints][key(out[i].Text)]]
	}
	return out
}

// spoken returns the statements of a text block: those that the user wrote or, in a summary, those that it quotes.
func spoken(m *msg.Message, b int) []provenance.Constraint {
	text := m.Blocks[b].Text
	var found []provenance.Constraint
	if l, _ := marker.Parse(text); l.Form != marker.None {
		return provenance.Constraints(summarize.QuotedStatements(text))
	}
	for _, span := range provenance.Spans(m, b) {
		if span.Author == provenance.User {
			found = append(found, provenance.Constraints(text[span.Start:span.End])...)
		}
	}
	return found
}
