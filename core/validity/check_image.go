package validity

import (
	"slices"
	"strconv"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// checkImages reports images of a type that the Messages API does not take, and types that are not those of the data,
// also in tool results. If the data begins as an image that the API takes, Repair writes its type.
func (ck *checker) checkImages() {
	for it := ck.c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		at := "messages." + strconv.Itoa(ref.Message) + ".content." + strconv.Itoa(ref.Block)
		made, changed := ck.block(ref), false
		if raw := ck.checkImage(ref, block, at+".image"); raw != nil {
			made.Raw, changed = raw, true
		}
		for p := range block.Parts {
			raw := ck.checkImage(ref, &block.Parts[p], at+".tool_result.content."+strconv.Itoa(p)+".image")
			if raw == nil {
				continue
			}
			if !changed {
				made.Parts, changed = slices.Clone(block.Parts), true
			}
			list := made.Raw.Member("content")
			parts := list.List()
			parts[p], made.Parts[p].Raw = raw, raw
			made.Raw = made.Raw.With("content", list.WithElements(parts))
		}
		if changed {
			ck.edit.put(ref, made)
		}
	}
}

// checkImage checks one image, and returns its block with the type of its data if that is another one.
func (ck *checker) checkImage(at msg.Ref, b *msg.Block, member string) rawjson.Value {
	source := b.Raw.Member("source")
	kind := source.Member("media_type").Text()
	if b.Kind != msg.KindImage || source.Member("type").Text() != "base64" || b.Image == nil {
		return nil
	}
	known := kind == "image/jpeg" || kind == "image/png" || kind == "image/gif" || kind == "image/webp"
	seen := b.Image.Media
	if known && (seen == kind || seen == "") {
		return nil
	}
	p := ck.reportUnrepaired(A13MediaType, at, "The media type of an image is "+strconv.Quote(short(kind))+
		", it must be image/jpeg, image/png, image/gif or image/webp.", "the image has to be converted", member)
	if b.Path != "" {
		p.Path = b.Path
	}
	if known {
		p.Message = "The media type of an image is " + kind + ", its data is " + seen + "."
		p.ProviderError = member + ".source.base64: The image was specified using the " + kind +
			" media type, but the image appears to be a " + seen + " image"
	}
	if seen == "" {
		return nil
	}
	p.Repair, p.Reason = "its media type becomes "+seen, ""
	return b.Raw.With("source", source.With("media_type", rawjson.Quote(seen)))
}
