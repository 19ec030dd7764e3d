//go:build !js

package npm

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// NOTICE.md has the licence of each module that is linked to what Tamp ships: tamp.wasm, the server, and the Worker for
// Cloudflare. All three ship it: the package, the page at npm/NOTICE.md, the program with its files, and the image.
func TestNotice(t *testing.T) {
	words := func(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }
	file, err := Files.ReadFile("NOTICE.md")
	require.NoError(t, err)
	notice := words(file)
	for _, target := range [][]string{{"js", "wasm", "tamp/wasm"}, {"linux", "amd64", "tamp/cmd/tamp"},
		{"js", "wasm", "tamp/worker"}} {
		list := exec.Command("go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}} {{$.Dir}}{{end}}{{end}}", target[2])
		list.Env = append(os.Environ(), "GOOS="+target[0], "GOARCH="+target[1])
		output, err := list.Output()
		require.NoError(t, err)
		licensed := map[string]bool{}
		for line := range strings.Lines(string(output)) {
			module, folders, _ := strings.Cut(strings.TrimSpace(line), " ")
			root, dir, _ := strings.Cut(folders, " ")
			licensed[module] = licensed[module] || false
			for ; strings.HasPrefix(dir, root); dir = filepath.Dir(dir) { // a package may have a licence of its own
				licences, err := filepath.Glob(filepath.Join(dir, "LICEN[CS]E*"))
				require.NoError(t, err)
				for _, path := range licences {
					text, err := os.ReadFile(path)
					require.NoError(t, err)
					require.True(t, strings.Contains(notice, words(text)), "NOTICE.md lacks the text of %s", path)
					licensed[module] = true
				}
			}
		}
		for module, found := range licensed {
			require.True(t, found, "%s has no LICENSE file: find its licence", module)
			require.True(t, strings.Contains(notice, "| "+module+" |"), "NOTICE.md has no row for %s", module)
		}
	}
	require.True(t, strings.Contains(notice, "Copyright 2009 The Go Authors."))
}
