package vocab_test

import (
	"testing"

	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/require"

	"tamp/core/tokens"
	"tamp/core/tokens/vocab"
)

// The files have the published tokens, each at its rank. If a file is stale, run make vocab.
func TestFiles(t *testing.T) {
	for name, size := range map[string]int{"o200k_base": 199998, "cl100k_base": 100256} {
		v, err := vocab.Load(name)
		require.NoError(t, err)
		require.Equal(t, name, v.Name())
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		require.NoError(t, err)
		require.Len(t, ranks, size)
		require.Equal(t, size, v.Len())
		for token, rank := range ranks {
			if got, ok := v.Token(rank); !ok || got != token {
				t.Fatalf("%s: token %d is %q, want %q", name, rank, got, token)
			}
		}
	}
}

func TestLoad(t *testing.T) {
	for _, name := range vocab.Names() {
		v, err := vocab.Load(name)
		require.NoError(t, err)
		var counter tokens.Counter = v.Counter()
		require.Equal(t, name, counter.Name())
		require.Equal(t, 4, counter.Count("Hello, world!"))
	}
	_, err := vocab.Load("gpt2")
	require.EqualError(t, err, "cannot load vocabulary: unknown name gpt2")
}
