package validity

import (
	"strconv"

	"tamp/core/msg"
)

// checkImages reports images of a type that the Messages API does not take, also those in tool results. Repair leaves
// them: the bytes would have to be converted.
func (ck *checker) checkImages() {
	for ref, block := range ck.c.Blocks() {
		at := "messages." + strconv.Itoa(ref.Message) + ".content." + strconv.Itoa(ref.Block)
		ck.checkImage(ref, block, at+".image")
		for p := range block.Parts {
			ck.checkImage(ref, &block.Parts[p], at+".tool_result.content."+strconv.Itoa(p)+".image")
		}
	}
}

func (ck *checker) checkImage(at msg.Ref, b *msg.Block, member string) {
	if b.Kind != msg.KindImage {
		return
	}
	source := b.Raw.Member("source")
	switch kind := source.Member("media_type").Text(); kind {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
	default:
		if source.Member("type").Text() != "base64" {
			return
		}
		p := ck.reportUnrepaired(A13MediaType, at, "The media type of an image is "+strconv.Quote(short(kind))+
			", it must be image/jpeg, image/png, image/gif or image/webp.",
			"the image has to be converted, or its media type is wrong", member)
		if b.Path != "" {
			p.Path = b.Path
		}
	}
}
