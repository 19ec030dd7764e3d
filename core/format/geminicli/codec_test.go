package geminicli_test

import (
	"testing"

	"tamp/core/format/geminicli"
	"tamp/core/internal/convtest"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{Parse: geminicli.Parse, Render: geminicli.Render})
}
