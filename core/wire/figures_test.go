package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every operation whose result has sizes before and after gives them to the log.
func TestFiguresOfEveryOperationThatMeasures(t *testing.T) {
	conversation := `[{"role":"user","content":"Find the bug."},{"role":"assistant","content":"Found it."}]`
	plan, _, err := Do("plan", []byte(`{"conversation":`+conversation+`}`))
	require.NoError(t, err)
	for op, in := range map[string]string{
		"plan":    `{"conversation":` + conversation + `}`,
		"inspect": `{"conversation":` + conversation + `}`,
		"apply":   `{"conversation":` + conversation + `,"plan":` + string(plan) + `}`,
	} {
		_, figures, err := Do(op, []byte(in))
		require.NoError(t, err, op)
		require.Positive(t, figures.Before, op)
		require.Positive(t, figures.After, op)
	}
	_, figures, err := Do("count", []byte(`{"conversation":`+conversation+`}`))
	require.NoError(t, err)
	require.Equal(t, Figures{CacheHitRate: -1, CompactCount: -1}, figures, "an operation without sizes has no figures")
}
