//go:build !js

package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The list of sessions has figures and no content; the last request is kept for the page.
func TestSessions(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	for n := 10; n < 30; n++ {
		s.post(t, "/up/v1/messages", history(n, 1500, ""), "User-Agent", "agent/1", "X-Session-Id", "one")
	}
	s.post(t, "/up/v1/messages", history(1, 10, ""), "X-Session-Id", "two")
	s.post(t, "/up/v1/messages/count_tokens", history(1, 10, ""), "X-Session-Id", "three")
	require.Eventually(t, func() bool { return bytes.Count(s.g.Sessions.List(), []byte(`"client"`)) == 2 }, 30*time.Second,
		time.Millisecond)
	var list struct{ Sessions []Session }
	require.NoError(t, json.Unmarshal(s.g.Sessions.List(), &list))
	require.NotContains(t, string(s.g.Sessions.List()), "line 3")
	one := list.Sessions[slices.IndexFunc(list.Sessions, func(v Session) bool { return v.Calls > 1 })]
	require.Equal(t, "agent/1", one.Client)
	require.Equal(t, 20, one.Calls)
	require.Equal(t, 40_000, one.Window)
	require.Greater(t, one.Before, one.After)
	require.NotEmpty(t, one.Compactions)
	require.Equal(t, 20*20, one.Usage.CacheRead)
	require.True(t, one.Priced)
	require.Positive(t, one.Cost)
	require.Equal(t, history(29, 1500, ""), string(s.g.Sessions.Request(one.ID)))
	require.Contains(t, string(s.g.Sessions.One(one.ID)), `"log":[{"number":1`)
	require.Nil(t, s.g.Sessions.One("none"))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		require.NotContains(t, fmt.Sprint(e), "key")
	}
}
