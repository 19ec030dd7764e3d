package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// NewDir keeps originals as files of a directory, which it creates at the first write. Only the owner can read them
// (mode 0600), since they are conversations. It is for a native server; a Worker has no files.
func NewDir(path string) Store { return checkedStore{dir(path), r2Limit} }

type dir string

func (d dir) read(_ context.Context, ref string) ([]byte, bool, error) {
	data, err := os.ReadFile(filepath.Join(string(d), ref))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// write creates a temporary file and renames it, so that a file whose name is a ref is complete, even after a crash.
func (d dir) write(_ context.Context, ref string, data []byte) (err error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(string(d), ".new-*") // its mode is 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(string(d), ref))
}
