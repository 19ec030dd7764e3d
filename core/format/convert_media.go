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
			if part.Text == "" {
				continue // which the API refuses
			}
			all = append(all, rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(part.Text)))
			continue
		}
		image := rawjson.Value(nil)
		if part.Kind == msg.KindImage && v.to.name == msg.Anthropic {
			image = v.image(part)
		}
		if image == nil {
			v.lose(part.Path, "the "+string(part.Kind)+" in a tool result", "dropped")
			continue
		}
		images++
		all = append(all, image)
	}
	if images == 0 {
		return
	}
	raw := rawjson.Value(`{"type":"tool_result"}`).With("tool_use_id", rawjson.Quote(made.ID)).With("content",
		rawjson.Value("[]").WithElements(all))
	if made.IsError {
		raw = raw.With("is_error", rawjson.Value("true"))
	}
	made.Raw, made.Path, made.Parts = raw, "/content", b.Parts
}

// image returns an image as a part of the target, nil if it has no form there.
func (v *converter) image(b *msg.Block) rawjson.Value {
	media, data, url := imageOf(b.Raw)
	if b.Image != nil && b.Image.Media != "" {
		media = b.Image.Media // some clients say image/jpg, or name each image a PNG
	}
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
	for _, place := range [...]rawjson.Value{raw.Member("source"), raw.Member("inlineData"), raw.Member("inline_data"),
		raw} {
		if value := place.Member("data"); value.Kind() == '"' {
			for _, name := range [...]string{"media_type", "mimeType", "mime_type", "mediaType"} {
				if kind := place.Member(name); kind.Kind() == '"' {
					media = kind.Text()
				}
			}
			return media, value.Text(), ""
		}
	}
	for _, value := range [...]rawjson.Value{raw.Member("source").Member("url"), raw.Member("image_url").Member("url"),
		raw.Member("image_url"), raw.Member("image"), raw.Member("url")} {
		if value.Kind() == '"' {
			url = value.Text()
		}
	}
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if kind, inner, ok := strings.Cut(rest, ";base64,"); ok {
			return kind, inner, ""
		}
	}
	return "", "", url
}
