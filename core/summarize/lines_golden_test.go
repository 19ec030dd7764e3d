package summarize_test

import (
	"fmt"
	"strings"
	"testing"

	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// TestGoldenLines reads the texts of testdata/lines, one a line, with ⏎ for a line end. Below each is what it is read as.
func TestGoldenLines(t *testing.T) {
	read := map[string]func(string) []string{
		"atoms": func(text string) (out []string) {
			summarize.Atoms(text, func(k summarize.FactKind, s string) { out = append(out, k.String()+" "+s) })
			return out
		},
		"errors": func(text string) []string { return summarize.ErrorLines(text, 2) },
		"results": func(text string) []string {
			code, ok := summarize.ExitCode(text)
			failed := summarize.IsError(&msg.Block{Kind: msg.KindToolResult, Text: text})
			return []string{fmt.Sprintf("exit code %d %v, failed %v", code, ok, failed)}
		},
		"inputs": func(text string) (out []string) {
			summarize.Inputs(text, func(s string) { out = append(out, s) })
			return out
		},
		"first and last 9": func(text string) []string {
			return []string{summarize.First(text, 9) + "|" + summarize.Last(text, 9)}
		},
		"8 tokens": func(text string) []string {
			text, cut, why := summarize.Read(text, 8, 1000, tokens.Chars4.Count)
			return []string{fmt.Sprintf("%s|%v %v", text, cut, why)}
		},
		"shorten to 4 tokens": func(text string) []string {
			return []string{summarize.ShortenToTokens(text, 4, tokens.Chars4.Count) + "|"}
		},
	}
	convtest.Golden(t, "lines/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		for _, name := range s.Names() {
			var out strings.Builder
			for line := range strings.Lines(string(s.Section(name))) {
				if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "\t") {
					continue
				}
				out.WriteString(line + "\n")
				for _, row := range read[name](strings.ReplaceAll(line, "⏎", "\n")) {
					out.WriteString("\t" + strings.ReplaceAll(row, "\n", "⏎") + "\n")
				}
			}
			s.Want(name, []byte(out.String()))
		}
	})
}
