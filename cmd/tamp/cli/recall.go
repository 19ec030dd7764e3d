package cli

import (
	"os"
	"path/filepath"
	"strings"

	"tamp/core/recall"
)

func (c *call) recall() (code int, err error) {
	archive, ref := c.given["archive"], strings.Join(c.args, "")
	if archive == "" {
		return wrong, usageError("recall needs --archive and the file with the originals")
	}
	originals, err := originalsIn(archive)
	if err != nil {
		return fault, plainError(err)
	}
	if ref == "" && len(originals) != 1 {
		return wrong, usageError("recall needs a ref: the archive is a folder")
	}
	text, err := recall.Text(originals, ref)
	switch {
	case err != nil:
		return fault, err
	case c.has("json"):
		return c.answer(&struct {
			Ref  string `json:"ref,omitempty"`
			Text string `json:"text"`
		}{ref, text}, nil)
	}
	return c.print(text)
}

// originalsIn reads the originals in a file, or in the files of the folder that the plugin for Claude Code writes.
func originalsIn(archive string) (originals []string, err error) {
	info, err := os.Stat(archive)
	if err != nil {
		return nil, err
	}
	files := []string{archive}
	if info.IsDir() {
		entries, err := os.ReadDir(archive)
		if err != nil {
			return nil, err
		}
		files = nil
		for _, entry := range entries {
			if isOriginals(entry.Name()) {
				files = append(files, filepath.Join(archive, entry.Name()))
			}
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		originals = append(originals, string(text))
	}
	return originals, nil
}

// isOriginals reports that a file of the folder of the plugin for Claude Code has originals.
func isOriginals(name string) bool {
	number, is := strings.CutSuffix(name, ".originals")
	return is && number != "" && strings.Trim(number, "0123456789") == ""
}
