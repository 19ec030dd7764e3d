package document_test

import (
	"testing"

	"tamp/core/internal/convtest/codecs"
)

func TestCodecs(t *testing.T) {
	codecs.Run(t, "anthropic", "openaichat", "responses", "gemini", "aisdkui")
}
