package validity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
)

// TestDocuments checks and repairs the documents of each scenario: the problems, with what the provider says, the
// repair or why there is none, and then the repaired document. What is repaired is no problem any more.
func TestDocuments(t *testing.T) {
	said := map[Rule]bool{R5Context: true, A9ThinkingOpen: true} // TestContextWindow, TestChangedThinking
	convtest.Golden(t, "*.txtar", func(t *testing.T, s *convtest.Scenario) {
		var out strings.Builder
		for _, d := range s.Documents() {
			fmt.Fprintln(&out, d.Line)
			c, err := format.Parse(d.Data, d.Format)
			require.NoError(t, err)
			for _, p := range Check(c) {
				fmt.Fprintf(&out, "  %s %s at %q: %s\n", p.Severity, p.Rule, p.Path, p.Message)
				require.NotEqual(t, p.Repair == "", p.Reason == "", p.Message)
				if p.Repair != "" {
					fmt.Fprintf(&out, "    repair: %s\n", p.Repair)
				} else {
					fmt.Fprintf(&out, "    left: %s\n", p.Reason)
				}
				if p.ProviderError != "" {
					fmt.Fprintf(&out, "    says: %s\n", p.ProviderError)
				}
				said[p.Rule] = said[p.Rule] || p.ProviderError != ""
			}
			repaired, done := RepairAll(c)
			text, err := format.Render(repaired)
			if err != nil || string(text) == string(d.Data) {
				require.True(t, err == nil || len(done.Problems) > 0)
				continue
			}
			for _, p := range done.Left {
				fmt.Fprintf(&out, "  left %s %s at %q\n", p.Severity, p.Rule, p.Path)
			}
			fmt.Fprintf(&out, "  repaired: %s\n", strings.ReplaceAll(string(text), "\n", "⏎"))
			again, err := format.Parse(text, c.Format)
			require.NoError(t, err)
			require.Equal(t, Valid(done.Left), Valid(Check(again)), "%s", text)
			_, more := Repair(again)
			require.Empty(t, more, "%s", text)
		}
		s.Want("problems", []byte(out.String()))
	})
	for _, r := range Rules {
		_, found := said[r.Rule]
		require.True(t, found, "no document breaks %s", r.Rule)
		require.True(t, said[r.Rule] || r.Error == "", "%s has a text, and no document that shows it", r.Rule)
		require.NotEmpty(t, r.Holds)
	}
}
