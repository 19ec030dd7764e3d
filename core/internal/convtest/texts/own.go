package texts

import (
	"embed"
	"path"
	"strings"
)

//go:embed testdata/*.txt
var written embed.FS

// Own returns the texts that were written for this package, one file for each class.
func Own() ([]Text, error) {
	files, err := written.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var list []Text
	for _, f := range files {
		raw, err := written.ReadFile("testdata/" + f.Name())
		if err != nil {
			return nil, err
		}
		class := strings.TrimSuffix(f.Name(), path.Ext(f.Name()))
		list = append(list, Text{Class: class, Name: class + " (own)", Body: string(raw), Shown: true})
	}
	return list, nil
}
