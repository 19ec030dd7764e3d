package validity

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
)

// The rules on single blocks of the Messages API and on the parts of results: images, types and references to tools.
// Source of the limits: platform.claude.com, vision.

const (
	manyImages    = 20 // above which their limit of pixels is lower
	maxPixels     = 8000
	maxPixelsMany = 2000
	maxImageBytes = 10 << 20
)

// Texts of the API, with their sources in docs/formats.md.
const (
	errManyPixels = "At least one of the image dimensions exceed max allowed size for many-image requests: … pixels"
	errImageBytes = "image exceeds 10 MB maximum: … bytes > 10485760 bytes"
	errMedia      = "Too much media: 0 document pages + … images > …"
)

// partRules are what the parts of a request are checked by.
type partRules struct {
	tools  map[string]bool // the names that a tool_reference may have; nil: they are not known
	pixels int
}

// checkParts checks each block and each part of a result. Repair writes the media type that the first bytes of an image
// say, and removes references to tools that are not there.
func checkParts(ck *checker) {
	of := partRules{tools: referable(ck), pixels: maxPixels}
	images := countImages(ck)
	if images > manyImages {
		of.pixels = maxPixelsMany
	}
	most := 600
	if models.Known(ck.c.Model) && models.ProfileFor(ck.c.Model, "").Window <= 200_000 {
		most = 100
	}
	if images > most && ck.c.Format == msg.Anthropic {
		p := ck.reportUnrepaired(A17Size, outside, "The request has "+strconv.Itoa(images)+" images, at most "+
			strconv.Itoa(most)+" are accepted.", "a compaction removes old ones")
		p.Path, p.ProviderError = "", filled(errMedia, strconv.Itoa(images), strconv.Itoa(most))
	}
	for it := ck.c.Walk(); it.Next(); {
		ref, block := it.Ref, it.Block
		at := "messages." + strconv.Itoa(ref.Message) + ".content." + strconv.Itoa(ref.Block)
		made, changed := ck.block(ref), false
		if raw, _ := checkPart(ck, &of, ref, block, at); raw != nil {
			made.Raw, changed = raw, true
		}
		if len(block.Parts) > 0 && block.Changed&msg.ChangedText == 0 {
			list := block.Raw.Member("content")
			raws, parts, kept := list.List(), []msg.Block(nil), []rawjson.Value(nil)
			for p := range block.Parts {
				part := block.Parts[p]
				raw, drop := checkPart(ck, &of, ref, &part, at+".tool_result.content."+strconv.Itoa(p))
				changed = changed || raw != nil || drop
				if raw == nil {
					raw = raws[p]
				}
				if part.Raw = raw; !drop {
					parts, kept = append(parts, part), append(kept, raw)
				}
			}
			if changed {
				made.Parts, made.Raw = parts, made.Raw.With("content", list.WithElements(kept))
			}
		}
		if changed {
			ck.edit.replaceBlock(ref, made)
		}
	}
}

// countImages counts the images of the request.
func countImages(ck *checker) (n int) {
	for it := ck.c.Walk(); it.Next(); {
		if it.Block.Kind == msg.KindImage {
			n++
		}
		for p := range it.Block.Parts {
			if it.Block.Parts[p].Kind == msg.KindImage {
				n++
			}
		}
	}
	return n
}

// referable returns the names that a tool_reference may have, nil if they are not known: in a list of messages, or if a
// server has tools that the request does not list.
func referable(ck *checker) map[string]bool {
	if len(ck.c.Tools) == 0 || ck.part {
		return nil
	}
	names := map[string]bool{}
	for n := range ck.c.Tools {
		if strings.HasPrefix(ck.c.Tools[n].Type, "mcp") {
			return nil
		}
		names[ck.c.Tools[n].Name] = true
	}
	for it := ck.c.Walk(); it.Next(); {
		if it.Block.Type == "tool_addition" || it.Block.Type == "mcp_tool_listing" {
			return nil // what a tool of these is named is in a form of their own
		}
	}
	return names
}

