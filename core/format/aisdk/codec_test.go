package aisdk_test

import (
	"testing"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{Parse: func(data []byte) (*msg.Conversation, error) { return format.Parse(data, msg.AISDK) }, Render: format.Render})
}
