package gemini_test

import (
	"testing"

	"tamp/core/format/gemini"
	"tamp/core/internal/convtest"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{Parse: gemini.Parse, Render: gemini.Render})
}
