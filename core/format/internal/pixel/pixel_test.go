package pixel_test

import (
	"encoding/base64"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

func png(w, h int) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	b = binary.BigEndian.AppendUint32(b, uint32(w))
	return append(binary.BigEndian.AppendUint32(b, uint32(h)), "\x08\x06\x00\x00\x00 and so on"...)
}

func gif(w, h int) []byte {
	b := binary.LittleEndian.AppendUint16([]byte("GIF89a"), uint16(w))
	return binary.LittleEndian.AppendUint16(b, uint16(h))
}

// jpeg puts segments of the given lengths before the frame header, as cameras and color profiles do.
func jpeg(w, h int, segments ...int) []byte {
	b := []byte("\xff\xd8")
	for _, n := range segments {
		b = append(b, 0xff, 0xe1)
		b = binary.BigEndian.AppendUint16(b, uint16(n+2))
		b = append(b, make([]byte, n)...)
	}
	b = append(b, 0xff, 0xff, 0xc2, 0, 17, 8) // a fill byte, then a progressive frame
	b = binary.BigEndian.AppendUint16(b, uint16(h))
	return binary.BigEndian.AppendUint16(b, uint16(w))
}

func webp(kind string, w, h int) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WEBP" + kind + "\x00\x00\x00\x00")
	switch kind {
	case "VP8X":
		b = append(b, 0, 0, 0, 0, byte(w-1), byte((w-1)>>8), byte((w-1)>>16), byte(h-1), byte((h-1)>>8), byte((h-1)>>16))
	case "VP8L":
		b = binary.LittleEndian.AppendUint32(append(b, 0x2f), uint32(w-1)|uint32(h-1)<<14)
	case "VP8 ":
		b = append(b, 0, 0, 0, 0x9d, 0x01, 0x2a)
		b = binary.LittleEndian.AppendUint16(b, uint16(w)|1<<14) // the upper bits are a scale
		b = binary.LittleEndian.AppendUint16(b, uint16(h))
	}
	return b
}

// Size finds the size and the type in the header of every format, at any offset in the base64 text.
func TestSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 16000).Draw(t, "w"), rapid.IntRange(1, 16000).Draw(t, "h")
		row := rapid.SampledFrom([]struct {
			media string
			data  []byte
		}{
			{"image/png", png(w, h)}, {"image/gif", gif(w, h)}, {"image/jpeg", jpeg(w, h)},
			{"image/jpeg", jpeg(w, h, rapid.IntRange(0, 70).Draw(t, "segment"), 60000)},
			{"image/webp", webp("VP8X", w, h)}, {"image/webp", webp("VP8L", w, h)}, {"image/webp", webp("VP8 ", w, h)},
		}).Draw(t, "data")
		data, want := row.data, &msg.Image{Width: w, Height: h, Media: row.media}
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding} {
			text := encoding.EncodeToString(data)
			require.Equal(t, want, pixel.Size([]byte(text)))
			require.Equal(t, want, pixel.URL([]byte("data:image/x;base64,"+text)))
			require.Equal(t, want, pixel.Size(pixel.Of(rawjson.Quote(text))))
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		pixel.Size([]byte(base64.RawStdEncoding.EncodeToString(data[:cut]))) // must not panic
	})
}

func TestNoSize(t *testing.T) {
	encode := base64.StdEncoding.EncodeToString
	for _, row := range []struct{ name, text, media string }{
		{"empty", "", ""}, {"no image", "aGVsbG8gd29ybGQ=", ""}, {"no base64", "\x00\xff!!", ""},
		{"cut", encode(png(1, 1)[:20]), "image/png"},
		{"zero", encode(png(0, 5)), "image/png"},
		{"absurd", encode(png(1<<30, 1)), "image/png"},
		{"webp of no kind", encode(webp("VP9 ", 1, 1)), "image/webp"},
		{"jpeg that ends", encode([]byte("\xff\xd8\xff\xe1\x00\x10")), "image/jpeg"},
		{"jpeg in a loop", encode([]byte("\xff\xd8\xff\xe1\x00\x00\xff\xe1\x00\x00")), "image/jpeg"},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, &msg.Image{Media: row.media}, pixel.Size([]byte(row.text)))
		})
	}
	require.Equal(t, &msg.Image{}, pixel.URL([]byte("http://localhost/x.png")))
	require.Equal(t, &msg.Image{}, pixel.URL([]byte("data:image/svg+xml,<svg/>")))
}
