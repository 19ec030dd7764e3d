package validity

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
)

// png returns an image in base64 of a size in pixels, with nothing but its header.
func png(width, height int) string {
	header := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(header[16:], uint32(width))
	binary.BigEndian.PutUint32(header[20:], uint32(height))
	header = append(header, "\x00\x00\x00\x00\x00\x00\x00\x00IEND\xaeB`\x82"...)
	return base64.StdEncoding.EncodeToString(header)
}

// The sizes of images in pixels and in bytes, and their number, have limits: more are an error that Repair leaves.
func TestSizesOfImages(t *testing.T) {
	for _, row := range []struct {
		model, image string
		images       int
		says         string // "": the provider takes them
	}{
		{"claude-opus-4-8", png(2400, 8000), 20, ""},
		{"claude-opus-4-8", png(2000, 2000), 21, ""},
		{"claude-opus-4-8", png(80, 60), 600, ""},
		{"claude-opus-4-8", png(900, 8001), 3, "messages.2.content.0.tool_result.content.0.image.source.base64.data: At least one " +
			"of the image dimensions exceed max allowed size: 8000 pixels"},
		{"claude-opus-4-8", png(2400, 1500), 21, "messages.2.content.0.tool_result.content.0.image.source.base64.data: At least one " +
			"of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"},
		{"claude-haiku-4-5", png(80, 60), 101, "Too much media: 0 document pages + 101 images > 100"},
		{"claude-opus-4-8", png(9, 9) + strings.Repeat("A", 10<<20), 1, "messages.2.content.0.tool_result.content.0.image." +
			"source.base64: image exceeds 10 MB maximum: 10485820 bytes > 10485760 bytes"},
	} {
		var calls, results []string
		for k := range row.images {
			calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"f","input":{}}`, k))
			results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":[{"type":"image",`+
				`"source":{"type":"base64","media_type":"image/png","data":"%s"}}]}`, k, row.image))
		}
		c, err := format.Parse(fmt.Appendf(nil, `{"model":%q,"messages":[{"role":"user","content":"go"},{"role":"assistant",`+
			`"content":[%s]},{"role":"user","content":[%s]}]}`, row.model, strings.Join(calls, ","), strings.Join(results, ",")), "")
		require.NoError(t, err)
		problems := Check(c)
		require.Equal(t, row.says == "", Valid(problems), row.says)
		if row.says != "" {
			require.Equal(t, A17Size, problems[0].Rule)
			require.Equal(t, row.says, problems[0].ProviderError)
			_, done := RepairAll(c)
			require.False(t, Valid(done.Left))
		}
	}
}
