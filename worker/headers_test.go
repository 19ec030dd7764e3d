package worker

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// If Go fails, worker.mjs responds itself. That response must have the same headers, and the same body limit applies.
func TestWorkerHasTheSameHeaders(t *testing.T) {
	script, err := os.ReadFile("worker.mjs")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(script), "const HEADERS = {")
	list, _, _ = strings.Cut(list, "};")
	for name, value := range headers {
		require.Contains(t, list, strconv.Quote(strings.ToLower(name))+": "+strconv.Quote(value))
	}
	require.Equal(t, len(headers), strings.Count(list, "\n")-1)
	require.Equal(t, 32<<20, maxBody)
	require.Contains(t, string(script), "const MAX_BODY = 32 << 20;")
}
