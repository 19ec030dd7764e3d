package estimate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
)

// requireSameWalk compares the walk by windows with the walk by bytes.
func requireSameWalk(t require.TestingT, text string) {
	state := walkState{unknownWordRate: initialUnknownWordRate}
	_, sum := fitted.bytes(text, 0, len(text), &state, nil)
	require.Equal(t, (sum+WeightOfOne-1)/WeightOfOne, fitted.walk(text, nil), "%.300q", text)
}

func TestWindowsWeighAsBytesDo(t *testing.T) {
	piece := rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z' ]{0,30}`),
		rapid.StringMatching(`[\t\n\r ]{0,9}[{}()\[\]"\\=*.;]{0,12}[nrt]?`),
		rapid.StringMatching(`[A-Z]{0,20}[a-z]{0,20}('([sS]|ll|Re|x))?[0-9]{0,9}`),
		rapid.SampledFrom([]string{"é", "Å", "ñandú", "\x00", "\x1b[0m", "\x7f", "\xff", "世界", "\v\f", "it's", "\n\n", " ",
			"\t", "'"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		requireSameWalk(t, strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), ""))
	})
}

func TestWindowsOnRealTexts(t *testing.T) {
	own, err := filepath.Glob("../../internal/convtest/texts/testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, own)
	for _, path := range own {
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		requireSameWalk(t, string(body))
	}
}

func TestWindowsOnRealConversations(t *testing.T) {
	for _, path := range convtest.Corpus(t, "anthropic", "claude-code", "openai-chat") {
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		requireSameWalk(t, string(body))
	}
}
