package convtest

import (
	"os"
	"path/filepath"
	"sort"
	"testing"
)

// Corpus lists the files of real conversations in the named folders. They are other people's work: tests read them where
// they are (TAMP_CORPUS, else shared/data beside the repository) and copy nothing. Where they are absent the
// list is empty and the test's log says so; what the project itself checks in covers every rule without them.
func Corpus(t testing.TB, folders ...string) []string {
	t.Helper()
	root := CorpusRoot()
	var files []string
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(root, folder, "*.json*"))
		files = append(files, found...)
	}
	sort.Strings(files)
	if len(files) == 0 {
		t.Logf("no real conversations at %s: set TAMP_CORPUS to a folder that has them", root)
	}
	return files
}

// CorpusRoot is where the real conversations are, whether or not they are there.
func CorpusRoot() string {
	if root := os.Getenv("TAMP_CORPUS"); root != "" {
		return root
	}
	return filepath.Join(Root(), "..", "shared", "data")
}

// Root is the folder of go.mod, above the folder that a test runs in.
func Root() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}
