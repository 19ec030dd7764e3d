package pi_test

import (
	"fmt"
	"strings"
	"testing"

	"tamp/core/format/pi"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) {
	convtest.Codec(t, convtest.Conversations{
		Parse: pi.Parse, Render: pi.Render,
		Earlier: func(c *msg.Conversation) (segments []*msg.Conversation, others []string) {
			s := pi.Segments(c)
			for _, o := range s.Others {
				others = append(others, fmt.Sprintf("%s %q %q %s chain=%d side=%v time=%s %s", o.Path, o.ID, o.Model, strings.Replace(fmt.Sprintf("%+v", *o.Usage), " Tier:}", "}", 1), o.Chain,
					o.Side, o.Time, o.Raw))
			}
			return s.Earlier, others
		},
	})
}
