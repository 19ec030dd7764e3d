package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

const (
	onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	somePDF  = "JVBERi0xLjQKJcfsj6IKNSAwIG9iago="
	someWAV  = "UklGRiQAAABXQVZF"
)

// mediaRows are parts with images and files, and the formats that can hold each.
var mediaRows = []struct{ from, part, holds, targets string }{
	{msg.Anthropic, `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + onePixel + `"}}`, onePixel,
		"openai-chat openai-responses gemini ai-sdk"},
	{msg.Anthropic, `{"type":"image","source":{"type":"url","url":"https://a.b/c.png"}}`, "https://a.b/c.png",
		"openai-chat openai-responses gemini ai-sdk"},
	{msg.Anthropic, `{"type":"image","source":{"type":"file","file_id":"file_1"}}`, "file_1", ""},
	{msg.Anthropic, `{"type":"document","title":"r.pdf","source":{"type":"base64","media_type":"application/pdf","data":"` +
		somePDF + `"}}`, somePDF, "openai-chat openai-responses gemini ai-sdk"},
	{msg.Anthropic, `{"type":"document","source":{"type":"url","url":"https://a.b/c"}}`, "https://a.b/c",
		"openai-responses gemini ai-sdk"},
	{msg.Anthropic, `{"type":"document","source":{"type":"file","file_id":"file_2"}}`, "file_2", ""},
	{msg.OpenAIChat, `{"type":"image_url","image_url":{"url":"data:image/png;base64,` + onePixel + `","detail":"low"}}`, onePixel,
		"anthropic openai-responses gemini ai-sdk"},
	{msg.OpenAIChat, `{"type":"file","file":{"filename":"r.pdf","file_data":"data:application/pdf;base64,` + somePDF + `"}}`,
		somePDF, "anthropic openai-responses gemini ai-sdk"},
	{msg.OpenAIChat, `{"type":"file","file":{"file_id":"file-1"}}`, "file-1", ""},
	{msg.OpenAIChat, `{"type":"input_audio","input_audio":{"data":"` + someWAV + `","format":"wav"}}`, someWAV, "gemini ai-sdk"},
	{msg.OpenAIResponses, `{"type":"input_image","image_url":"https://a.b/c.png","detail":"high"}`, "https://a.b/c.png",
		"anthropic openai-chat gemini ai-sdk"},
	{msg.OpenAIResponses, `{"type":"input_file","filename":"r.pdf","file_data":"data:application/pdf;base64,` + somePDF + `"}`,
		somePDF, "anthropic openai-chat gemini ai-sdk"},
	{msg.OpenAIResponses, `{"type":"input_file","file_url":"https://a.b/c.pdf"}`, "https://a.b/c.pdf", "anthropic gemini ai-sdk"},
	{msg.OpenAIResponses, `{"type":"input_file","file_url":"https://a.b/c"}`, "https://a.b/c", ""},
	{msg.Gemini, `{"inlineData":{"mimeType":"application/pdf","data":"` + somePDF + `"}}`, somePDF,
		"anthropic openai-chat openai-responses ai-sdk"},
	{msg.Gemini, `{"inline_data":{"mime_type":"audio/wav","data":"` + someWAV + `"}}`, someWAV, "openai-chat ai-sdk"},
	{msg.Gemini, `{"fileData":{"mimeType":"application/pdf","fileUri":"https://a.b/c.pdf"}}`, "https://a.b/c.pdf",
		"anthropic openai-responses ai-sdk"},
	{msg.Gemini, `{"fileData":{"mimeType":"image/png","fileUri":"gs://a/b"}}`, "gs://a/b", ""},
	{msg.Gemini, `{"fileData":{"mimeType":"application/pdf","fileUri":` +
		`"https://generativelanguage.googleapis.com/v1beta/files/x"}}`, "v1beta/files/x", ""},
	{msg.Gemini, `{"inlineData":{"mimeType":"video/mp4","data":"AAAA"}}`, "AAAA", "ai-sdk"},
	{msg.AISDK, `{"type":"file","data":"` + somePDF + `","mediaType":"application/pdf","filename":"r.pdf"}`, somePDF,
		"anthropic openai-chat openai-responses gemini"},
	{msg.AISDK, `{"type":"file","data":{"type":"data","data":"` + somePDF + `"},"mediaType":"application/pdf"}`, somePDF,
		"anthropic openai-chat openai-responses gemini"},
	{msg.AISDK, `{"type":"file","data":"aGVsbG8=","mediaType":"text/plain","filename":"a.txt"}`, "aGVsbG8=", "gemini"},
	{msg.AISDK, `{"type":"file","data":"aGVsbG8=","mediaType":"text/plain"}`, "text", "anthropic openai-chat openai-responses gemini"},
	{msg.AISDKUI, `{"type":"file","mediaType":"application/pdf","filename":"r.pdf","url":"data:application/pdf;base64,` +
		somePDF + `"}`, somePDF, "anthropic openai-chat openai-responses gemini ai-sdk"},
	{msg.AISDKUI, `{"type":"file","mediaType":"audio/mpeg","url":"data:audio/mpeg;base64,` + someWAV + `"}`, someWAV,
		"openai-chat gemini ai-sdk"},
}

