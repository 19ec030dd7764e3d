package openaichat_test

import (
	"testing"

	"tamp/core/format/openaichat"
	"tamp/core/internal/convtest"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{Parse: openaichat.Parse, Render: openaichat.Render})
}
