package pixel

import (
	"bytes"

	"tamp/core/msg"
)

// Read is ReadData for base64 and for a data: URL of it. Any other address has no size and no flaw.
func Read(text []byte) *msg.Image {
	scheme, _, isURL := bytes.Cut(text[:min(len(text), 32)], []byte(":"))
	if !isURL || len(bytes.Trim(bytes.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-")) > 0 {
		return ReadData(text)
	}
	if head, base64, ok := bytes.Cut(text, []byte(",")); ok && bytes.HasPrefix(head, []byte("data:")) &&
		bytes.HasSuffix(head, []byte(";base64")) {
		return ReadData(base64)
	}
	return &msg.Image{}
}

// ReadData is Size, with the flaw of the data: a provider refuses each request with an image that is none.
func ReadData(base64 []byte) *msg.Image {
	if bytes.HasPrefix(base64, []byte(held)) {
		return &msg.Image{}
	}
	flaw, repaired := flawOf(base64)
	image := Size(base64)
	switch {
	case flaw == "":
		image.Flaw = flawOfImage(data(base64), image.Media)
	case repaired != nil:
		image = Size(repaired)
		if flawOfImage(data(repaired), image.Media) == "" {
			image.Repaired = string(repaired)
		}
		image.Flaw = flaw
	default:
		image.Flaw = flaw
	}
	return image
}

// held begins the marks of bytes that JSON cannot hold (wasm/npm/held.js): the image itself is with the program.
const held = "tamp-held"

// flawOf returns what is wrong with a text that should be base64, and the text without that if it can be repaired.
func flawOf(base64 []byte) (flaw string, repaired []byte) {
	if len(bytes.TrimSpace(base64)) == 0 {
		return "is empty", nil
	}
	if head, inner, ok := bytes.Cut(base64, []byte(",")); ok && bytes.HasPrefix(head, []byte("data:")) {
		return msg.NotBase64, bytes.Join(bytes.Fields(inner), nil)
	}
	body, white := bytes.TrimRight(base64, "="), false
	for _, c := range body {
		if digits[c] == 0 {
			if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
				return "is no base64", nil
			}
			white = true
		}
	}
	switch {
	case white:
		return "has white space", bytes.Join(bytes.Fields(base64), nil)
	case len(body)%4 == 1:
		return cut, nil
	}
	return "", nil
}

// cut is the flaw of an incomplete image.
const cut = "is cut short"

// flawOfImage returns the flaw of data in base64 whose type is media. An image has its end: the last chunk of a PNG,
// the size of a WebP, the end marker of the others, behind which a program may have written more.
func flawOfImage(b data, media string) string {
	total := len(bytes.TrimRight(b, "=")) * 3 / 4
	const more = 4096
	switch media {
	case "":
		return msg.NoImage
	case "image/png":
		for i := 8; ; {
			length := b.big(i, 4)
			if length < 0 || i+12+length > total {
				return cut
			}
			if b.has(i+4, "IEND") {
				return ""
			}
			i += 12 + length
		}
	case "image/webp":
		if length := b.little(4, 4); length < 0 || length+8 > total+1 {
			return cut
		}
		return ""
	}
	end := "\xff\xd9" // JPEG
	if media == "image/gif" {
		end = ";"
	}
	for i := max(total-more, 0); i < total; i++ {
		if b.has(i, end) {
			return ""
		}
	}
	return cut
}

// Type returns the type of a picture by its first bytes, "" for other data.
func Type(data []byte) string {
	for _, magic := range [...]struct{ start, kind string }{{"\x89PNG\r\n\x1a\n", "image/png"}, {"GIF8", "image/gif"},
		{"\xff\xd8\xff", "image/jpeg"}, {"RIFF", "image/webp"}} {
		if bytes.HasPrefix(data, []byte(magic.start)) && (magic.start != "RIFF" || len(data) > 12 &&
			string(data[8:12]) == "WEBP") {
			return magic.kind
		}
	}
	return ""
}
