// Package pass holds the passes over a conversation that need no model, one idea a file. A pass changes nothing. It
// returns one Decision for each block that it examined, including blocks that stay, so that a page can show the reason.
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
	DropThinking EditKind = "drop_thinking" // a whole thinking block is removed
	Drop         EditKind = "drop"          // a block is removed, as the host chose
)

// Removes reports whether an edit of the kind leaves nothing of its block.
func (k EditKind) Removes() bool { return k == DropThinking || k == Drop }

// Edit is one change to one block that needs no model.
type Edit struct {
	Message int      `json:"message"` // index of the message
	Block   int      `json:"block"`   // index of the block in it
	Kind    EditKind `json:"kind"`
	Text    string   `json:"text,omitempty"` // the placeholder that replaces the content
	Tool    string   `json:"tool,omitempty"`
	Tokens  int      `json:"tokens"` // of the block before the edit
	After   int      `json:"after"`  // of the block after the edit
	Reason  string   `json:"reason"`
}

// Ref names the block that the edit changes.
func (e *Edit) Ref() msg.Ref { return msg.Ref{Message: e.Message, Block: e.Block} }

// Fate says what happens to a block.
type Fate string

const (
	Kept    Fate = "kept"    // stays, since no rule covers it
	Pinned  Fate = "pinned"  // stays, since a rule protects it
	Cleared Fate = "cleared" // its content becomes a placeholder
	Dropped Fate = "dropped" // is removed

	Truncated  Fate = "truncated"  // cut to its head and tail, or replaced by its name
	Summarized Fate = "summarized" // is replaced by a summary
)

// Decision is what a pass decided about one block, and why.
type Decision struct {
	Ref    msg.Ref
	Fate   Fate
	Tool   string
	Reason string
	Edit   *Edit // nil if the block stays
}

// Input is the input of all passes. Pairing and token counts are computed once.
type Input struct {
	Conversation *msg.Conversation
	Pairing      msg.Pairing
	Meter        tokens.Meter
	Counts       tokens.Counts
	Track        tokens.Track // the API's usage of the input messages

	Blocks *Blocks // the facts read from their texts; nil keeps nothing
	Kept   []bool  // of messages: the host keeps a block of it; nil if it keeps none

	// see InsidePairs; nil until it is needed. Edits do not change it, since they keep pairs in their messages.
	inside []bool
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

// after returns the tokens of b, a block after an edit.
func (in *Input) after(b msg.Block) int { return in.Meter.Block(&b) }
