package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// home is the working directory of the recorded sessions. Every path of this machine is renamed to one below it.
const home = "/home/dev/tamp"

// tree is a scratch copy of the repository; tools read and write only there.
type tree struct {
	dir   string
	scrub *strings.Replacer
}

// maxFileBytes is the maximum size of copied files; larger ones are built or downloaded, and no story reads them.
const maxFileBytes = 1 << 20

// newTree copies the sources below root. Remove it when done.
func newTree(root string) (*tree, error) {
	dir, err := os.MkdirTemp("", "tamp-recorder-")
	if err != nil {
		return nil, err
	}
	t := &tree{dir: dir}
	if err := copySources(root, dir); err != nil {
		t.remove()
		return nil, fmt.Errorf("cannot copy the repository: %w", err)
	}
	if t.scrub, err = machinePlaces(dir); err != nil {
		t.remove()
		return nil, err
	}
	return t, nil
}

func (t *tree) remove() { os.RemoveAll(t.dir) }

// copySources omits ignored files and the recorded examples: a recording must not depend on the previous one.
func copySources(root, dir string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted since its directory was listed
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || rel == "." {
			return err
		}
		slash := filepath.ToSlash(rel)
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || slash == "web/examples" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, rel), 0o755)
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxFileBytes || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, rel), data, 0o644)
	})
}

// path turns a tool's path into one of the scratch copy, and refuses a path outside it.
func (t *tree) path(rel string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return "", fmt.Errorf("%s is outside the repository", rel)
	}
	return filepath.Join(t.dir, filepath.FromSlash(rel)), nil
}

// files lists the files at or below a path, slash-separated and sorted.
func (t *tree) files(rel string) ([]string, error) {
	start, err := t.path(rel)
	if err != nil {
		return nil, err
	}
	var found []string
	err = filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(t.dir, path)
		found = append(found, filepath.ToSlash(name))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("no such file or directory")
	}
	slices.Sort(found)
	return found, err
}

func (t *tree) list(rel string) (string, bool) {
	files, err := t.files(rel)
	if err != nil {
		return failure("list", rel, err)
	}
	return strings.Join(files, "\n"), false
}

func (t *tree) read(rel string, from, to int) (string, bool) {
	path, err := t.path(rel)
	if err != nil {
		return failure("read", rel, err)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("no such file")
	}
	if err != nil {
		return failure("read", rel, err)
	}
	return numbered(string(data), from, to), false
}

// line returns the number of the first line that holds text.
func (t *tree) line(rel, text string) (int, error) {
	path, err := t.path(rel)
	if err != nil {
		return 0, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("cannot read %s: no such file", rel)
	}
	before, _, found := strings.Cut(string(data), text)
	if !found {
		return 0, fmt.Errorf("%s does not hold %q", rel, text)
	}
	return strings.Count(before, "\n") + 1, nil
}

// search prints the matching lines below a path, as grep -rn does.
func (t *tree) search(pattern, rel string) (string, bool) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return failure("search for", pattern, err)
	}
	files, err := t.files(rel)
	if err != nil {
		return failure("search", rel, err)
	}
	var out []string
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(name)))
		if err != nil {
			return failure("search", name, err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if re.MatchString(line) {
				out = append(out, fmt.Sprintf("%s:%d:%s", name, i+1, line))
			}
		}
	}
	if len(out) == 0 {
		return "no matches", false
	}
	return strings.Join(out, "\n"), false
}

// edit replaces the only occurrence of old, and shows the lines around the new text.
func (t *tree) edit(rel, old, new string) (string, bool) {
	path, err := t.path(rel)
	if err != nil {
		return failure("edit", rel, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return failure("edit", rel, errors.New("no such file"))
	}
	text := string(data)
	switch n := strings.Count(text, old); {
	case old == "":
		return failure("edit", rel, errors.New("the text to replace is empty"))
	case n == 0:
		return failure("edit", rel, errors.New("the text to replace is not there"))
	case n > 1:
		return failure("edit", rel, fmt.Errorf("the text to replace is there %d times", n))
	}
	before, after, _ := strings.Cut(text, old)
	text = before + new + after
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return failure("edit", rel, err)
	}
	first := strings.Count(before, "\n") + 1
	last := first + strings.Count(strings.TrimSuffix(new, "\n"), "\n")
	return fmt.Sprintf("edited %s, which now reads:\n%s", rel, numbered(text, max(first-3, 1), last+3)), false
}

func (t *tree) write(rel, content string) (string, bool) {
	path, err := t.path(rel)
	if err != nil {
		return failure("write", rel, err)
	}
	if _, err := os.Stat(path); err == nil {
		return failure("write", rel, errors.New("the file exists; edit it"))
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		return failure("write", rel, errors.New("no such directory"))
	}
	return fmt.Sprintf("wrote %s (%d lines)", rel, strings.Count(content, "\n")), false
}

func failure(verb, what string, err error) (string, bool) {
	return fmt.Sprintf("cannot %s %s: %s", verb, what, err), true
}

// numbered prints lines from..to (from 1, both included; 0 means open) as cat -n does.
func numbered(text string, from, to int) string {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if to == 0 || to > len(all) {
		to = len(all)
	}
	var out strings.Builder
	for i := max(from, 1); i <= to; i++ {
		fmt.Fprintf(&out, "%6d\t%s\n", i, all[i-1])
	}
	return strings.TrimSuffix(out.String(), "\n")
}
