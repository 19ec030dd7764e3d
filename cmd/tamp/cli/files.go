package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"tamp/cmd/tamp/audit"
)

// below lists the files below a folder, or the file itself. Symbolic links to folders are not followed, so that no
// cycle can occur; links to files outside of the folder are, but not out of root, if that is not empty.
func below(folder, root string) (found *audit.Found, unread []audit.Unread, err error) {
	found = &audit.Found{Databases: true}
	add := func(list *[]audit.Unread, file string, err error) {
		*list = append(*list, audit.Unread{File: shown(file), Reason: reasonOf(file, err)})
	}
	info, err := os.Stat(folder)
	if err != nil {
		return nil, nil, errors.New("cannot read " + folder + ": " + plainError(err).Error())
	}
	if !info.IsDir() {
		found.Files = []string{folder}
		return found, nil, nil
	}
	inside, err := realFolder(folder)
	if err == nil && root != "" {
		root, err = realFolder(root)
	}
	if err != nil {
		return nil, nil, plainError(err)
	}
	folders := []string{folder}
	for len(folders) > 0 {
		at := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		names, err := namesIn(at)
		if err != nil {
			add(&unread, at, err)
			continue
		}
		for _, name := range names {
			path := filepath.Join(at, name)
			entry, err := os.Lstat(path)
			switch {
			case err != nil:
				add(&found.Odd, path, err)
			case entry.IsDir():
				folders = append(folders, path)
			case entry.Mode()&fs.ModeSymlink != 0:
				target, err := os.Stat(path)
				real := ""
				if err == nil {
					real, err = realPath(path)
				}
				switch {
				case err != nil:
					add(&found.Odd, path, err)
				case target.IsDir():
					add(&unread, path, errors.New("symbolic links to folders are not followed"))
				case root != "" && !strings.HasPrefix(real, root):
					add(&found.Odd, path, errors.New("it is not in the folder that --root names"))
				case target.Mode().IsRegular() && !strings.HasPrefix(real, inside):
					found.Links = append(found.Links, path)
				}
			case entry.Mode().IsRegular():
				found.Files = append(found.Files, path)
			default:
				add(&found.Odd, path, errors.New("it is neither a file nor a folder"))
			}
		}
	}
	return found, unread, nil
}

// realPath is a path from the root, without symbolic links.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// realFolder is what the real paths in a folder begin with.
func realFolder(folder string) (string, error) {
	real, err := realPath(folder)
	return strings.TrimSuffix(real, string(filepath.Separator)) + string(filepath.Separator), err
}

// namesIn lists a folder. os.ReadDir would leave out names that are not valid UTF-8 if it runs as WebAssembly.
func namesIn(folder string) ([]string, error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// shown is a name as text.
func shown(file string) string { return strings.ToValidUTF8(file, "\ufffd") }

// reasonOf is why a file could not be read.
func reasonOf(file string, err error) string {
	if !utf8.ValidString(file) || strings.Contains(file, "\ufffd") && errors.Is(err, fs.ErrNotExist) {
		return "its name is not valid UTF-8: rename it"
	}
	return plainError(err).Error()
}

// codes are the names of errors, which people search for.
var codes = map[syscall.Errno]string{syscall.ENOENT: "ENOENT", syscall.EACCES: "EACCES", syscall.EPERM: "EPERM",
	syscall.EISDIR: "EISDIR", syscall.ENOTDIR: "ENOTDIR", syscall.ELOOP: "ELOOP", syscall.EIO: "EIO"}

// plainError is an error of the file system as Node writes it, with its name.
func plainError(err error) error {
	var at *fs.PathError
	var number syscall.Errno
	if errors.As(err, &at) && errors.As(err, &number) && codes[number] != "" {
		text := number.Error()
		text = codes[number] + ": " + strings.ToLower(text[:1]) + text[1:]
		return errors.New(text + ", " + strings.TrimPrefix(at.Op, "l") + " '" + at.Path + "'")
	}
	return err
}
