package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

type list struct {
	Version string
	Files   map[string]string
	Later   map[string]string
}

func listed(t *testing.T, s *Site) list {
	t.Helper()
	w := ask(s, "GET", "/files.json")
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var l list
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &l))
	return l
}

func TestListNamesEveryFileWithItsDigest(t *testing.T) {
	s, web, npm := playground(t)
	for _, name := range []string{"sw.js", "picture.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(web, name), []byte("x"), 0o644))
	}
	l := listed(t, s)
	require.Len(t, l.Files, 6)
	require.Len(t, l.Later, 1, "a vocabulary is downloaded at its first use")
	require.Contains(t, l.Later, "npm/vocab/o200k_base.bin")
	all := maps.Clone(l.Files)
	maps.Copy(all, l.Later)
	for name, digest := range all {
		sum := sha256.Sum256(ask(s, "GET", "/"+name).Body.Bytes())
		require.Equal(t, hex.EncodeToString(sum[:]), digest, name)
	}
	require.Equal(t, l, listed(t, s), "the same files are the same version")

	require.NoError(t, os.WriteFile(filepath.Join(npm, "index.js"), []byte("export const load = 2"), 0o644))
	next := listed(t, s)
	require.NotEqual(t, l.Version, next.Version)
	require.NotEqual(t, l.Files["npm/index.js"], next.Files["npm/index.js"])
	require.Equal(t, l.Files["index.html"], next.Files["index.html"])
}
