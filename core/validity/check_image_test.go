package validity_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// The media types that the Messages API takes, in a prompt and in a tool result.
func TestMediaTypesOfImages(t *testing.T) {
	image := func(source string) string { return `{"type":"image","source":` + source + `}` }
	in := func(kind string) string { return image(`{"type":"base64","media_type":"` + kind + `","data":"aGk="}`) }
	whole := func(kind, data string) string {
		return image(`{"type":"base64","media_type":"image/` + kind + `","data":"` + base64.StdEncoding.EncodeToString([]byte(data)) + `"}`)
	}
	for _, row := range []struct{ name, image, says string }{
		{"PNG", whole("png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x00IEND\xaeB`\x82"), ""}, {"JPEG", whole("jpeg", "\xff\xd8\xff\xd9"), ""},
		{"GIF", whole("gif", "GIF89a;"), ""}, {"WebP", whole("webp", "RIFF\x04\x00\x00\x00WEBP"), ""},
		{"a URL", image(`{"type":"url","url":"https://example.org/a.bmp"}`), ""},
		{"a file", image(`{"type":"file","file_id":"f"}`), ""},
		{"BMP", in("image/bmp"), `The media type of an image is "image/bmp", it must be image/jpeg, image/png, image/gif or image/webp.`},
		{"none", image(`{"type":"base64","data":"aGk="}`), `The media type of an image is "", it must be image/jpeg, image/png, image/gif or image/webp.`},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc := `[{"role":"user","content":[` + row.image + `]},
				{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[` + row.image + `]}]}]`
			c, err := format.Parse([]byte(doc), msg.Anthropic)
			require.NoError(t, err)
			problems := validity.Check(c)
			repaired, _ := validity.Repair(c)
			require.Same(t, c, repaired, "Repair leaves it")
			if row.says == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 2)
			for i, member := range []string{"messages.0.content.0.image", "messages.2.content.0.tool_result.content.0.image"} {
				require.Equal(t, validity.A13MediaType, problems[i].Rule)
				require.Equal(t, row.says, problems[i].Message)
				require.NotEmpty(t, problems[i].Reason)
				require.Equal(t, member+".source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or "+
					"'image/webp'", problems[i].ProviderError)
			}
			require.Equal(t, "/0/content/0", problems[0].Path)
			require.Equal(t, "/2/content/0/content/0", problems[1].Path)
		})
	}
}

// A type that is not that of the data is repaired, in a prompt and in a tool result, in a body and in a log.
func TestMediaTypesAreRepaired(t *testing.T) {
	const jpeg, png = "/9j/2Q==", "iVBORw0KGgoAAAAASUVORK5CYII="
	for _, row := range []struct{ name, kind, data, right, says, provider string }{
		{"a name that is not registered", "image/jpg", jpeg, "image/jpeg",
			`The media type of an image is "image/jpg", it must be image/jpeg, image/png, image/gif or image/webp.`,
			"messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or " +
				"'image/webp'"},
		{"none", "", png, "image/png",
			`The media type of an image is "", it must be image/jpeg, image/png, image/gif or image/webp.`,
			"messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or " +
				"'image/webp'"},
		{"another one", "image/png", jpeg, "image/jpeg", "The media type of an image is image/png, its data is image/jpeg.",
			"messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the image " +
				"appears to be a image/jpeg image"},
	} {
		t.Run(row.name, func(t *testing.T) {
			image := `{"type":"image","source":{"type":"base64","media_type":"` + row.kind + `","data":"` + row.data + `"}}`
			messages := []string{`{"role":"user","content":[` + image + `,{"type":"text","text":"x"}]}`,
				`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}`,
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[` + image + `,` + image + `]}]}`}
			log := ""
			for i, m := range messages {
				kind, _, _ := strings.Cut(strings.TrimPrefix(m, `{"role":"`), `"`)
				log += fmt.Sprintf(`{"type":"%s","uuid":"u%d","parentUuid":"u%d","message":%s}`+"\n", kind, i, i-1, m)
			}
			for _, doc := range []string{"[" + strings.Join(messages, ",") + "]", log} {
				c, err := format.Parse([]byte(doc), "")
				require.NoError(t, err)
				problems := validity.Check(c)
				require.Len(t, problems, 3)
				require.Equal(t, validity.A13MediaType, problems[0].Rule)
				require.Equal(t, row.says, problems[0].Message)
				require.Equal(t, row.provider, problems[0].ProviderError)
				require.Equal(t, "its media type becomes "+row.right, problems[0].Repair)
				repaired, done := validity.Repair(c)
				require.Len(t, done, 3)
				require.Empty(t, validity.Check(repaired))
				out, err := format.Render(repaired)
				require.NoError(t, err)
				require.Equal(t, strings.ReplaceAll(doc, `"media_type":"`+row.kind+`"`, `"media_type":"`+row.right+`"`),
					string(out), "nothing else changes")
			}
		})
	}
}
