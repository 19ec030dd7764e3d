package texts

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// place is a folder of this machine with texts of a class. An absent folder is skipped.
type place struct {
	class, root, suffix string
	limit               int // bytes, so that no place dominates its class
}

// GoRoot is the folder of Go's own source tree, or "" if Go is not installed. A test that runs as wasm cannot start a
// program, so there GOROOT must be set; go test sets it for native tests.
func GoRoot() string {
	if root := os.Getenv("GOROOT"); root != "" {
		return root
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(root))
}

func places() []place {
	goroot := GoRoot()
	list := []place{
		{"go", goroot + "/src/net", ".go", 1 << 20},
		{"go", goroot + "/src/cmd/compile/internal/types2", ".go", 1 << 20},
		{"go", goroot + "/src/encoding", ".go", 1 << 19},
		{"python", "/usr/lib/python3", ".py", 1 << 20},
		{"python", "/usr/lib/python3.11", ".py", 1 << 20},
		{"js", "/usr/lib/node_modules/npm", ".js", 3 << 19},
		{"js", goroot + "/lib/wasm", ".js", 1 << 19},
		{"json", "/usr/lib/node_modules/npm", ".json", 1 << 19},
		{"english manual", "/usr/lib/node_modules/npm", ".md", 1 << 20},
		{"english manual", "/usr/share/doc", "README.gz", 1 << 19},
		{"lock", "/usr/lib/node_modules/npm", "package-lock.json", 1 << 20},
		{"lock", goroot + "/src", "go.sum", 1 << 19},
	}
	for _, lang := range []struct{ class, dir string }{
		{"german", "de"}, {"spanish", "es"}, {"french", "fr"}, {"portuguese", "pt_BR"}, {"russian", "ru"},
		{"ukrainian", "uk"},
		{"polish", "pl"}, {"japanese", "ja"}, {"korean", "ko"}, {"chinese", "zh_CN"}, {"taiwanese", "zh_TW"},
		{"italian", "it"},
		{"dutch", "nl"}, {"turkish", "tr"}, {"swedish", "sv"},
	} {
		list = append(list, place{lang.class + " manual", "/usr/share/man/" + lang.dir, ".gz", 1 << 19})
	}
	for _, lang := range []struct{ class, dir string }{
		{"spanish", "es"}, {"french", "fr"}, {"portuguese", "pt"}, {"russian", "ru"}, {"ukrainian", "uk"},
		{"taiwanese", "zh_TW"},
		{"arabic", "ar"}, {"greek", "el"}, {"thai", "th"}, {"hindi", "hi"}, {"vietnamese", "vi"}, {"hebrew", "he"},
		{"persian", "fa"}, {"czech", "cs"},
	} {
		list = append(list, place{lang.class + " messages", "/usr/share/locale/" + lang.dir, ".mo", 1 << 19})
	}
	return list
}

// Machine returns the texts of places. Every second file is held out of the fit.
func Machine() []Text {
	var list []Text
	for _, p := range places() {
		left, n := p.limit, 0
		for _, name := range under(p.root, p.suffix) {
			body := read(name)
			if strings.HasSuffix(name, ".mo") {
				body = messages(body)
			}
			if len(body) < 400 || len(body) > left {
				continue
			}
			left -= len(body)
			if strings.Contains(p.root, "/man/") {
				body = unroff(body)
			}
			list = append(list, Text{Class: p.class, Name: fmt.Sprint(p.class, ":", filepath.Base(name)), Body: valid(body),
				Held: n%2 == 1})
			n++
		}
	}
	return list
}

func under(root, suffix string) []string {
	var names []string
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(name, suffix) && !strings.Contains(name, "testdata") &&
			!strings.Contains(name, "iconv") {
			names = append(names, name)
		}
		return nil
	})
	sort.Strings(names)
	return names
}

func read(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return ""
		}
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return ""
	}
	return string(raw)
}

// unroff returns the prose of a manual page.
func unroff(page string) string {
	var b strings.Builder
	for _, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "'") {
			b.WriteString(line + "\n")
		}
	}
	return strings.NewReplacer(`\fB`, "", `\fI`, "", `\fR`, "", `\fP`, "", `\-`, "-", `\&`, "", `\(bu`, "•", `\/`, "",
		`\e`, `\`).Replace(b.String())
}

// messages returns the longer translations of a GNU message catalog (a table of lengths and offsets), one on each line.
func messages(catalog string) string {
	word := func(at int) int {
		if at < 0 || at+4 > len(catalog) {
			return 0
		}
		return int(binary.LittleEndian.Uint32([]byte(catalog[at : at+4])))
	}
	var b strings.Builder
	if word(0) != 0x950412DE {
		return ""
	}
	for i := range word(8) {
		size, from := word(word(16)+8*i), word(word(16)+8*i+4)
		if i > 0 && size > 50 && from+size <= len(catalog) {
			b.WriteString(catalog[from:from+size] + "\n")
		}
	}
	return b.String()
}
