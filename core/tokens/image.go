package tokens

import (
	"tamp/core/models"
	"tamp/core/msg"
)

// unknownImage is the count, in tokens, of an image of unknown size (a URL, a file id): the maximum of the older
// Anthropic rule, and about the cost of a screenshot with every provider.
const unknownImage = 1568

// unknownDocument is the count, in tokens, of a document whose text is not available: a page or two of PDF.
const unknownDocument = 3000

// imageTokens counts an image by its size in pixels, never by the length of its base64.
func imageTokens(rule models.ImageRule, image *msg.Image) int {
	if image == nil || image.Width <= 0 || image.Height <= 0 {
		return unknownImage
	}
	w, h := image.Width, image.Height
	switch rule {
	case models.ImageArea750:
		w, h = fit(w, h, 1568)
		return min(ceilDiv(w*h, 750), 1568)
	case models.ImageTiles512:
		w, h = fit(w, h, 2048)
		if short := min(w, h); short > 768 {
			w, h = scale(w, 768, short), scale(h, 768, short)
		}
		return 85 + 170*ceilDiv(w, 512)*ceilDiv(h, 512)
	case models.ImageTiles768:
		if max(w, h) <= 384 {
			return 258
		}
		tile := max(256, min(768, min(w, h)*2/3))
		return 258 * ceilDiv(w, tile) * ceilDiv(h, tile)
	case models.ImageFixed1120:
		return 1120
	}
	w, h = fit(w, h, 2576)
	return min(ceilDiv(w, 28)*ceilDiv(h, 28), 4784)
}

// fit scales a size down so that its long edge is at most edge.
func fit(w, h, edge int) (int, int) {
	if long := max(w, h); long > edge {
		return max(1, scale(w, edge, long)), max(1, scale(h, edge, long))
	}
	return w, h
}

// scale is n × to / from in 64 bits: sizes come from file headers, and int has 32 bits on some platforms.
func scale(n, to, from int) int { return int(int64(n) * int64(to) / int64(from)) }

func ceilDiv(a, b int) int { return (a + b - 1) / b }
