package wire

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Version is the source. npm needs a literal in package.json, and the changelog names the releases.
func TestVersionIsTheSameEverywhere(t *testing.T) {
	require.Regexp(t, `^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`, Version)

	raw, err := os.ReadFile("../../wasm/npm/package.json")
	require.NoError(t, err)
	var npm struct{ Version string }
	require.NoError(t, json.Unmarshal(raw, &npm))
	require.Equal(t, Version, npm.Version, "the version of wasm/npm/package.json")

	raw, err = os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	headings := regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(string(raw), -1)
	require.NotEmpty(t, headings)
	if headings[0][1] == "Unreleased" {
		headings = headings[1:]
	}
	if len(headings) > 0 {
		require.Equal(t, Version, headings[0][1], "the newest release of CHANGELOG.md")
	}
}
