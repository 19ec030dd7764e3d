package provenance_test

import (
	"fmt"
	"strings"
	"testing"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// TestGolden reads the texts of testdata, one a line, with ⏎ for a line end. Below each text is what it is read as.
func TestGolden(t *testing.T) {
	read := map[string]func(string) []string{
		"split":     func(s string) []string { return []string{marked(s, provenance.Split(s))} },
		"sentences": sentences,
		"uses": func(text string) []string {
			return []string{fmt.Sprintf("reminder %v, starts a task %v, context of the next block %d", msg.IsReminder(text),
				provenance.StartsTask(text), provenance.Next(text, 0))}
		},
	}
	convtest.Golden(t, "*.txtar", func(t *testing.T, s *convtest.Scenario) {
		for _, name := range s.Names() {
			var out strings.Builder
			for line := range strings.Lines(string(s.Section(name))) {
				if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "\t") {
					continue
				}
				out.WriteString(line + "\n")
				if line == "" || strings.HasPrefix(line, "//") {
					continue
				}
				for _, row := range read[name](strings.ReplaceAll(line, "⏎", "\n")) {
					out.WriteString("\t" + strings.ReplaceAll(row, "\n", "⏎") + "\n")
				}
			}
			s.Want(name, []byte(out.String()))
		}
	})
}

func sentences(text string) (out []string) {
	provenance.Sentences(text, func(s string) { out = append(out, s) })
	return out
}
