// Package pass holds the passes over a conversation that need no model, one idea a file.
// A pass reads and decides; it changes nothing. What it decides comes back as one Decision for each block that
// it looked at, the blocks left alone included, so that a page can show why.
package pass

import (
	"tamp/core/msg"
	"tamp/core/tokens"
)

// EditKind names what an Edit does.
type EditKind string

const (
	ClearResult  EditKind = "clear_result"  // a tool result's content becomes a placeholder
	ClearInput   EditKind = "clear_input"   // a call's input becomes {}
	DropThinking EditKind = "drop_thinking" // a thinking block goes, whole
)

// Edit is one change to one block that needs no model.
type Edit struct {
	Message int      `json:"message"` // index of the message
	Block   int      `json:"block"`   // index of the block in it
	Kind    EditKind `json:"kind"`
	Text    string   `json:"text,omitempty"` // the placeholder that stands in for the content
	Tool    string   `json:"tool,omitempty"`
	Tokens  int      `json:"tokens"` // of the block today
	After   int      `json:"after"`  // of the block then
	Reason  string   `json:"reason"`
}

// Ref names the block that the edit changes.
func (e *Edit) Ref() msg.Ref { return msg.Ref{Message: e.Message, Block: e.Block} }

// Fate is what becomes of a block.
type Fate string

const (
	Kept    Fate = "kept"    // stays, since no rule speaks of it
	Pinned  Fate = "pinned"  // stays, since a rule protects it
	Cleared Fate = "cleared" // its content becomes a placeholder
	Dropped Fate = "dropped" // goes

	Truncated  Fate = "truncated"  // keeps its head and tail, or only its name
	Summarized Fate = "summarized" // a summary takes its place
)

// Decision is what a pass decided about one block, and why.
type Decision struct {
	Ref    msg.Ref
	Fate   Fate
	Tool   string
	Reason string
	Edit   *Edit // nil where the block stays
}

// Input is what every pass reads. Pairing and token counts are worked out once for all passes.
type Input struct {
	Conversation *msg.Conversation
	Pairing      msg.Pairing
	Meter        tokens.Meter
	Counts       tokens.Counts
	Track        tokens.Track // of the API's usage on the messages, as they came in

	inside []bool // see InsidePairs; nil until it is needed. Edits do not change it: pairs keep their messages.
}

// insidePairs returns InsidePairs of the conversation, computed once.
func (in *Input) insidePairs() []bool {
	if len(in.inside) != len(in.Conversation.Messages)+1 {
		in.inside = InsidePairs(in.Conversation, in.Pairing)
	}
	return in.inside
}

// block returns the block and its tokens.
func (in *Input) block(r msg.Ref) (*msg.Block, int) {
	return in.Conversation.At(r), in.Counts.Messages[r.Message].Blocks[r.Block]
}

// after counts the block as an edit would leave it.
func (in *Input) after(b msg.Block) int { return in.Meter.Block(&b) }
