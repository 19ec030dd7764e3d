package plan

import (
	"strconv"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Who drops thinking that is bound to changed text.
const (
	ByTamp     = "the provider would refuse them"
	byProvider = "the provider does not show them to the model"
)

// DropBound returns the edit that drops a thinking block because the block first changes. tokens is the size of the
// thinking.
func DropBound(ref, first msg.Ref, tokens int) *pass.Edit {
	return &pass.Edit{Message: ref.Message, Block: ref.Block, Kind: pass.DropThinking, Tokens: tokens,
		Reason: "bound to message " + strconv.Itoa(first.Message) + ", which changes"}
}

// ThinkingDropped reports that thinking blocks are dropped because the message at path changes. tokens is their sum.
func ThinkingDropped(path, why string, blocks, tokens int) Action {
	return Action{Kind: "thinking_dropped", Path: path, Before: tokens,
		Reason: strconv.Itoa(blocks) + " later thinking blocks are bound to the changed text; " + why}
}

// OpenReason is the reason of a block that is kept because of bound thinking.
const OpenReason = "the open tool round holds thinking that is bound to it"
