package texts

import (
	"embed"
	"path"
	"strings"
)

//go:embed testdata/*.txt
var written embed.FS

// Own returns the texts that were written for this package, a class a file. Of each, every second paragraph is held out.
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
		halves := [2]strings.Builder{}
		for i, paragraph := range strings.SplitAfter(string(raw), "\n\n") {
			halves[i%2].WriteString(paragraph)
		}
		for i := range halves {
			list = append(list, Text{Class: class, Name: class + " (own)", Body: halves[i].String(), Held: i == 1})
		}
	}
	return list, nil
}
