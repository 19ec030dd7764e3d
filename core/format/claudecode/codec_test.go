package claudecode_test

import (
	"fmt"
	"testing"

	"tamp/core/format/claudecode"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{
		Parse: claudecode.Parse, Render: claudecode.Render,
		Earlier: func(c *msg.Conversation) (segments []*msg.Conversation, others []string) {
			s := claudecode.Segments(c)
			for _, o := range s.Others {
				others = append(others, fmt.Sprintf("%s %q %q %s chain=%d side=%v time=%s %s", o.Path, o.ID, o.Model, convtest.Usage(o.Usage), o.Chain,
					o.Side, o.Time, o.Raw))
			}
			return s.Earlier, others
		},
	})
}
