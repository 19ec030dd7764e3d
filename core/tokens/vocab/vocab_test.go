package vocab_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/tokens"
	"tamp/core/tokens/vocab"
)

// TestFiles: the files hold what their makers published, every token at its rank. A stale file fails here; make vocab writes it anew.
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

func TestClaudeFile(t *testing.T) {
	v, err := vocab.Claude()
	require.NoError(t, err)
	require.Equal(t, 64995, v.Len())
	raw, err := os.ReadFile(filepath.Join(convtest.Root(), "web", "node_modules", "@anthropic-ai", "tokenizer", "claude.json"))
	if err != nil {
		t.Log("the npm package is not installed in web; the golden file of package bpe was compared with it")
		return
	}
	var source struct {
		Ranks string `json:"bpe_ranks"`
	}
	require.NoError(t, json.Unmarshal(raw, &source))
	for i, field := range strings.Fields(source.Ranks)[2:] {
		want, err := base64.StdEncoding.DecodeString(field)
		require.NoError(t, err)
		if got, ok := v.Token(5 + i); !ok || got != string(want) {
			t.Fatalf("token %d is %q, want %q", 5+i, got, want)
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
	require.EqualError(t, err, "cannot load vocabulary: there is none called gpt2")
}
