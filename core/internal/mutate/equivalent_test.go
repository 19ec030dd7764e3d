//go:build !js

package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every entry of equivalent.txt is a mutant of today's code, so that a renamed function does not leave a stale entry.
func TestEquivalentEntriesAreMutants(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	entries, problems := readEquivalent(equivalent)
	require.Empty(t, problems)
	mutants := map[string]bool{}
	for _, target := range targets {
		deps, err := goList(root, target.pkg, "-deps", "-export")
		require.NoError(t, err)
		found, _, err := write(root, t.TempDir(), deps, target.files, nil)
		require.NoError(t, err)
		for _, m := range found {
			mutants[m.key()] = true
		}
	}
	for key := range entries {
		if !mutants[key] {
			t.Errorf("no mutant has the key %s", key)
		}
	}
}
