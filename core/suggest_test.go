package core_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/rawjson"
	"tamp/core/policy"
)

// An error quotes a long name of the caller's only in part. The name here has a code point across byte 60.
func TestErrorsCutNamesBetweenCodePoints(t *testing.T) {
	name := "a" + strings.Repeat("世", 100)
	_, unknownPreset := policy.Preset(name)
	_, unknownFormat := core.Tools(name)
	_, unknownField := policy.Parse("", []byte(`{`+string(rawjson.Quote(name))+`: 1}`))
	for _, err := range []error{unknownPreset, unknownFormat, unknownField} {
		require.Error(t, err)
		require.True(t, utf8.ValidString(err.Error()), "%q", err)
		require.Contains(t, err.Error(), "a"+strings.Repeat("世", 59)+"…")
		require.NotContains(t, err.Error(), strings.Repeat("世", 60))
	}
}