// checkPart checks a block or a part of a result. It returns the repaired part, nil if it stays, and whether it is to
// be dropped.
func checkPart(ck *checker, of *partRules, at msg.Ref, b *msg.Block, member string) (made rawjson.Value, drop bool) {
	switch {
	case b.Type == "" && b.Kind == msg.KindOther && b.Raw.Kind() == '{':
		setPath(b, ck.reportUnrepaired(A15Type, at, "A block has no type.", "its kind is not known", member))
	case b.Kind == msg.KindImage:
		checkSize(ck, of, at, b, member+".image.source.base64")
		return checkImage(ck, at, b, member+".image"), false
	case b.Type == "tool_reference" && of.tools != nil && !of.tools[b.Raw.Member("tool_name").Text()]:
		reportMissingTool(ck, at, b, b.Raw)
		return nil, true
	case b.Type == "tool_search_tool_result" && of.tools != nil:
		result := b.Raw.Member("content")
		list, kept := result.Member("tool_references"), []rawjson.Value(nil)
		for _, reference := range list.List() {
			if of.tools[reference.Member("tool_name").Text()] {
				kept = append(kept, reference)
			} else {
				reportMissingTool(ck, at, b, reference)
				made = b.Raw
			}
		}
		if made != nil {
			made = made.With("content", result.With("tool_references", list.WithElements(kept)))
		}
	}
	return made, false
}

func reportMissingTool(ck *checker, at msg.Ref, b *msg.Block, reference rawjson.Value) {
	name := short(reference.Member("tool_name").Text())
	setPath(b, ck.report(A16Reference, at, "The request has no tool "+strconv.Quote(name)+
		", which a tool_reference names.", "the reference is removed", name))
}

// setPath sets the path of a problem to that of its part.
func setPath(b *msg.Block, p *Problem) {
	if b.Path != "" {
		p.Path = b.Path
	}
}

// checkSize reports an image with too many pixels or bytes. No repair can make it smaller.
func checkSize(ck *checker, of *partRules, at msg.Ref, b *msg.Block, member string) {
	data := b.Raw.Member("source").Member("data")
	size := 0
	if b.Image != nil {
		size = max(b.Image.Width, b.Image.Height)
	}
	const smaller = "the image has to be made smaller"
	if size > of.pixels {
		p := ck.reportUnrepaired(A17Size, at, "An image has "+strconv.Itoa(size)+" pixels on a side, at most "+
			strconv.Itoa(of.pixels)+" are accepted.", smaller, strconv.Itoa(of.pixels))
		if of.pixels == maxPixelsMany {
			p.ProviderError = filled(errManyPixels, strconv.Itoa(of.pixels))
		}
		p.ProviderError = member + ".data: " + p.ProviderError
		setPath(b, p)
	}
	if len(data)-2 > maxImageBytes {
		p := ck.reportUnrepaired(A17Size, at, "An image has more than 10 MB in base64.", smaller)
		p.ProviderError = member + ": " + filled(errImageBytes, strconv.Itoa(len(data)-2))
		setPath(b, p)
	}
}

// checkImage checks one image, and returns its block with the type of its data if that is another one.
func checkImage(ck *checker, at msg.Ref, b *msg.Block, member string) rawjson.Value {
	source := b.Raw.Member("source")
	kind := source.Member("media_type").Text()
	if source.Member("type").Text() != "base64" || b.Image == nil {
		return nil
	}
	accepted := kind == "image/jpeg" || kind == "image/png" || kind == "image/gif" || kind == "image/webp"
	seen := b.Image.Media
	if accepted && (seen == kind || seen == "") {
		return nil
	}
	p := ck.reportUnrepaired(A13MediaType, at, "The media type of an image is "+strconv.Quote(short(kind))+
		", it must be image/jpeg, image/png, image/gif or image/webp.", "the image has to be converted", member)
	setPath(b, p)
	if accepted {
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
