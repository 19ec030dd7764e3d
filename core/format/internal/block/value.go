package block

import (
	"strings"

	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Media reads an image or a file: data is a URL, base64, or an object around one of them.
func Media(b *msg.Block, media string, data rawjson.Value) {
	b.Kind = msg.KindDocument
	if !strings.HasPrefix(b.Type, "image") && !strings.HasPrefix(media, "image/") {
		return
	}
	for _, name := range [...]string{"data", "url"} {
		if inner := data.Member(name); inner != nil {
			data = inner
		}
	}
	b.Kind, b.Image = msg.KindImage, pixel.Read(pixel.Of(data))
}

// Value returns the text of a JSON value for the model: that of a string, or the JSON.
func Value(value rawjson.Value) string {
	if value.Kind() == '"' || value.IsNull() {
		return value.Text()
	}
	return value.Plain()
}
