// Package codecs runs the scenarios of several codecs at once, for the tests of the packages that codecs share.
package codecs

import (
	"fmt"
	"testing"

	"tamp/core/format"
	"tamp/core/format/anthropic"
	"tamp/core/format/claudecode"
	"tamp/core/format/codex"
	"tamp/core/format/gemini"
	"tamp/core/format/geminicli"
	"tamp/core/format/openaichat"
	"tamp/core/format/pi"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// parse returns the reader of a package below core/format.
func parse(name string) func([]byte) (*msg.Conversation, error) {
	parsers := map[string]func([]byte) (*msg.Conversation, error){"anthropic": anthropic.Parse,
		"claudecode": claudecode.Parse, "codex": codex.Parse, "gemini": gemini.Parse, "geminicli": geminicli.Parse,
		"openaichat": openaichat.Parse, "pi": pi.Parse}
	if read, ok := parsers[name]; ok {
		return read
	}
	formats := map[string]format.Name{"aisdk": msg.AISDK, "aisdkui": msg.AISDKUI,
		"opencode": msg.OpenCode, "responses": msg.OpenAIResponses, "cline": msg.Cline, "qwencode": msg.QwenCode,
		"kimicli": msg.KimiCLI, "copilotcli": msg.CopilotCLI, "aider": msg.Aider,
		"vscodechat": msg.VSCodeChat}
	return func(data []byte) (*msg.Conversation, error) { return format.Parse(data, formats[name]) }
}

// OfFormat runs the scenarios of a codec for the test of its own package.
func OfFormat(t *testing.T, name format.Name) {
	convtest.Codec(t, convtest.Conversations{
		Parse:  func(data []byte) (*msg.Conversation, error) { return format.Parse(data, name) },
		Render: format.Render,
		Earlier: func(c *msg.Conversation) ([]*msg.Conversation, []string) {
			return format.SegmentsOf(c).Earlier, nil
		},
	})
}

// Run runs the scenarios of codecs for a test two folders below core/format.
func Run(t *testing.T, names ...string) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			convtest.Codec(t, convtest.Conversations{
				From:   "../../../" + name + "/testdata/",
				Parse:  parse(name),
				Render: format.Render,
				Earlier: func(c *msg.Conversation) (segments []*msg.Conversation, others []string) {
					s := format.SegmentsOf(c)
					for _, o := range s.Others {
						others = append(others, fmt.Sprintf("%s %q %q %s chain=%d side=%v time=%s %s", o.Path, o.ID, o.Model,
							convtest.Usage(o.Usage),
							o.Chain, o.Side, o.Time, o.Raw))
					}
					return s.Earlier, others
				},
			})
		})
	}
}
