//go:build !js

package bpe_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/texts"
)

// all selects every byte of every file, which takes minutes: the reference does 3 MB a second.
var all = os.Getenv("TAMP_ALL") != ""

// TestCorpus compares on the real conversations: the files as they are, and the texts in them that a model would see.
func TestCorpus(t *testing.T) {
	paths := slices.DeleteFunc(files(t, convtest.NeedCorpus(t), ""),
		func(path string) bool { return filepath.Ext(path) == ".enc" })
	require.NotEmpty(t, paths)
	window := 24 << 10
	if convtest.Fewer() {
		window = 8 << 10
	}
	compare(t, paths, window, func(raw []byte) string {
		return string(raw) + strings.Join(texts.Visible(raw), "\n")
	})
}

// TestGoSource compares on Go's own source tree.
func TestGoSource(t *testing.T) {
	paths := files(t, filepath.Join(texts.GoRoot(), "src"), ".go")
	require.NotEmpty(t, paths)
	if !all {
		var some []string
		for i := 0; i < len(paths); i += 90 {
			some = append(some, paths[i])
		}
		paths = some
	}
	compare(t, paths, 24<<10, func(raw []byte) string { return string(raw) })
}

func files(t *testing.T, root, suffix string) (paths []string) {
	if _, err := os.Stat(root); err != nil {
		return nil
	}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// compare compares each file: all of it, or a window of it that moves from file to file.
func compare(t *testing.T, paths []string, window int, read func([]byte) string) {
	each(t, func(t *testing.T, b both) {
		t.Parallel()
		bytes := 0
		for i, path := range paths {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			text := read(raw)
			if !all && len(text) > window {
				at := (len(text) - window) * (i % 7) / 6
				text = text[at : at+window]
			}
			bytes += len(text)
			b.agree(t, text)
			if t.Failed() {
				t.Fatal(path)
			}
		}
		t.Logf("%d files, %d bytes, token for token", len(paths), bytes)
	})
}
