package validity

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/models"
	"tamp/core/msg"
)

// The rules of the Gemini API. The codec has responses in user messages, so the rules on pairs are those of
// check_anthropic_pairs.go under other ids. Neighbors of one role are legal, as recorded requests show, except around a
// turn that calls functions.

// checkContents checks each content for itself.
func checkContents(ck *checker) {
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		switch message.Raw.Member("role").Text() {
		case "", "user", "model", "function":
		default:
			ck.reportUnrepaired(G1Order, messageRef(m), "The role "+short(string(message.Role))+
				" is none that the API knows: it takes user and model.", unknownRole).ProviderError = errGeminiRole
			continue
		}
		if len(message.Blocks) == 0 {
			ck.drop(G4Empty, messageRef(m), "The content has no parts.", "the content is removed")
			continue
		}
		if m == 0 && message.Role == msg.Assistant {
			ck.report(G1Order, messageRef(0), "The first content is the model's, it must be the user's.",
				"a user content saying "+marker.RepairOpening+" is put before it")
			ck.edit.insertMessage(0, msg.TextMessage(msg.User, marker.RepairOpening))
		}
		for b := range message.Blocks {
			switch block, ref := &message.Blocks[b], (msg.Ref{Message: m, Block: b}); {
			case block.Kind == msg.KindToolUse && message.Role != msg.Assistant:
				ck.drop(G1Order, ref, "The call "+callName(block)+
					" is in a user content, only the model calls functions.", "the call is removed")
			case block.Kind == msg.KindOther && block.Type == "" && block.Raw.Kind() == '{':
				ck.report(G4Empty, ref, "The part has no data.", "the part is removed").ProviderError =
					filled(errNoData, strconv.Itoa(m), strconv.Itoa(b))
				ck.edit.remove(ref)
			}
		}
	}
}

// checkCallTurns reports turns with calls that are several contents. They become one content, after the repairs of
// single parts.
func checkCallTurns(ck *checker) {
	for _, r := range ck.rounds {
		start := r.end - 1
		for start > 0 && ck.c.Messages[start-1].Role == msg.Assistant {
			start--
		}
		for m := start + 1; m < r.end; m++ {
			ck.report(G1Order, messageRef(m), "The model's turn calls functions, and is more than one content.",
				"the parts of the content are moved to the end of the content before it")
			for b := range ck.c.Messages[m].Blocks {
				ref := msg.Ref{Message: m, Block: b}
				if !ck.edit.removed[ref] {
					ck.edit.insert(msg.Ref{Message: start, Block: len(ck.c.Messages[start].Blocks)}, []msg.Block{ck.block(ref)})
				}
			}
			ck.edit.removeMessage(&ck.c.Messages[m], m)
		}
	}
}

// checkSignatures checks the current turn, which begins with the last content that has more than responses.
func checkSignatures(ck *checker) {
	start, signed := 0, false
	for it := ck.c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		if ck.c.Messages[ref.Message].Role == msg.User && block.Kind != msg.KindToolResult {
			start = ref.Message
		}
		signed = signed || block.Kind == msg.KindToolUse && hasSignature(block)
	}
	required := models.RequiresSignature(ck.c.Model)
	if !required && (ck.c.Model != "" || !signed) {
		return
	}
	for m := start; m < len(ck.c.Messages); m++ {
		for b := range ck.c.Messages[m].Blocks {
			block, ref := &ck.c.Messages[m].Blocks[b], msg.Ref{Message: m, Block: b}
			if block.Kind != msg.KindToolUse || ck.c.Messages[m].Role != msg.Assistant {
				continue
			}
			switch {
			case hasSignature(block):
			case required:
				ck.report(G3Signature, ref, "The call "+callName(block)+
					" is the first one of its step and has no thoughtSignature.",
					"it gets the signature that the API does not validate")
				ck.edit.replaceBlock(ref, ck.block(ref).WithoutSignature())
			default:
				ck.addProblem(G3Signature, SeverityWarning, ref, "The call "+callName(block)+
					" is the first one of its step and has no thoughtSignature, which Gemini 3 requires.",
					"").Reason = "the model is not known"
			}
			break
		}
	}
}

// hasSignature reports whether a call has a thoughtSignature.
func hasSignature(b *msg.Block) bool {
	if b.Changed&msg.ChangedSignature != 0 {
		return true
	}
	for _, name := range [...]string{"thoughtSignature", "thought_signature"} {
		if b.Raw.Member(name).Text() != "" {
			return true
		}
	}
	return false
}