// An image or a file is in the target, or in the report; a target that can hold it has it.
func TestConvertFiles(t *testing.T) {
	for _, row := range mediaRows {
		message := `[{"role":"user","content":[` + row.part + `]}]`
		switch row.from {
		case msg.Gemini, msg.AISDKUI:
			message = `[{"id":"m","role":"user","parts":[` + row.part + `]}]`
		}
		c, err := format.Parse([]byte(message), row.from)
		require.NoError(t, err)
		for _, to := range requests {
			if to == row.from {
				continue
			}
			out, losses, err := format.Convert(c, to)
			require.NoError(t, err)
			written, err := format.Render(out)
			require.NoError(t, err)
			if !strings.Contains(row.targets, to) {
				require.NotEmpty(t, losses, "%s to %s", row.part, to)
				continue
			}
			require.Contains(t, string(written), row.holds, "%s to %s: %v", row.part, to, losses)
			again, err := format.Parse(written, to)
			require.NoError(t, err)
			require.Empty(t, validity.Check(again), "%s", written)
			if strings.Contains(row.part, "r.pdf") && !strings.Contains(string(written), "r.pdf") {
				require.NotEmpty(t, losses, "the name in %s to %s", row.part, to)
			}
			for _, detail := range []string{`"detail":"low"`, `"detail":"high"`} {
				if strings.Contains(row.part, detail) && !strings.Contains(string(written), detail) {
					require.NotEmpty(t, losses, "%s to %s", row.part, to)
				}
			}
		}
	}
}

// A file among the parts of a result is a file there, too, and answers have images only where the target has them.
func TestConvertFilesOfResults(t *testing.T) {
	c, err := format.Parse([]byte(`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t",
		"name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"document",
		"source":{"type":"base64","media_type":"application/pdf","data":"`+somePDF+`"}}]}]}]`), msg.Anthropic)
	require.NoError(t, err)
	for to, part := range map[string]string{
		msg.OpenAIResponses: `{"type":"input_file","file_data":"data:application/pdf;base64,` + somePDF + `"}`,
		msg.Gemini:          `{"inlineData":{"mimeType":"application/pdf","data":"` + somePDF + `"}}`,
		msg.AISDK:           `{"type":"file-data","data":"` + somePDF + `","mediaType":"application/pdf"}`,
		msg.OpenAIChat:      "",
	} {
		out, losses, err := format.Convert(c, to)
		require.NoError(t, err)
		written, err := format.Render(out)
		require.NoError(t, err)
		require.Contains(t, string(written), part)
		require.Equal(t, part == "", len(losses) > 0, "%v", losses)
		require.Empty(t, validity.Check(requireConverted(t, c, to)))
	}
	drawn, err := format.Parse([]byte(`[{"role":"user","parts":[{"text":"draw"}]},{"role":"model","parts":[{"inlineData":{"mimeType":
		"image/png","data":"`+onePixel+`"}},{"text":"here"}]}]`), msg.Gemini)
	require.NoError(t, err)
	for _, to := range []string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.AISDK} {
		out, losses, err := format.Convert(drawn, to)
		require.NoError(t, err)
		written, err := format.Render(out)
		require.NoError(t, err)
		require.Equal(t, to == msg.AISDK, strings.Contains(string(written), `{"type":"file","data":"`+onePixel), "%s", written)
		require.Equal(t, to != msg.AISDK, len(losses) > 0)
	}
}
