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
	"tamp/core/replay"
	"tamp/core/validity"
)

// folders are the names of the packages below core/format that are not those of their formats.
var folders = map[string]format.Name{"aisdk": msg.AISDK, "aisdkui": msg.AISDKUI, "claudecode": msg.ClaudeCode,
	"copilotcli": msg.CopilotCLI, "geminicli": msg.GeminiCLI, "kimicli": msg.KimiCLI, "openaichat": msg.OpenAIChat,
	"qwencode": msg.QwenCode, "responses": msg.OpenAIResponses, "vscodechat": msg.VSCodeChat}

// parserOf returns the reader of a codec, of some without the recognition of formats, whose errors come first.
func parserOf(name format.Name) func([]byte) (*msg.Conversation, error) {
	read := format.Parse
	switch name {
	case msg.ClaudeCode:
		return claudecode.Parse
	case msg.Codex:
		return codex.Parse
	case msg.GeminiCLI:
		return geminicli.Parse
	case msg.Pi:
		return pi.Parse
	case msg.Anthropic, msg.OpenAIChat, msg.Gemini:
		read = format.Reparse
	}
	return func(data []byte) (*msg.Conversation, error) { return read(data, name) }
}

// OfFormat runs the scenarios of a codec for the test of its own package.
func OfFormat(t *testing.T, name format.Name) { convtest.Codec(t, codecOf(name, "")) }

// Fuzz reads inputs like those of the scenarios of a codec, and writes them again. cut is one more byte of the fuzzer.
func Fuzz(f *testing.F, name format.Name, more func(t *testing.T, c *msg.Conversation, cut int)) {
	convtest.AddInputs(f, func(input []byte) { f.Add(input, uint8(len(input))) })
	codec := codecOf(name, "")
	f.Fuzz(func(t *testing.T, data []byte, cut uint8) {
		if c := codec.ReadsBack(t, data); c != nil && more != nil {
			more(t, c, int(cut))
		}
	})
}

// Run runs the scenarios of codecs for a test two folders below core/format.
func Run(t *testing.T, names ...string) {
	for _, folder := range names {
		name, ok := folders[folder]
		if !ok {
			name = folder
		}
		t.Run(folder, func(t *testing.T) { convtest.Codec(t, codecOf(name, "../../../"+folder+"/testdata/")) })
	}
}

func codecOf(name format.Name, from string) convtest.Conversations {
	return convtest.Conversations{
		From:   from,
		Parse:  parserOf(name),
		Render: format.Render,
		Earlier: func(c *msg.Conversation) (segments []*msg.Conversation, lines []string) {
			s := format.SegmentsOf(c)
			for _, o := range s.Others {
				lines = append(lines, fmt.Sprintf("other: %s %q %q %s chain=%d side=%v time=%s %s", o.Path, o.ID, o.Model,
					convtest.Usage(o.Usage), o.Chain, o.Side, o.Time, o.Raw))
			}
			if s.Unread {
				lines = append(lines, "a segment is unread")
			}
			for _, p := range validity.Check(c) {
				lines = append(lines, fmt.Sprintf("%s %s at %q", p.Severity, p.Rule, p.Path))
			}
			if u, _ := replay.Billed(c, replay.Options{}); u != nil && len(u.Bills) > 0 {
				lines = append(lines, fmt.Sprintf("billed: %d calls, %d of subagents, %d on other branches", u.Calls,
					u.Subagents.Calls, u.Branches.Calls))
			}
			return s.Earlier, lines
		},
	}
}
