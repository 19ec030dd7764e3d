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
	answer := wire.Handle(strings.Repeat("世", 100), []byte("{}"))
	require.True(t, utf8.Valid(answer))
	require.Contains(t, string(answer), strings.Repeat("世", 40)+"…")
	require.NotContains(t, string(answer), strings.Repeat("世", 41))
	require.NotContains(t, string(answer), "\uFFFD")
}
