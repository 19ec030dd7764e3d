//go:build !js

package gateway

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/forward"
)

// The list has the sessions that were used last, also those that begin when it is full, and the requests of the newest
// of them up to the limit. A slow, obvious list says which these are. Clocks may be coarse or go back.
func TestSessionsListsTheNewest(t *testing.T) {
	bodies := map[int]*forward.Body{}
	for _, size := range []int{10, 8 << 20, maxKeptRequests / 4} { // the last one is too large with its frame
		text := fmt.Sprintf(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"%s"}]}`,
			strings.Repeat("x", size))
		body, err := forward.Read([]byte(text), "anthropic")
		require.NoError(t, err)
		bodies[size] = body
	}
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(1000, 0)
		s := NewSessions(func() time.Time { return now })
		all := rapid.SampledFrom([]int{3, maxSessions, maxSessions + 30}).Draw(t, "sessions")
		var order []string                                 // the last used first
		sizes, calls := map[string]int{}, map[string]int{} // of the last request, 0: not kept
		for n := range rapid.IntRange(1, maxSessions+60).Draw(t, "calls") {
			now = now.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "ms")) * time.Millisecond)
			body, session := bodies[10], n%all
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				body = bodies[rapid.SampledFrom([]int{8 << 20, maxKeptRequests / 4}).Draw(t, "large")]
			case 1, 2:
				session = rapid.IntRange(0, all-1).Draw(t, "session")
			}
			x := &passed{http.Header{"X-Session-Id": {fmt.Sprint(session)}},
				&Prepared{body: body, Result: &forward.Result{}}, &Entry{Status: 200}, nil, true}
			s.record(x)
			id := s.id(x)
			require.Equal(t, id, s.sorted()[0].ID)
			order = append([]string{id}, slices.DeleteFunc(order, func(other string) bool { return other == id })...)
			calls[id]++
			for ; len(order) > maxSessions; order = order[:maxSessions] {
				delete(calls, order[maxSessions])
			}
			if sizes[id] = cap(body.Data()); len(body.Data()) > maxKeptRequests/4 {
				sizes[id] = 0
			}
			kept := 0
			for _, id := range order {
				if kept+sizes[id] > maxKeptRequests {
					sizes[id] = 0
				}
				kept += sizes[id]
			}
			require.Equal(t, kept, s.kept)
		}
		var listed []string
		for _, v := range s.sorted() {
			listed = append(listed, v.ID)
			require.Equal(t, calls[v.ID], v.Calls)
			require.Equal(t, sizes[v.ID], cap(v.request))
			require.Equal(t, sizes[v.ID] > 0, v.Request)
		}
		require.Equal(t, order, listed)
	})
}
