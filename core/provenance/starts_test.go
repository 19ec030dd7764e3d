package provenance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInsertionStartsAreTheFirstBytes(t *testing.T) {
	have, want := map[byte]bool{}, map[byte]bool{}
	for i := range insertionStarts {
		have[insertionStarts[i]] = true
	}
	for _, e := range insertions {
		want[e.prefix[0]] = true
	}
	require.Equal(t, want, have)
}
