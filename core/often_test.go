package core_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/policy"
)

// Names that the agent wrote in several early turns survive the condensing of their summaries, since the State
// has their keys. Without these, they are lost among all other names.
func TestOftenWrittenNamesSurviveCondensing(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Trigger.Window = 10_000
	often := regexp.MustCompile(`,"often":\["[^\]]*\]`)
	final := func(keepKeys bool) (text string, keys int) {
		messages := []string{`{"role":"user","content":"Work through all parts."}`}
		var state core.State
		for n := range 120 {
			said := fmt.Sprintf("Part %d uses helper_%d_a, helper_%d_b and helper_%d_c.", n, n, n, n)
			if n >= 4 && n < 7 { // after the turns whose values are kept anyway
				said += " Each goes through acquireLease."
			}
			messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":%q},`+
				`{"type":"tool_use","id":"t%d","name":"read_part","input":{"part":%d}}]}`, said, n, n),
				fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]}`, n,
					strings.Repeat(fmt.Sprintf("value_%d_x is set by setter_%d.\n", n, n*7), 40)))
			if n%20 != 19 {
				continue
			}
			c := parse(t, "["+strings.Join(messages, ",")+"]")
			out, err := core.Compact(c, state, p, core.Env{}, core.Host{Save: func([]byte) error { return nil }})
			require.NoError(t, err)
			messages, state = rendered(t, out.Conversation), out.State
			keys = strings.Count(often.FindString(string(state)), `"`)/2 - 1
			require.NotContains(t, string(state), "acquireLease")
			if !keepKeys {
				state = core.State(often.ReplaceAllString(string(state), ""))
			}
		}
		return strings.Join(messages, "\n"), keys
	}
	text, keys := final(true)
	require.Contains(t, text, "acquireLease")
	require.Positive(t, keys)
	text, _ = final(false)
	require.NotContains(t, text, "acquireLease", "the State is why it stays")
}
