package provenance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/provenance"
)

// holds reports whether a rule still holds after a later text.
func holds(rule, later string) bool {
	first := provenance.Constraints(rule)
	for _, c := range provenance.Latest(append(first, provenance.Constraints(later)...)) {
		if c.Text == first[0].Text {
			return true
		}
	}
	return false
}

func TestRevocationsInEightLanguages(t *testing.T) {
	for _, l := range revocations {
		require.Len(t, provenance.Constraints(l.rule), 1, l.language)
		for line := range strings.Lines(l.keep) {
			if !holds(l.rule, strings.TrimSpace(line)) {
				t.Errorf("%s: lifts the rule: %s", l.language, line)
			}
		}
		for line := range strings.Lines(l.lift) {
			if holds(l.rule, strings.TrimSpace(line)) {
				t.Errorf("%s: does not lift the rule: %s", l.language, line)
			}
		}
	}
}
