package validity

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// picturePaths are the members that have the data of an image, or its address, in the formats.
var picturePaths = [...][2]string{{"source", "data"}, {"inlineData", "data"}, {"inline_data", "data"},
	{"image_url", "url"}, {"image_url"}, {"imageUrl", "url"}, {"image", "data"}, {"image"}, {"data", "data"},
	{"data", "url"}, {"data"}, {"result"}, {"url"}}

// pictureData returns the data of an image, with its path; nil if it is an address or elsewhere.
func pictureData(raw rawjson.Value) (value rawjson.Value, path [2]string) {
	for _, path := range picturePaths {
		value := raw.Member(path[0])
		if path[1] != "" {
			value = value.Member(path[1])
		}
		if value.Kind() == '"' {
			return value, path
		}
	}
	return nil, path
}

// checkPictures reports images whose data is no image, in every format: a provider refuses each later request with one.
// Data that is only written in another way is repaired, for any other a text says that an image was there.
func checkPictures(ck *checker) {
	for it := ck.c.Walk(); it.Next(); {
		ref := it.Ref
		if ck.edit.removed[ref] {
			continue
		}
		made, changed := ck.block(ref), false
		if raw, text := checkPicture(ck, ref, it.Block, made.Raw); text != "" {
			made, changed = msg.TextBlock(text), true
		} else if raw != nil {
			made.Raw, made.Image, changed = raw, sound(made.Image), true
		} else if it.Block.Changed&msg.ChangedText == 0 {
			changed = partsWithPictures(ck, ref, it.Block, &made)
		}
		if changed {
			ck.edit.replaceBlock(ref, made)
		}
	}
}

// partsWithPictures repairs the images of a result, and reports whether it changed.
func partsWithPictures(ck *checker, ref msg.Ref, was, made *msg.Block) (changed bool) {
	var lost []string
	made.Parts = slices.Clone(made.Parts)
	isSame := len(made.Parts) == len(was.Parts) // else a repair removed a part
	for p := range was.Parts {
		part := &was.Parts[p]
		raw, text := checkPicture(ck, ref, part, part.Raw)
		switch {
		case text != "":
			if lost = append(lost, text); isSame {
				made.Parts[p] = msg.TextBlock(text)
			}
		case raw != nil:
			made.Raw, changed = bytes.Replace(made.Raw, part.Raw, raw, 1), true
			if isSame {
				made.Parts[p].Raw, made.Parts[p].Image = raw, sound(part.Image)
			}
		}
	}
	if len(lost) == 0 {
		return changed
	}
	list := made.Raw.Member("content")
	if ck.c.Format == msg.Anthropic || ck.c.Format == msg.ClaudeCode || ck.c.Format == msg.Cline {
		var kept []rawjson.Value
		for p, raw := range list.List() {
			if p < len(was.Parts) && isLost(&was.Parts[p]) {
				raw = rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(marker.LostImage))
			}
			kept = append(kept, raw)
		}
		made.Raw = made.Raw.With("content", list.WithElements(kept))
		return true
	}
	*made = made.WithText(strings.TrimSpace(made.Text + "\n" + strings.Join(lost, "\n")))
	return true
}

// sound returns an image whose flaw was repaired.
func sound(image *msg.Image) *msg.Image {
	made := *image
	made.Flaw, made.Repaired = "", ""
	return &made
}

// isLost reports an image whose data cannot be repaired.
func isLost(b *msg.Block) bool {
	if b.Kind != msg.KindImage || b.Image == nil || b.Image.Flaw == "" || b.Image.Repaired != "" {
		return false
	}
	value, _ := pictureData(b.Raw)
	return value != nil && !(b.Image.Flaw == msg.NoImage && isOtherType(b.Raw))
}

// checkPicture checks a block or a part of a result, and returns its repaired JSON, or the text that takes its place.
func checkPicture(ck *checker, at msg.Ref, b *msg.Block, raw rawjson.Value) (made rawjson.Value, text string) {
	if b.Kind != msg.KindImage || b.Image == nil || b.Image.Flaw == "" || len(b.Raw) == 0 {
		return nil, ""
	}
	value, path := pictureData(b.Raw)
	if value == nil || b.Image.Flaw == msg.NoImage && isOtherType(b.Raw) {
		return nil, ""
	}
	message := "The data of an image " + b.Image.Flaw + "."
	if repaired := b.Image.Repaired; repaired != "" {
		setPath(b, ck.report(J2Image, at, message, "its base64 is written without that"))
		if start, _, ok := strings.Cut(value.Text(), ","); ok && strings.HasPrefix(start, "data:") &&
			cmp.Or(path[1], path[0]) != "data" {
			repaired = start + "," + repaired
		}
		if path[1] == "" {
			return raw.With(path[0], rawjson.Quote(repaired)), ""
		}
		return raw.With(path[0], raw.Member(path[0]).With(path[1], rawjson.Quote(repaired))), ""
	}
	if ck.c.At(at).Type == "computer_call_output" {
		setPath(b, ck.reportUnrepaired(J2Image, at, message, "this output has to be an image"))
		return nil, ""
	}
	setPath(b, ck.report(J2Image, at, message, "a text says that an image was there"))
	return nil, marker.LostImage
}

// isOtherType reports an image of a type whose data Tamp does not read, such as image/heic, or of none.
func isOtherType(raw rawjson.Value) bool {
	text := strings.ToLower(string(raw[:min(len(raw), 1<<12)]))
	for _, known := range [...]string{"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"} {
		if strings.Contains(text, known) {
			return false
		}
	}
	return true
}
