//go:build !js

package gateway

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpstreams(t *testing.T) {
	all, err := ParseUpstreams("")
	require.NoError(t, err)
	require.Equal(t, []Upstream{{"anthropic", "https://api.anthropic.com", false},
		{"openai", "https://api.openai.com", false}, {"gemini", "https://generativelanguage.googleapis.com", false}}, all)
	all, err = ParseUpstreams(" a=http://x:1/base/ , local=plain:http://y")
	require.NoError(t, err)
	require.Equal(t, []Upstream{{"a", "http://x:1/base", false}, {"local", "http://y", true}}, all)
	for _, bad := range []string{"x", "=http://a", "V=http://a", "v1=http://a", "healthz=http://a", "a=ftp://b", "a=b",
		"a=http://secret@b", "a=http://b?k=secret", "a=http://b#secret", "a=http://b,a=http://c", "a b=http://x"} {
		_, err := ParseUpstreams(bad)
		require.ErrorContains(t, err, "cannot use UPSTREAMS: entry ", bad)
		require.NotContains(t, err.Error(), "secret")
	}
}
