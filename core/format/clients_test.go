package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
)

// What the history of a client says comes back byte for byte.
func TestClientsRoundTrip(t *testing.T) {
	for _, name := range convtest.Clients {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				input := convtest.Conversation(t, name)
				c, err := format.Parse(input, name)
				require.NoError(t, err)
				out, err := format.Render(c)
				require.NoError(t, err)
				require.Equal(t, string(input), string(out))
			})
		})
	}
}
