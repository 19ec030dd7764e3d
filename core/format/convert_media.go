package format

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Thinking and tool results with images in Convert.

// thinking returns signed thinking of Anthropic as a block of Anthropic's API, nil for any other thinking. The history
// of a client that uses several providers names the provider next to the signature.
func (v *converter) thinking(b *msg.Block) rawjson.Value {
	if v.to.name != msg.Anthropic || !b.Signed {
		return nil
	}
	var signature, redacted rawjson.Value
	if v.c.Format == msg.OpenCode || v.c.Format == msg.AISDKUI {
		for _, name := range [...]string{"metadata", "providerMetadata"} {
			if own := b.Raw.Member(name).Member("anthropic"); own != nil {
				signature, redacted = own.Member("signature"), own.Member("redactedData")
			}
		}
	}
	switch {
	case signature.Kind() == '"':
		return fill(`{"type":"thinking","thinking":$0,"signature":$1}`, b.Text, signature.Text())
	case redacted.Kind() == '"':
		return fill(`{"type":"redacted_thinking","data":$0}`, redacted.Text())
	}
	return nil
}

// media puts the images of a result into the new one, if the target has them in results, and reports the other parts
// that are not text.
func (v *converter) media(made, b *msg.Block) {
	var all []rawjson.Value
	images := 0
	for p := range b.Parts {
		part := &b.Parts[p]
		if part.Kind == msg.KindText {
			if part.Text != "" { // an empty one is refused
				all = append(all, v.textPart(part.Text))
			}
			continue
		}
		if part.Kind == msg.KindDocument && part.Text != "" && !isFile(part) {
			v.lose(part.Path, "the document in a tool result", "text")
			all = append(all, v.textPart(part.Text))
			made.Text = strings.TrimPrefix(made.Text+"\n"+part.Text, "\n")
			continue
		}
		image := v.mediaPart(part, false, true)
		if image == nil {
			v.lose(part.Path, "the "+string(part.Kind)+" in a tool result", "dropped")
			continue
		}
		if images++; v.to.name == msg.Gemini {
			all = all[:images-1] // the text is in the response
		}
		all = append(all, image)
	}
	if images > 0 {
		made.Raw, made.Path, made.Parts = v.resultWith(made, b, all), "/content", b.Parts
	}
}

// resultWith returns a result of the target that has the parts.
func (v *converter) resultWith(made, b *msg.Block, all []rawjson.Value) rawjson.Value {
	list := rawjson.Value("[]").WithElements(all)
	switch v.to.name {
	case msg.OpenAIResponses:
		return fill(`{"type":"function_call_output","call_id":$0}`, made.ID).With("output", list)
	case msg.AISDK:
		if made.IsError {
			v.lose(b.Path, "is_error", "dropped") // an output with parts cannot say it
		}
		return fill(`{"type":"tool-result","toolCallId":$0,"toolName":$1}`, made.ID, made.Name).With("output",
			rawjson.Value(`{"type":"content"}`).With("value", list))
	case msg.Gemini:
		member := "output"
		if made.IsError {
			member = "error"
		}
		response := fill(`{"id":$0,"name":$1,"response":{$2:$3}}`, made.ID, made.Name, member, made.Text).With("parts", list)
		return rawjson.Value("{}").With("functionResponse", response)
	}
	raw := fill(`{"type":"tool_result","tool_use_id":$0}`, made.ID).With("content", list)
	if made.IsError {
		raw = raw.With("is_error", rawjson.Value("true"))
	}
	return raw
}

// fill returns the JSON of a template, with the strings in place of $0, $1 …
func fill(template string, values ...string) (made rawjson.Value) {
	for {
		before, rest, more := strings.Cut(template, "$")
		if made = append(made, before...); !more {
			return made
		}
		made = append(made, rawjson.Quote(values[rest[0]-'0'])...)
		template = rest[1:]
	}
}

// textPart returns a text as a part of the target.
func (v *converter) textPart(text string) rawjson.Value {
	return fill(`{"type":$0,"text":$1}`, v.to.text, text)
}
