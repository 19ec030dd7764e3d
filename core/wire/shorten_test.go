package wire_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
)

// The error for an unknown operation quotes the name only in part. The name here has a code point across byte 40.
func TestUnknownOperationIsCutBetweenCodePoints(t *testing.T) {
	_, err := new(wire.Engine).Do(strings.Repeat("世", 100), []byte("{}"), nil)
	require.Error(t, err)
	answer := wire.EncodeError(err)
	require.True(t, utf8.Valid(answer))
	require.Contains(t, string(answer), strings.Repeat("世", 40)+"…")
	require.NotContains(t, string(answer), strings.Repeat("世", 41))
	require.NotContains(t, string(answer), "\uFFFD")
}
