package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
)

// Every operation whose answer has sizes before and after has figures for the log, and observe has its metrics.
func TestFigures(t *testing.T) {
	conversation := `"conversation":[{"role":"user","content":"Find the bug."},{"role":"assistant","content":"Found it."}]`
	var e wire.Engine
	plan, err := e.Do("plan", []byte(`{`+conversation+`}`), nil)
	require.NoError(t, err)
	for op, in := range map[string]string{
		"plan":    `{` + conversation + `}`,
		"inspect": `{` + conversation + `}`,
		"apply":   `{` + conversation + `,"plan":` + string(plan.Header) + `}`,
	} {
		answer, err := e.Do(op, []byte(in), nil)
		require.NoError(t, err, op)
		require.Positive(t, answer.Figures.Before, op)
		require.Positive(t, answer.Figures.After, op)
	}
	answer, err := e.Do("observe", []byte(`{"usage":{"input":1,"cacheRead":3}}`), nil)
	require.NoError(t, err)
	require.Equal(t, wire.Figures{CacheHitRate: 750}, answer.Figures)
	answer, err = e.Do("count", []byte(`{`+conversation+`}`), nil)
	require.NoError(t, err)
	require.Equal(t, wire.Figures{CacheHitRate: -1, CompactCount: -1}, answer.Figures,
		"an operation without sizes has no figures")
}
