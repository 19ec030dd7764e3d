package convtest

import (
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// translator writes messages of the Messages API as those of a format with the same order of calls and results. It
// keeps the names of the tools, which results have there too.
type translator struct {
	format string
	names  map[string]string // by the id of the call
	out    []string
	ids    int // of items
	// records is set for the formats of clients
	records *records
}

// records writes messages of the Messages API as those of a client. Where a part has a call together with its result,
// an answer of the model is held back until its results are there.
type records struct {
	*client
	held   []string // parts of the answer that is held back
	calls  []rawjson.Value
	merged bool // the answers to one prompt are one record
	ids    int
}

// isClient reports whether the messages of a format are those of a client.
func isClient(format string) bool {
	return format == msg.Pi || format == msg.OpenCode || format == msg.GeminiCLI || format == msg.AISDKUI
}

// isRecord reports whether a part of the format has a call together with its result.
func isRecord(format string) bool { return isClient(format) && format != msg.Pi }

// isTranslated reports whether the messages of a format are translated.
func isTranslated(format string) bool {
	return isClient(format) || format == msg.Gemini || format == msg.AISDK ||
		format == msg.OpenAIResponses || format == msg.Codex
}

// resultText returns the text of a result, and its image as a Gemini part.
func resultText(b rawjson.Value) (text, media string) {
	content := b.Member("content")
	text = content.Text()
	for _, part := range elements(content) {
		if part.Member("type").Text() == "text" {
			text += part.Member("text").Text()
		} else {
			media = `{"inlineData":{"mimeType":"image/png","data":` + string(part.Member("source").Member("data")) + `}}`
		}
	}
	return text, media
}
