package validity_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/validity"
)

// The tables have each rule, and no check reports one that its row does not have.
func TestChecksReportTheRulesOfTheirRows(t *testing.T) {
	var rules []validity.Rule
	for _, r := range validity.Rules {
		rules = append(rules, r.Rule)
	}
	slices.Sort(rules)
	require.Equal(t, rules, validity.Listed())
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := convtest.Damage(t, name, convtest.Conversation(t, name))
		if c, err := format.Parse(doc, name); err == nil && !c.Partial {
			require.Empty(t, validity.Unlisted(c), "%s", doc)
		}
	})
}
