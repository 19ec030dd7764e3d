//go:build !js

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// sharedFolder is the folder whose files the tools of mcp read and write.
//
// Invariant: a path of a client names a file that is, after all symbolic links, in the folder, or the archive that the
// user named; what is written is a new file next to one that was read.
type sharedFolder struct {
	*call
	home string // its real path
	root *os.Root
}

func (c *call) sharedFolder() (f *sharedFolder, err error) {
	f = &sharedFolder{call: c}
	name := cmp.Or(c.given["root"], ".")
	if f.home, err = realPath(name); err == nil {
		f.root, err = os.OpenRoot(f.home)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot serve %s: %w", name, plainError(err))
	}
	return f, nil
}

// inside returns the path of a file that a client names, relative to the folder and without symbolic links.
func (f *sharedFolder) inside(name string) (path string, err error) {
	if path = name; !filepath.IsAbs(path) {
		path = filepath.Join(f.home, path)
	}
	if path, err = filepath.EvalSymlinks(path); err == nil {
		path, err = filepath.Rel(f.home, path)
	}
	if err != nil || !filepath.IsLocal(path) { // the reason would tell which files exist outside
		return "", errors.New("cannot read " + name + ": it is not in the folder of this server, or does not exist")
	}
	return path, nil
}

func (f *sharedFolder) contentOf(name string) (path string, text []byte, err error) {
	if path, err = f.inside(name); err == nil {
		text, err = content(f.root, path)
	}
	return path, text, err
}

// content reads a file below root. A pipe does not block, and no part of the path may have become a link out of root.
func content(root *os.Root, path string) (text []byte, err error) {
	file, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		defer file.Close()
		if info, failed := file.Stat(); failed == nil && !info.Mode().IsRegular() {
			err = errors.New("it is not a file")
		} else {
			text, err = new(reader).content(nil, file)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, plainError(err))
	}
	return text, nil
}

// originals reads an archive, or those in a folder that the plugin for Claude Code writes. Without a name it is the one
// that the user named, if there is one, which may be outside.
func (f *sharedFolder) originals(name string) (all []string, err error) {
	root, path := f.root, ""
	if given := f.given["archive"]; name != "" || given == "" {
		path, err = f.inside(name)
	} else if path, err = realPath(given); err == nil {
		root, err = os.OpenRoot(filepath.Dir(path))
		path = filepath.Base(path)
	}
	if err != nil {
		return nil, plainError(err)
	}
	var files []string
	entries, _ := fs.ReadDir(root.FS(), filepath.ToSlash(path)) // nil: it is no folder
	for _, entry := range entries {
		if isOriginals(entry.Name()) {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	if len(files) == 0 {
		files = []string{path}
	}
	for _, file := range files {
		text, err := content(root, file)
		if err != nil {
			return nil, err
		}
		all = append(all, string(text))
	}
	return all, nil
}

// create writes a new file, for its owner only.
func (f *sharedFolder) create(path string, text []byte) error {
	file, err := f.root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return plainError(err)
	}
	_, err = file.Write(text)
	return cmp.Or(err, file.Close())
}
