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
		"statements": statements,
		"latest":     latest,
		"split":      func(s string) []string { return []string{marked(s, provenance.Split(s))} },
		"clause":     clauseOf,
		"sentences":  sentences,
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

// statements returns for each statement of a text: its kind, whether it revokes, the keys, and the words if the text
// has others.
func statements(text string) (out []string) {
	for _, c := range provenance.Constraints(text) {
		row := kindNames[c.Kind]
		if c.Revokes {
			row += " revokes"
		}
		row += fmt.Sprintf(" [%s] [%s]", c.Subject, c.Value)
		if c.Text != text {
			row += " " + c.Text
		}
		out = append(out, row)
	}
	return out
}

// latest returns the statements that still hold of those in a text.
func latest(text string) (out []string) {
	for _, c := range provenance.Latest(provenance.Constraints(text)) {
		out = append(out, c.Text)
	}
	return out
}

// clauseOf returns the binding clause of a text, within the number before it.
func clauseOf(text string) []string {
	var limit int
	var rest string
	if n, _ := fmt.Sscanf(text, "%d", &limit); n == 1 {
		_, rest, _ = strings.Cut(text, " ")
	}
	return []string{provenance.BindingClause(provenance.Constraint{Text: rest}, limit)}
}

func sentences(text string) (out []string) {
	provenance.Sentences(text, func(s string) { out = append(out, s) })
	return out
}
