package format

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Thinking and images in Convert.

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
		return rawjson.Value(`{"type":"thinking"}`).With("thinking", rawjson.Quote(b.Text)).With("signature", signature)
	case redacted.Kind() == '"':
		return rawjson.Value(`{"type":"redacted_thinking"}`).With("data", redacted)
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
				all = append(all, rawjson.Value("{}").With("type", rawjson.Quote(v.to.text)).With("text",
					rawjson.Quote(part.Text)))
			}
			continue
		}
		if part.Kind == msg.KindDocument && part.Text != "" {
			v.lose(part.Path, "the document in a tool result", "text")
			all = append(all, rawjson.Value("{}").With("type", rawjson.Quote(v.to.text)).With("text", rawjson.Quote(part.Text)))
			made.Text = strings.TrimPrefix(made.Text+"\n"+part.Text, "\n")
			continue
		}
		image := rawjson.Value(nil)
		if part.Kind == msg.KindImage {
			image = v.resultImage(part)
		}
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

// resultImage returns an image as a part of a tool result, nil if results of the target have none.
func (v *converter) resultImage(b *msg.Block) rawjson.Value {
	switch v.to.name {
	case msg.OpenAIChat:
		return nil
	case msg.AISDK:
		media, data, url := v.imageOf(b)
		if data != "" {
			return rawjson.Value(`{"type":"image-data"}`).With("data", rawjson.Quote(data)).With("mediaType",
				rawjson.Quote(media))
		}
		if url != "" {
			return rawjson.Value(`{"type":"image-url"}`).With("url", rawjson.Quote(url))
		}
		return nil
	}
	return v.image(b)
}

// resultWith returns a result of the target that has the parts.
func (v *converter) resultWith(made, b *msg.Block, all []rawjson.Value) rawjson.Value {
	id, list := rawjson.Quote(made.ID), rawjson.Value("[]").WithElements(all)
	switch v.to.name {
	case msg.OpenAIResponses:
		return rawjson.Value(`{"type":"function_call_output"}`).With("call_id", id).With("output", list)
	case msg.AISDK:
		if made.IsError {
			v.lose(b.Path, "is_error", "dropped") // an output with parts cannot say it
		}
		return rawjson.Value(`{"type":"tool-result"}`).With("toolCallId", id).With("toolName", rawjson.Quote(made.Name)).
			With("output", rawjson.Value(`{"type":"content"}`).With("value", list))
	case msg.Gemini:
		member := "output"
		if made.IsError {
			member = "error"
		}
		response := rawjson.Value("{}").With("id", id).With("name", rawjson.Quote(made.Name)).With("response",
			rawjson.Value("{}").With(member, rawjson.Quote(made.Text))).With("parts", list)
		return rawjson.Value("{}").With("functionResponse", response)
	}
	raw := rawjson.Value(`{"type":"tool_result"}`).With("tool_use_id", id).With("content", list)
	if made.IsError {
		raw = raw.With("is_error", rawjson.Value("true"))
	}
	return raw
}

// imageOf reads an image: its type and base64 data, or its URL.
func (v *converter) imageOf(b *msg.Block) (media, data, url string) {
	media, data, url = imageOf(b.Raw)
	if b.Image != nil && b.Image.Media != "" {
		media = b.Image.Media // some clients say image/jpg, or name each image a PNG
	}
	if media == "" {
		data = "" // every target names the type
	}
	return media, data, url
}

// image returns an image as a part of the target, nil if it has no form there.
func (v *converter) image(b *msg.Block) rawjson.Value {
	media, data, url := v.imageOf(b)
	switch {
	case v.to.name == msg.Gemini && data != "":
		inline := rawjson.Value("{}").With("mimeType", rawjson.Quote(media)).With("data", rawjson.Quote(data))
		return rawjson.Value("{}").With("inlineData", inline)
	case v.to.name == msg.Anthropic && data != "":
		source := rawjson.Value(`{"type":"base64"}`).With("media_type", rawjson.Quote(media)).With("data",
			rawjson.Quote(data))
		return rawjson.Value(`{"type":"image"}`).With("source", source)
	case v.to.images == "" || data == "" && url == "":
		return nil
	case data != "":
		url = "data:" + media + ";base64," + data
	}
	before, after, _ := strings.Cut(v.to.images, "$")
	return append(append(rawjson.Value(before), rawjson.Quote(url)...), after...)
}

// imageOf reads an image of any format: its type and base64 data, or its URL.
func imageOf(raw rawjson.Value) (media, data, url string) {
	for _, place := range [...]rawjson.Value{raw, raw.Member("source"), raw.Member("inlineData"),
		raw.Member("inline_data"), raw.Member("image_url"), raw.Member("data"), raw.Member("image")} {
		for it := place.Walk(); it.Next(); {
			switch it.Name {
			case "media_type", "mimeType", "mime_type", "mediaType", "mime":
				media = it.Value.Text()
			case "data", "image", "image_url", "url":
				if it.Value.Kind() == '"' {
					url = it.Value.Text()
				}
			}
		}
	}
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if kind, inner, ok := strings.Cut(rest, ";base64,"); ok {
			kind, _, _ = strings.Cut(kind, ";")
			return kind, inner, ""
		}
	}
	if strings.Contains(url, ":") { // which base64 has not
		return "", "", url
	}
	return media, url, ""
}
