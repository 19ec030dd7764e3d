package anthropic_test

import (
	"testing"

	"tamp/core/format/anthropic"
	"tamp/core/internal/convtest"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{Parse: anthropic.Parse, Render: anthropic.Render})
}
