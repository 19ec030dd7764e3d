package format

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// pi keeps the signed parts of an answer in members of its own, and sends them again to the model that wrote them. For
// another model they are dropped, as pi does.

// piBlock converts a signed part of a log of pi for the API that it came from; ok is false for every other part.
func (v *converter) piBlock(at msg.Ref, b *msg.Block) (made msg.Block, ok bool) {
	if v.c.Format != msg.Pi || !v.piKeeps(v.c.Messages[at.Message].Raw) {
		return made, false
	}
	made = msg.Block{Kind: b.Kind, Type: b.Type, Text: b.Text, Signed: true}
	signature := b.Raw.Member("thinkingSignature")
	switch {
	case v.to.name == msg.OpenAIResponses:
		made.Raw = v.piItem(at, b)
		made.ID, made.Name = v.ids[at], b.Name
	case b.Kind != msg.KindThinking || signature.Text() == "":
	case b.Raw.Member("redacted").IsTrue():
		made.Raw = fill(`{"type":"redacted_thinking","data":$0}`, signature.Text())
		made.Path = "/content"
	default:
		made.Raw = fill(`{"type":"thinking","thinking":$0,"signature":$1}`, b.Text, signature.Text())
		made.Path = "/content"
	}
	return made, made.Raw != nil
}

// piKeeps reports an answer of the newest model, from the API that the target is the format of.
func (v *converter) piKeeps(answer rawjson.Value) bool {
	api := answer.Member("api").Text()
	if v.to.name == msg.Anthropic && api != "anthropic-messages" || v.to.name != msg.Anthropic &&
		(v.to.name != msg.OpenAIResponses || !strings.HasSuffix(api, "-responses")) {
		return false
	}
	for m := len(v.c.Messages) - 1; m >= 0; m-- {
		if newest := v.c.Messages[m].Raw; v.c.Messages[m].Role == msg.Assistant && newest != nil {
			for _, name := range [...]string{"api", "provider", "model"} {
				if answer.Member(name).Text() != newest.Member(name).Text() {
					return false
				}
			}
			return true
		}
	}
	return false
}

// quoted returns the JSON text in a string, which can have its own halves of surrogate pairs.
func quoted(text rawjson.Value) rawjson.Value { return rawjson.Whole([]byte(text.Text())) }

// piItem returns the item of the Responses API that a part of an answer was, nil if its ids are not known.
func (v *converter) piItem(at msg.Ref, b *msg.Block) rawjson.Value {
	switch b.Kind {
	case msg.KindThinking:
		if item := quoted(b.Raw.Member("thinkingSignature")); msg.Validate(item) == nil && item.Kind() == '{' {
			return item
		}
	case msg.KindText:
		signature := quoted(b.Raw.Member("textSignature")) // {"v":1,"id":…,"phase":…}
		if msg.Validate(signature) != nil || signature.Kind() != '{' || b.Text == "" {
			return nil
		}
		item := fill(`{"type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":$0,`+
			`"annotations":[]}]}`, b.Text).With("id", signature.Member("id"))
		if phase := signature.Member("phase"); phase.Kind() == '"' {
			item = item.With("phase", phase)
		}
		return item
	case msg.KindToolUse:
		if call, id, found := strings.Cut(b.ID, "|"); found && !v.used[call] {
			v.used[call], v.ids[at] = true, call
			return fill(`{"type":"function_call","id":$0,"call_id":$1,"name":$2,"arguments":$3}`, id, call, b.Name, v.input(b))
		}
	}
	return nil
}
