//go:build !js

package gateway

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLRU(t *testing.T) {
	l := NewLRU(10)
	l.Keep("a", []byte("1234"))
	l.Keep("b", []byte("1234"))
	require.NotNil(t, l.Find("a"))
	l.Keep("c", []byte("1234"))
	require.Nil(t, l.Find("b"), "a was used later")
	require.Equal(t, "1234", string(l.Find("a")))
	l.Keep("a", []byte("12345"))
	require.Equal(t, "12345", string(l.Find("a")))
	l.Keep("d", bytes.Repeat([]byte("x"), 10))
	require.Nil(t, l.Find("d"))
	l.Keep("key", bytes.Repeat([]byte("x"), 10))
	require.NotNil(t, l.Find("a"), "too large an item replaces none")
	require.LessOrEqual(t, l.size, 10) // the limit above
}
