package convtest

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the code does into the golden files; read the diff")

// Scenario is one golden file: prose that says what must happen and why, then named sections, of which some go in and
// others must come out.
type Scenario struct {
	t       *testing.T
	archive *txtar.Archive
	changed bool
}

// Golden runs each scenario of testdata that matches the pattern.
func Golden(t *testing.T, pattern string, run func(t *testing.T, s *Scenario)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			s := &Scenario{t: t, archive: archive}
			run(t, s)
			if s.changed {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
		})
	}
}

// Names lists the sections in order.
func (s *Scenario) Names() []string {
	var names []string
	for _, f := range s.archive.Files {
		names = append(names, f.Name)
	}
	return names
}

// Section returns what a section holds.
func (s *Scenario) Section(name string) []byte { return s.find(name).Data }

// Want compares an output with the section of that name, or with -update writes it there.
func (s *Scenario) Want(name string, got []byte) {
	s.t.Helper()
	if *update {
		s.find(name).Data, s.changed = got, true
		return
	}
	s.WantByHand(name, got)
}

// WantByHand is Want for what people have worked out: nothing but they may change it.
func (s *Scenario) WantByHand(name string, got []byte) {
	s.t.Helper()
	require.Equal(s.t, string(s.Section(name)), string(got))
}

func (s *Scenario) find(name string) *txtar.File {
	s.t.Helper()
	for i := range s.archive.Files {
		if s.archive.Files[i].Name == name {
			return &s.archive.Files[i]
		}
	}
	require.Fail(s.t, "the scenario has no section "+name)
	return nil
}

// Document is one document of a scenario, on a line of its own.
type Document struct {
	Line   string // as the scenario has it
	Format string // the word before the document, "" if there is none: its format is recognized
	Data   []byte
}

// Documents returns the documents of the section documents. A line is a quoted Go string, or a text with ⏎ for line
// breaks.
func (s *Scenario) Documents() []Document { return Documents(s.Section("documents")) }

// Documents returns the documents of a section.
func Documents(section []byte) (documents []Document) {
	for line := range strings.Lines(string(section)) {
		line = strings.TrimSuffix(line, "\n")
		name, text, named := strings.Cut(line, " ")
		if !named || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" || !strings.ContainsAny(text[:1], `[{"`) {
			name, text = "", line
		}
		if quoted, err := strconv.Unquote(text); err == nil {
			text = quoted
		} else {
			text = strings.ReplaceAll(text, "⏎", "\n")
		}
		documents = append(documents, Document{Line: line, Format: name, Data: []byte(text)})
	}
	return documents
}
