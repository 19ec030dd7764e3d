// Package codecs runs the scenarios of several codecs at once, for the tests of the packages that codecs share.
package codecs

import (
	"fmt"
	"testing"

	"tamp/core/format"
	"tamp/core/format/claudecode"
	"tamp/core/format/codex"
	"tamp/core/format/geminicli"
	"tamp/core/format/pi"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
)

// folders are the names of the packages below core/format that are not those of their formats.
var folders = map[string]format.Name{"aisdk": msg.AISDK, "aisdkui": msg.AISDKUI, "claudecode": msg.ClaudeCode,
	"copilotcli": msg.CopilotCLI, "geminicli": msg.GeminiCLI, "kimicli": msg.KimiCLI, "openaichat": msg.OpenAIChat,
	"qwencode": msg.QwenCode, "responses": msg.OpenAIResponses, "vscodechat": msg.VSCodeChat}

// parsers are those of logs with lines that are not recognized, which their packages read.
var parsers = map[format.Name]func([]byte) (*msg.Conversation, error){msg.ClaudeCode: claudecode.Parse,
	msg.Codex: codex.Parse, msg.GeminiCLI: geminicli.Parse, msg.Pi: pi.Parse}

// OfFormat runs the scenarios of a codec for the test of its own package.
func OfFormat(t *testing.T, name format.Name) { run(t, name, "") }

// Run runs the scenarios of codecs for a test two folders below core/format.
func Run(t *testing.T, names ...string) {
	for _, folder := range names {
		name, ok := folders[folder]
		if !ok {
			name = folder
		}
		t.Run(folder, func(t *testing.T) { run(t, name, "../../../"+folder+"/testdata/") })
	}
}

func run(t *testing.T, name format.Name, from string) {
	parse := parsers[name]
	if parse == nil {
		parse = func(data []byte) (*msg.Conversation, error) { return format.Parse(data, name) }
	}
	convtest.Codec(t, convtest.Conversations{
		From:   from,
		Parse:  parse,
		Render: format.Render,
		Earlier: func(c *msg.Conversation) (segments []*msg.Conversation, others []string) {
			s := format.SegmentsOf(c)
			for _, o := range s.Others {
				others = append(others, fmt.Sprintf("%s %q %q %s chain=%d side=%v time=%s %s", o.Path, o.ID, o.Model,
					convtest.Usage(o.Usage), o.Chain, o.Side, o.Time, o.Raw))
			}
			return s.Earlier, others
		},
	})
}
