package opencode_test

import (
	"testing"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) {
	parse := func(data []byte) (*msg.Conversation, error) { return format.Parse(data, msg.OpenCode) }
	convtest.Codec(t, convtest.Conversations{Parse: parse, Render: format.Render,
		Earlier: func(c *msg.Conversation) ([]*msg.Conversation, []string) { return format.SegmentsOf(c).Earlier, nil }})
}
