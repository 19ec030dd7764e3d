package validity_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// For any input that a codec reads, the result of Repair has no error that Repair could repair, the remaining problems
// have a reason, no kind of error is new, a valid conversation keeps its bytes, and a second Repair changes nothing.
func TestRepairOfDamagedConversations(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := convtest.Damage(t, name, convtest.Conversation(t, name))
		c, err := format.Parse(doc, name)
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		before := errorRules(validity.Check(c))
		repaired, report := validity.RepairAll(c)
		out, err := format.Render(repaired)
		require.NoError(t, err, "%s", doc)
		if len(before) == 0 {
			require.Equal(t, string(doc), string(out), "a valid conversation changed")
			require.Empty(t, report.Problems)
		}
		require.Equal(t, report.Left, validity.Check(repaired), "%s", doc)
		again, err := format.Reparse(out, name)
		require.NoError(t, err, "%s", out)
		left := validity.Check(again)
		for _, p := range left {
			require.Empty(t, p.Repair, "%s\nbecame %s\nwith %s at %s", doc, out, p.Rule, p.Path)
			require.NotEmpty(t, p.Reason, "%s at %s", p.Rule, p.Path)
		}
		require.Equal(t, errorRules(report.Left), errorRules(left), "%s\nbecame %s", doc, out)
		for _, rule := range errorRules(left) {
			require.Contains(t, before, rule, "%s\nbecame %s", doc, out)
		}
		twice, problems := validity.Repair(again)
		require.Empty(t, problems)
		same, err := format.Render(twice)
		require.NoError(t, err)
		require.Equal(t, string(out), string(same), "a second repair changed something")
	})
}

// errorRules lists the rules of the errors among problems, each once, sorted.
func errorRules(problems []validity.Problem) []validity.Rule {
	var rules []validity.Rule
	for _, p := range problems {
		if p.Severity == validity.SeverityError {
			rules = append(rules, p.Rule)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}
