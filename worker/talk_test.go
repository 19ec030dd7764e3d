//go:build !js

package worker

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Conversations of the tests.

// sources are files of this program, which the agents of the tests read repeatedly.
var sources = sync.OnceValue(func() map[string]string {
	paths, _ := filepath.Glob("*.go")
	texts := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err == nil && !strings.HasSuffix(path, "_test.go") {
			texts[path] = string(data[:min(len(data), 3000)])
		}
	}
	return texts
})

// talk returns a conversation of at least that many bytes, different for each name. It contains the marker.
func talk(name string, size int) string {
	var b strings.Builder
	b.WriteString(`{"model":"claude-opus-4-5","max_tokens":4096,"system":"You are a careful engineer.","messages":[{"role":"user","content":`)
	b.Write(encode(marker + " " + name + ". Go through every file and report what it does."))
	b.WriteString(`}`)
	for i := 0; b.Len() < size; {
		for _, path := range slices.Sorted(maps.Keys(sources())) {
			id := "toolu_" + strconv.Itoa(i)
			i++
			b.WriteString(`,{"role":"assistant","content":[{"type":"text","text":"Next I read ` + path +
				`, since its callers changed."},{"type":"tool_use","id":"` + id +
				`","name":"read","input":{"path":"` + path +
				`"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":`)
			b.Write(encode(name + " " + sources()[path]))
			b.WriteString(`}]}`)
			if b.Len() >= size {
				break
			}
		}
	}
	return b.String() + `,{"role":"assistant","content":"That is all of them."}]}`
}

// corpus lists files with real conversations of these formats. They are not part of this project, so tests read them in
// place.
func corpus(t testing.TB, folders ...string) []string {
	root := os.Getenv("TAMP_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "data")
	}
	var files []string
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(root, folder, "*.json*"))
		files = append(files, found...)
	}
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no real conversations at %s: set TAMP_CORPUS to a folder that has them", root)
	}
	if len(files) == 0 {
		t.Fatalf("no conversations of these kinds at %s", root)
	}
	return files
}

// sourceNames has a name of each source, so that it can be a part of the summary of any.
func sourceNames() string {
	var all []string
	for _, path := range slices.Sorted(maps.Keys(sources())) {
		all = append(all, camelCase.FindString(sources()[path]))
	}
	return strings.Join(all, " ")
}

var camelCase = regexp.MustCompile(`\b[a-z]+[A-Z][A-Za-z]+\b`)
