package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFresh fails when the declarations that are checked in no longer say what the structs say.
func TestFresh(t *testing.T) {
	root := "../.."
	want, err := declarations(root)
	require.NoError(t, err)
	have, err := os.ReadFile(root + "/" + target)
	require.NoError(t, err)
	require.Equal(t, want, string(have), "stale: run make types")
}
