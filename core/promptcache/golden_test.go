package promptcache

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// TestGolden runs the scenarios of testdata: prose, then the inputs options.json and input.json, and the expected
// outputs anchors.txt and output.json.
func TestGolden(t *testing.T) {
	convtest.Golden(t, "anchor_*.txtar", func(t *testing.T, s *convtest.Scenario) {
		anchors, output := scenario(t, s.Section("options.json"), s.Section("input.json"))
		s.Want("anchors.txt", anchors)
		s.Want("output.json", output)
	})
}

func scenario(t *testing.T, options, input []byte) (anchors, output []byte) {
	var o struct {
		TTL                      string
		Max, IdleSec, TurnsAfter int
		Changing                 []int // messages that a pass will change
	}
	require.NoError(t, json.Unmarshal(options, &o))
	c, err := format.Parse(input, "")
	require.NoError(t, err)
	r, err := Rank(c, Options{TTL: o.TTL, Max: o.Max, IdleSec: o.IdleSec, TurnsAfter: o.TurnsAfter,
		Count: tokens.Chars4,
		Stable: func(r msg.Ref) bool {
			for _, m := range o.Changing {
				if r.Message == m {
					return false
				}
			}
			return true
		}})
	require.NoError(t, err)
	var text bytes.Buffer
	if r.Note != "" {
		fmt.Fprintln(&text, r.Note)
	}
	for _, a := range r.Anchors {
		mark := " "
		if a.Chosen {
			mark = "+"
		}
		fmt.Fprintf(&text, "%s %-15s %-27s %5d tokens x %3d = %4d  %5d new: %5d %5d %5d  %s  %s\n", mark, a.Kind, a.Path,
			a.TokensBefore, a.HitPermille, a.Value, a.Tokens, a.InputCost, a.WriteCost, a.ReadCost, a.TTL, a.Reason)
	}
	output, err = format.Render(r.Conversation)
	require.NoError(t, err)
	return text.Bytes(), output
}

// Real requests: only their breakpoints change, and no request gets a new violation of a rule.
func TestCorpus(t *testing.T) {
	for _, file := range convtest.Corpus(t, "anthropic", "openai-chat", "claude-code") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := format.Parse(data, "")
			require.NoError(t, err)
			r, err := Rank(c, Options{Model: "claude-sonnet-4-5"})
			require.NoError(t, err)
			out, err := format.Render(r.Conversation)
			require.NoError(t, err)
			got, err := format.Parse(out, "")
			require.NoError(t, err)
			require.Len(t, validity.Check(got), len(validity.Check(c)))
			if c.Format != msg.Anthropic {
				require.True(t, bytes.Equal(data, out))
				return
			}
			requireValidCache(t, got)
			require.Equal(t, chosenIn(r), len(found(got)))
			require.LessOrEqual(t, len(found(got)), Limit)
		})
	}
}
