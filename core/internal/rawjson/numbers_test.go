package rawjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
)

// Numbers in each way of writing that JSON has.
func TestNumbersOfJSON(t *testing.T) {
	for _, text := range []string{"0", "-0", "10", "1.5", "-1.50", "1e5", "1E5", "1e+5", "1e-05", "0.0e0", "[1e5]",
		"[-1]"} {
		require.NoError(t, rawjson.Check([]byte(text)), text)
	}
	for _, text := range []string{"00", "-", "+1", ".5", "1.", "1e", "1e-", "1e+-5", "--1", "1.e5", "[-]"} {
		require.Error(t, rawjson.Check([]byte(text)), text)
	}
}
