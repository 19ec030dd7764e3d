package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Compacting a broken conversation adds no kind of error that the conversation did not have, under every preset and
// with any subset of the answers: not in the outcome, and not in what its bytes say.
func TestCompactingBrokenInputAddsNoKindOfError(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := convtest.Conversation(t, name)
		if rapid.Bool().Draw(t, "break") {
			doc = convtest.Break(t, name, doc)
		} else {
			doc = convtest.Damage(t, name, doc)
		}
		c, err := format.Parse(doc, name)
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		had := kindsOfErrors(c)
		p, env := drawPolicy(t), drawEnv(t)
		plan, err := core.NewPlan(c, "", p, env)
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		for range 4 { // a plan can have next ones
			out, err := core.Apply(c, "", p, env, plan, drawResults(t, plan))
			if isOverflow(err) {
				return
			}
			require.NoError(t, err)
			c = out.Conversation
			written, err := format.Render(c)
			require.NoError(t, err)
			again, err := format.Reparse(written, name)
			require.NoError(t, err)
			for _, now := range []*msg.Conversation{c, again} {
				for rule := range kindsOfErrors(now) {
					require.True(t, had[rule], "%s is new (preset %s)\n%s\nbecame\n%s", rule, p.Preset, doc, written)
				}
			}
			if plan = out.Next; plan == nil {
				break
			}
		}
	})
}

func kindsOfErrors(c *msg.Conversation) map[validity.Rule]bool {
	rules := map[validity.Rule]bool{}
	for _, p := range validity.Check(c) {
		if p.Severity == validity.SeverityError {
			rules[p.Rule] = true
		}
	}
	return rules
}
