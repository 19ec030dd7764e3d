package pixel_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
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
			require.Equal(t, want, pixel.Size(pixel.Of(rawjson.Quote(text))))
			require.Equal(t, [2]int{w, h}, sizeOf(pixel.Read([]byte(text))))
			require.Equal(t, [2]int{w, h}, sizeOf(pixel.Read([]byte("data:image/x;base64,"+text))))
			escaped := rawjson.Value(`"\u` + fmt.Sprintf("%04x", text[0]) + text[1:] + `"`)
			require.Equal(t, want, pixel.Size(pixel.Of(escaped)))
		}
		// Data that is cut has its size or none, and so has data with a character that base64 does not have.
		text := base64.RawStdEncoding.EncodeToString(data)
		at := rapid.IntRange(0, min(len(text), 60)-1).Draw(t, "cut")
		strange := rapid.SampledFrom([]string{"!", "=", "{", "[", "\x00", "\xc3"}).Draw(t, "strange")
		for _, broken := range []string{text[:at], text[:at] + strange + text[at+1:]} {
			got := pixel.Size([]byte(broken))
			require.Contains(t, [][2]int{{0, 0}, {w, h}}, [2]int{got.Width, got.Height}, "%q", broken)
			require.Contains(t, []string{"", row.media}, got.Media, "%q", broken)
		}
	})
}

func sizeOf(image *msg.Image) [2]int { return [2]int{image.Width, image.Height} }

// Only a picture that ends where it says is one: a data: URL in base64, and no other text.
func TestNoPicture(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString(png(3, 4))
	for _, url := range []string{"http://x/" + picture, "data:image/png," + picture, "data:image/png;base64" + picture,
		"data:;base64;x," + picture, "xdata:image/png;base64," + picture} {
		require.Zero(t, sizeOf(pixel.Read([]byte(url))), url)
	}
	for _, raw := range []string{"3", "null", "{}", "[1]", "true"} {
		require.Empty(t, pixel.Of(rawjson.Value(raw)), raw)
	}
	riff := func(a, b string) []byte {
		return []byte(a + "\x00\x00\x00\x00" + b + "VP8L\x00\x00\x00\x00\x2f\x00\x00\x00\x00")
	}
	for _, data := range [][]byte{riff("RIFF", "WAVE"), riff("LIST", "WEBP")} {
		require.Equal(t, &msg.Image{}, pixel.Size([]byte(base64.StdEncoding.EncodeToString(data))))
	}
}

// The sizes that a picture can have, at their limits.
func TestLimits(t *testing.T) {
	const most = 1 << 20
	size := func(data []byte) [2]int {
		image := pixel.Size([]byte(base64.StdEncoding.EncodeToString(data)))
		return [2]int{image.Width, image.Height}
	}
	for _, row := range []struct{ w, h int }{{1, 1}, {most, most}, {most + 1, 1}, {1, most + 1}, {0, 1}, {1, 0}} {
		want := [2]int{row.w, row.h}
		if row.w > most || row.h > most || row.w == 0 || row.h == 0 {
			want = [2]int{}
		}
		require.Equal(t, want, size(png(row.w, row.h)))
	}
	require.Equal(t, [2]int{1, 1}, size(webp("VP8L", 1, 1)))
	require.Equal(t, [2]int{}, size(webp("VP8 ", 0, 5)))
	require.Equal(t, [2]int{}, size(webp("VP8 ", 5, 0)))
	// A frame header is c0 to cf, but for the tables c4 and cc and the extension c8.
	for marker := 0xb8; marker <= 0xd7; marker++ {
		data := append([]byte("\xff\xd8\xff"), byte(marker), 0, 17, 8, 0, 7, 0, 9)
		data = append(data, "\x03\x01\x11\x00\x02\x11\x01\x03\x11\x01"...)
		want := [2]int{}
		if marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			want = [2]int{9, 7}
		}
		require.Equal(t, want, size(data), "%x", marker)
		data = append(data, "\xff\xc0\x00\x11\x08\x00\x01\x00\x02"...) // after the segment
		if want[0] == 0 {
			want = [2]int{2, 1}
		}
		require.Equal(t, want, size(data), "%x", marker)
	}
	// A length that counts less than itself ends the search.
	require.Equal(t, [2]int{}, size([]byte("\xff\xd8\xff\xe1\x00\x01\xff\xc0\x00\x11\x08\x00\x01\x00\x02")))
	require.Equal(t, [2]int{}, size([]byte("\xff\xd8\xff\xe1\x00\x00\xff\xc0\x00\x11\x08\x00\x01\x00\x02")))
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
	require.Equal(t, &msg.Image{}, pixel.Read([]byte("http://localhost/x.png")))
	require.Zero(t, sizeOf(pixel.Read([]byte("data:image/svg+xml,<svg/>"))))
}
