// Package pixel reads an image's width and height from the first bytes of its base64 data. It decodes no picture:
// the standard library's decoders would cost more than the rest of the core. Start with Size.
package pixel

import (
	"bytes"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Size returns the size and the type of a PNG, JPEG, GIF or WebP image given as base64, or zero if it cannot be read.
func Size(base64 []byte) *msg.Image {
	b, image, kind := data(base64), &msg.Image{}, ""
	switch {
	case b.has(0, "\x89PNG\r\n\x1a\n"):
		kind = "image/png"
		if b.has(12, "IHDR") {
			image = size(b.big(16, 4), b.big(20, 4))
		}
	case b.has(0, "GIF8"):
		kind, image = "image/gif", size(b.little(6, 2), b.little(8, 2))
	case b.has(0, "RIFF") && b.has(8, "WEBP"):
		kind, image = "image/webp", webp(b)
	case b.has(0, "\xff\xd8\xff"):
		kind, image = "image/jpeg", jpeg(b)
	}
	image.Media = kind
	return image
}

// Of returns the characters of a JSON string, without a copy if it has no escape: image data is large.
func Of(r rawjson.Value) []byte {
	if r.Kind() == '"' && bytes.IndexByte(r, '\\') < 0 {
		return r[1 : len(r)-1]
	}
	return []byte(r.Text())
}

// size returns zero for cut data (negative) and for sizes that no real picture has.
func size(width, height int) *msg.Image {
	const most = 1 << 20
	if width <= 0 || height <= 0 || width > most || height > most {
		return &msg.Image{}
	}
	return &msg.Image{Width: width, Height: height}
}

func webp(b data) *msg.Image {
	switch {
	case b.has(12, "VP8X"):
		return size(b.little(24, 3)+1, b.little(27, 3)+1)
	case b.has(12, "VP8L"):
		if bits := b.little(21, 4); bits >= 0 {
			return size(bits&0x3fff+1, bits>>14&0x3fff+1)
		}
	case b.has(12, "VP8 "):
		if width, height := b.little(26, 2), b.little(28, 2); width >= 0 && height >= 0 {
			return size(width&0x3fff, height&0x3fff)
		}
	}
	return &msg.Image{}
}

// jpeg skips segments up to the frame header.
func jpeg(b data) *msg.Image {
	for i := 2; b.at(i) == 0xff; {
		marker := b.at(i + 1)
		switch {
		case marker == 0xff: // fill byte
			i++
			continue
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return size(b.big(i+7, 2), b.big(i+5, 2))
		}
		length := b.big(i+2, 2)
		if length < 2 {
			break
		}
		i += 2 + length
	}
	return &msg.Image{}
}

// data is base64 text with random access: only the few bytes of the headers are decoded.
type data []byte

// at returns the decoded byte at i, or -1 if there is none.
func (b data) at(i int) int {
	group, digits := i/3*4, i%3+2 // byte 0 of a group needs two digits, byte 2 all four
	if i < 0 || group+digits > len(b) {
		return -1
	}
	bits := 0
	for k := range digits {
		v := digit(b[group+k])
		if v < 0 {
			return -1
		}
		bits = bits<<6 | v
	}
	return bits >> (6*digits - 8*(digits-1)) & 0xff
}

func (b data) has(i int, text string) bool {
	for k := range len(text) {
		if b.at(i+k) != int(text[k]) {
			return false
		}
	}
	return true
}

func (b data) big(i, n int) int {
	v := 0
	for k := range n {
		c := b.at(i + k)
		if c < 0 {
			return -1
		}
		v = v<<8 | c
	}
	return v
}

func (b data) little(i, n int) int {
	v := 0
	for k := n - 1; k >= 0; k-- {
		c := b.at(i + k)
		if c < 0 {
			return -1
		}
		v = v<<8 | c
	}
	return v
}

// digit returns the value of a digit of base64 or of its form for addresses, -1 for another byte.
func digit(c byte) int { return int(digits[c]) - 1 }

// digits has the value of each digit and 1.
var digits = func() (table [256]uint8) {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(all) {
		table[all[i]] = uint8(i + 1)
	}
	table['-'], table['_'] = table['+'], table['/']
	return table
}()
