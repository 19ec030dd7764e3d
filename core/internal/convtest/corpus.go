package convtest

import (
	"os"
	"path/filepath"
	"sort"
	"testing"
)

// Corpus lists the files of real conversations in the named folders. They are other people's work: tests read them in
// place (TAMP_CORPUS, else shared/data next to the repository) and copy nothing. Without a corpus the test is skipped;
// the files that the project itself checks in cover every rule. With a corpus, a folder without files fails the test.
func Corpus(t testing.TB, folders ...string) []string {
	t.Helper()
	root := NeedCorpus(t)
	var files []string
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(root, folder, "*.json*"))
		if len(found) == 0 {
			t.Fatalf("no conversations in %s", filepath.Join(root, folder))
		}
		files = append(files, found...)
	}
	sort.Strings(files)
	return files
}

// NeedCorpus returns the folder of the real conversations. It skips the test if the folder does not exist.
func NeedCorpus(t testing.TB) string {
	t.Helper()
	if !HasCorpus() {
		t.Skipf("no real conversations at %s: set TAMP_CORPUS to a folder that has them", CorpusRoot())
	}
	return CorpusRoot()
}

// HasCorpus reports whether the folder of the real conversations exists.
func HasCorpus() bool {
	_, err := os.Stat(CorpusRoot())
	return err == nil
}

// CorpusRoot returns the path of the folder with the real conversations. The folder may not exist.
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

// Set is a folder of real conversations, by format.
type Set struct {
	Name string // "data", else the name of its folder
	root string
}

// Sets lists the sets of real conversations that exist: the corpus, the folder "more" next to it, and those that
// TAMP_SESSIONS lists. It skips the test if there is no corpus.
func Sets(t testing.TB) []Set {
	t.Helper()
	sets := []Set{{"data", NeedCorpus(t)}}
	folders := append([]string{filepath.Join(filepath.Dir(CorpusRoot()), "more")},
		filepath.SplitList(os.Getenv("TAMP_SESSIONS"))...)
	for _, folder := range folders {
		if isFolder(folder) {
			sets = append(sets, Set{filepath.Base(folder), folder})
		}
	}
	return sets
}

// Files lists the conversations in one folder of the set, sorted. The list may be empty.
func (s Set) Files(folder string) []string {
	files, _ := filepath.Glob(filepath.Join(s.root, folder, "*.json*"))
	sort.Strings(files)
	return files
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
